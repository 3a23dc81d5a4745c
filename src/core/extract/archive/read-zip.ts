// Unpacks a zip archive within limits that are counted while unpacking, never taken from its headers. A nested archive is
// an ordinary file: it is returned, not opened.

import { Inflate, inflateSync } from 'fflate';
import { pinakesError } from '../../model/errors.ts';
import { entryVerdict, type EntryRefusal } from './entry-verdict.ts';
import { readZipDirectory, type ZipEntry } from './zip-directory.ts';

export interface ArchiveLimits {
  /** Unpacked bytes per packed byte. */
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
  | { readonly kind: 'refused'; readonly name: string; readonly reason: EntryRefusal | 'too-large' | 'corrupt' };

const SLICE_BYTES = 16 * 1024;
/** Larger than almost every file that is packed into one slice. */
const SCRATCH_BYTES = 256 * 1024;
/** Small files of zeros exceed any sensible ratio and are harmless. */
const MIN_RATIO_CHECK_BYTES = 1024 * 1024;

/**
 * Yields the entries in directory order, one at a time, so that only one file is in memory. Throws `extract.malformed`
 * for a broken archive and `archive.bomb` as soon as the ratio or the total exceeds its limit.
 */
export function* readZip(
  archive: Uint8Array,
  name: string,
  limits: ArchiveLimits = ARCHIVE_LIMITS,
  isWanted: (path: string) => boolean = () => true,
): Generator<ArchiveItem> {
  const scratch = new Uint8Array(SCRATCH_BYTES);
  let total = 0;
  for (const entry of readZipDirectory(archive, name, limits.maxEntries)) {
    const verdict = entryVerdict(entry);
    if (!verdict.admit) {
      yield { kind: 'refused', name: entry.name, reason: verdict.reason };
      continue;
    }
    if (!isWanted(verdict.path)) continue;
    const unpacked = unpack(archive.subarray(entry.packed.start, entry.packed.end), entry, limits, scratch);
    total += unpacked.unpackedBytes;
    if (unpacked.isBomb || total > limits.maxTotalBytes) throw pinakesError('archive.bomb', { name });
    if (unpacked.body === null) yield { kind: 'refused', name: entry.name, reason: unpacked.reason };
    else yield { kind: 'file', path: verdict.path, body: unpacked.body };
  }
}

type Unpacked = { readonly unpackedBytes: number; readonly isBomb: boolean } & (
  | { readonly body: Uint8Array }
  | { readonly body: null; readonly reason: 'too-large' | 'corrupt' }
);

function unpack(packed: Uint8Array, entry: ZipEntry, limits: ArchiveLimits, scratch: Uint8Array): Unpacked {
  if (entry.method === 'stored') {
    const isSmall = packed.byteLength <= limits.maxFileBytes;
    const unpackedBytes = packed.byteLength;
    return isSmall
      ? { unpackedBytes, isBomb: false, body: packed.slice() }
      : { unpackedBytes, isBomb: false, body: null, reason: 'too-large' };
  }
  const small = unpackSmall(packed, Math.min(limits.maxFileBytes, scratch.byteLength - 1), scratch);
  if (small !== null) return { unpackedBytes: small.byteLength, isBomb: false, body: small };
  const slices: Uint8Array[] = [];
  let unpackedBytes = 0;
  const inflate = new Inflate((slice) => {
    unpackedBytes += slice.byteLength;
    if (unpackedBytes <= limits.maxFileBytes) slices.push(slice);
  });
  for (let at = 0; at < packed.byteLength; at += SLICE_BYTES) {
    const end = Math.min(packed.byteLength, at + SLICE_BYTES);
    try {
      inflate.push(packed.subarray(at, end), end === packed.byteLength);
    } catch {
      return { unpackedBytes, isBomb: false, body: null, reason: 'corrupt' };
    }
    if (unpackedBytes > MIN_RATIO_CHECK_BYTES && unpackedBytes > end * limits.maxRatio)
      return { unpackedBytes, isBomb: true, body: null, reason: 'corrupt' };
    if (unpackedBytes > limits.maxFileBytes) return { unpackedBytes, isBomb: false, body: null, reason: 'too-large' };
  }
  return { unpackedBytes, isBomb: false, body: concatBytes(slices, unpackedBytes) };
}

/** An archive of thousands of small files is unpacked without buffers for each. Null for a file that is larger, or corrupt. */
function unpackSmall(packed: Uint8Array, maxBytes: number, scratch: Uint8Array): Uint8Array | null {
  if (packed.byteLength > SLICE_BYTES) return null;
  try {
    // What does not fit is cut, so that a full buffer says nothing about the file.
    const body = inflateSync(packed, { out: scratch });
    return body.byteLength <= maxBytes ? body.slice() : null;
  } catch {
    return null;
  }
}

function concatBytes(slices: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const slice of slices) {
    whole.set(slice, at);
    at += slice.byteLength;
  }
  return whole;
}
