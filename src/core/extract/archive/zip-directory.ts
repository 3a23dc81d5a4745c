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
const ZIP64_END_SIGNATURE = 0x06064b50;
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_SIZE = 22;
const ZIP64_END_SIZE = 56;
const ZIP64_LOCATOR_SIZE = 20;
const ZIP64_FIELD = 1;
/** The actual value is in a record of Zip64. */
const IN_ZIP64 = 0xffff_ffff;
const MAX_COMMENT_BYTES = 0xffff;

/** Throws `extract.malformed` for anything other than a complete, plain archive of at most `maxEntries` entries. */
export function readZipDirectory(archive: Uint8Array, name: string, maxEntries: number): readonly ZipEntry[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const malformed = (as: string) => pinakesError('extract.malformed', { url: name, as });
  const directory = locateDirectory(view);
  if (directory === null) throw malformed('zip archive');
  const { count, end } = directory;
  let at = directory.start;
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

interface DirectoryLocation {
  readonly count: number;
  readonly start: number;
  /** No record of the directory reaches beyond this. */
  readonly end: number;
}

function locateDirectory(view: DataView): DirectoryLocation | null {
  const end = endRecord(view);
  if (end === -1) return null;
  const locator = end - ZIP64_LOCATOR_SIZE;
  if (locator < 0 || view.getUint32(locator, true) !== ZIP64_LOCATOR_SIGNATURE)
    return { count: view.getUint16(end + 10, true), start: view.getUint32(end + 16, true), end };
  const zip64End = readUint64(view, locator + 8);
  if (zip64End + ZIP64_END_SIZE > locator || view.getUint32(zip64End, true) !== ZIP64_END_SIGNATURE) return null;
  return { count: readUint64(view, zip64End + 32), start: readUint64(view, zip64End + 48), end: zip64End };
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
  const nameEnd = at + 46 + view.getUint16(at + 28, true);
  const { local, packedSize } = locationOf(view, at, nameEnd);
  if (local + 30 > view.byteLength || view.getUint32(local, true) !== LOCAL_SIGNATURE) return null;
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const end = start + packedSize;
  if (end > view.byteLength) return null;
  return {
    name: new TextDecoder().decode(archive.subarray(at + 46, nameEnd)),
    method: method === 0 ? 'stored' : method === 8 ? 'deflated' : 'other',
    isEncrypted: (flags & 1) === 1,
    hostSystem: view.getUint8(at + 5),
    unixMode: view.getUint16(at + 40, true),
    packed: { start, end },
  };
}

/** Where the local header is, and how many bytes follow it. Zip64 lists the values that do not fit, in this order. */
function locationOf(
  view: DataView,
  at: number,
  nameEnd: number,
): { readonly local: number; readonly packedSize: number } {
  const [size, packedSize, local] = [24, 20, 42].map((field) => view.getUint32(at + field, true)) as [
    number,
    number,
    number,
  ];
  const extraEnd = Math.min(view.byteLength, nameEnd + view.getUint16(at + 30, true));
  let field = nameEnd;
  while (field + 4 <= extraEnd && view.getUint16(field, true) !== ZIP64_FIELD)
    field += 4 + view.getUint16(field + 2, true);
  let next = field + 4;
  const actual = (value: number): number => {
    if (value !== IN_ZIP64 || next + 8 > extraEnd) return value;
    next += 8;
    return readUint64(view, next - 8);
  };
  actual(size);
  return { packedSize: actual(packedSize), local: actual(local) };
}

/** An offset beyond 2^53 loses precision, and is beyond the end of any archive all the same. */
function readUint64(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

/** Detects the bomb that references the same packed bytes thousands of times. */
function overlaps(entries: readonly ZipEntry[]): boolean {
  const ranges = entries.map(({ packed }) => packed).sort((a, b) => a.start - b.start || a.end - b.end);
  return ranges.some(({ start }, index) => index > 0 && start < (ranges[index - 1]?.end ?? 0));
}
