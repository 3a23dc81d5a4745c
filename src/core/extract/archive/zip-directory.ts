// Reads the table of contents of a zip archive. Sizes in it are claims: nothing is allocated by them.

import { pinakesError } from '../../model/errors.ts';

export interface ZipEntry {
  readonly name: string;
  readonly method: 'stored' | 'deflated' | 'other';
  readonly isEncrypted: boolean;
  /** The system that made the entry; 3 is Unix, whose mode tells links from files. */
  readonly madeOn: number;
  readonly unixMode: number;
  /** The packed bytes inside the archive. */
  readonly packed: { readonly start: number; readonly end: number };
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_SIZE = 22;
const MAX_COMMENT = 0xffff;

/** Throws `extract.malformed` for anything that is not a whole, plain archive of at most `maxEntries` entries. */
export function zipDirectory(archive: Uint8Array, name: string, maxEntries: number): readonly ZipEntry[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const malformed = (as: string) => pinakesError('extract.malformed', { url: name, as });
  const end = endRecord(view);
  if (end === -1) throw malformed('zip archive');
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count === 0xffff || at === 0xffffffff) throw malformed('zip archive of less than 4 GiB');
  if (count > maxEntries) throw malformed(`zip archive of at most ${maxEntries} files`);

  const entries: ZipEntry[] = [];
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > end || view.getUint32(at, true) !== CENTRAL) throw malformed('zip archive');
    const entry = centralEntry(view, archive, at);
    if (entry === null) throw malformed('zip archive');
    entries.push(entry);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  if (overlap(entries)) throw malformed('zip archive whose files do not overlap');
  return entries;
}

function endRecord(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_SIZE - MAX_COMMENT);
  for (let at = view.byteLength - END_SIZE; at >= first; at -= 1) if (view.getUint32(at, true) === END) return at;
  return -1;
}

function centralEntry(view: DataView, archive: Uint8Array, at: number): ZipEntry | null {
  const flags = view.getUint16(at + 8, true);
  const method = view.getUint16(at + 10, true);
  const nameBytes = archive.subarray(at + 46, at + 46 + view.getUint16(at + 28, true));
  const local = view.getUint32(at + 42, true);
  if (local + 30 > view.byteLength || view.getUint32(local, true) !== LOCAL) return null;
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const end = start + view.getUint32(at + 20, true);
  if (end > view.byteLength) return null;
  return {
    name: new TextDecoder().decode(nameBytes),
    method: method === 0 ? 'stored' : method === 8 ? 'deflated' : 'other',
    isEncrypted: (flags & 1) === 1,
    madeOn: view.getUint8(at + 5),
    unixMode: view.getUint16(at + 40, true),
    packed: { start, end },
  };
}

/** The bomb that packs one file a thousand times by pointing at the same bytes. */
function overlap(entries: readonly ZipEntry[]): boolean {
  const ranges = entries.map(({ packed }) => packed).sort((a, b) => a.start - b.start || a.end - b.end);
  return ranges.some(({ start }, index) => index > 0 && start < (ranges[index - 1]?.end ?? 0));
}
