// Unpacks a zip archive under caps that are counted while it unpacks, never believed from its headers. An archive
// inside an archive is a file like any other: it is handed over, not opened.

import { Inflate } from 'fflate';
import { pinakesError } from '../../model/errors.ts';
import { entryVerdict, type EntryRefusal } from './entry-verdict.ts';
import { zipDirectory, type ZipEntry } from './zip-directory.ts';

export interface ArchiveLimits {
  /** Unpacked bytes for each packed one. */
  readonly maxRatio: number;
  readonly maxFileBytes: number;
  readonly maxTotalBytes: number;
  readonly maxEntries: number;
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  maxRatio: 100,
  maxFileBytes: 10 * 1024 * 1024,
  maxTotalBytes: 2 * 1024 * 1024 * 1024,
  maxEntries: 50_000,
};

export type ArchiveItem =
  | { readonly kind: 'file'; readonly path: string; readonly body: Uint8Array }
  | { readonly kind: 'refused'; readonly name: string; readonly because: EntryRefusal | 'file-too-large' | 'broken' };

const SLICE = 16 * 1024;
/** Small files of zeros pack better than any ratio allows and hurt nobody. */
const RATIO_COUNTS_FROM = 1024 * 1024;

/**
 * The entries in the order of the archive's directory, one at a time, so that only one file is in memory.
 * Throws `extract.malformed` for a broken archive and `archive.bomb` as soon as ratio or total passes its cap.
 */
export function* readArchive(
  archive: Uint8Array,
  name: string,
  limits: ArchiveLimits = ARCHIVE_LIMITS,
): Generator<ArchiveItem> {
  let total = 0;
  for (const entry of zipDirectory(archive, name, limits.maxEntries)) {
    const verdict = entryVerdict(entry);
    if (!verdict.admit) {
      yield { kind: 'refused', name: entry.name, because: verdict.because };
      continue;
    }
    const unpacked = unpack(archive.subarray(entry.packed.start, entry.packed.end), entry, limits);
    total += unpacked.seen;
    if (unpacked.isBomb || total > limits.maxTotalBytes) throw pinakesError('archive.bomb', { name });
    if (unpacked.body === null) yield { kind: 'refused', name: entry.name, because: unpacked.because };
    else yield { kind: 'file', path: verdict.path, body: unpacked.body };
  }
}

type Unpacked = { readonly seen: number; readonly isBomb: boolean } & (
  | { readonly body: Uint8Array }
  | { readonly body: null; readonly because: 'file-too-large' | 'broken' }
);

function unpack(packed: Uint8Array, entry: ZipEntry, limits: ArchiveLimits): Unpacked {
  if (entry.method === 'stored') {
    const isSmall = packed.byteLength <= limits.maxFileBytes;
    const seen = packed.byteLength;
    return isSmall
      ? { seen, isBomb: false, body: packed.slice() }
      : { seen, isBomb: false, body: null, because: 'file-too-large' };
  }
  const pieces: Uint8Array[] = [];
  let seen = 0;
  const inflate = new Inflate((piece) => {
    seen += piece.byteLength;
    if (seen <= limits.maxFileBytes) pieces.push(piece);
  });
  for (let at = 0; at < packed.byteLength; at += SLICE) {
    const end = Math.min(packed.byteLength, at + SLICE);
    try {
      inflate.push(packed.subarray(at, end), end === packed.byteLength);
    } catch {
      return { seen, isBomb: false, body: null, because: 'broken' };
    }
    if (seen > RATIO_COUNTS_FROM && seen > end * limits.maxRatio)
      return { seen, isBomb: true, body: null, because: 'broken' };
    if (seen > limits.maxFileBytes) return { seen, isBomb: false, body: null, because: 'file-too-large' };
  }
  return { seen, isBomb: false, body: joined(pieces, seen) };
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
