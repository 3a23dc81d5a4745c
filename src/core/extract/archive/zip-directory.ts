// Reads the central directory of a zip archive. Its sizes are untrusted: nothing is allocated from them.

import { pinakesError } from '../../model/errors.ts';

export interface ZipEntry {
  readonly name: string;
  readonly method: 'stored' | 'deflated' | 'other';
  readonly isEncrypted: boolean;
  /** The system that created the entry; 3 is Unix, whose mode distinguishes links from files. */
  readonly hostSystem: number;
  readonly unixMode: number;
  /** The packed bytes inside the archive. */
  readonly packed: { readonly start: number; readonly end: number };
}

const END_SIGNATURE = 0x06054b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_SIZE = 22;
const MAX_COMMENT_BYTES = 0xffff;

/** Throws `extract.malformed` for anything other than a complete, plain archive of at most `maxEntries` entries. */
export function readZipDirectory(archive: Uint8Array, name: string, maxEntries: number): readonly ZipEntry[] {
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
    if (at + 46 > end || view.getUint32(at, true) !== CENTRAL_SIGNATURE) throw malformed('zip archive');
    const entry = centralEntry(view, archive, at);
    if (entry === null) throw malformed('zip archive');
    entries.push(entry);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  if (overlaps(entries)) throw malformed('zip archive whose files do not overlap');
  return entries;
}

function endRecord(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_SIZE - MAX_COMMENT_BYTES);
  for (let at = view.byteLength - END_SIZE; at >= first; at -= 1)
    if (view.getUint32(at, true) === END_SIGNATURE) return at;
  return -1;
}

function centralEntry(view: DataView, archive: Uint8Array, at: number): ZipEntry | null {
  const flags = view.getUint16(at + 8, true);
  const method = view.getUint16(at + 10, true);
  const nameBytes = archive.subarray(at + 46, at + 46 + view.getUint16(at + 28, true));
  const local = view.getUint32(at + 42, true);
  if (local + 30 > view.byteLength || view.getUint32(local, true) !== LOCAL_SIGNATURE) return null;
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const end = start + view.getUint32(at + 20, true);
  if (end > view.byteLength) return null;
  return {
    name: new TextDecoder().decode(nameBytes),
    method: method === 0 ? 'stored' : method === 8 ? 'deflated' : 'other',
    isEncrypted: (flags & 1) === 1,
    hostSystem: view.getUint8(at + 5),
    unixMode: view.getUint16(at + 40, true),
    packed: { start, end },
  };
}

/** Detects the bomb that references the same packed bytes thousands of times. */
function overlaps(entries: readonly ZipEntry[]): boolean {
  const ranges = entries.map(({ packed }) => packed).sort((a, b) => a.start - b.start || a.end - b.end);
  return ranges.some(({ start }, index) => index > 0 && start < (ranges[index - 1]?.end ?? 0));
}
