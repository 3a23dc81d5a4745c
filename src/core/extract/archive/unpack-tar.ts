// Decompresses a tar archive into a reader, within a limit that is counted while decompressing, never taken from a header.

import { pinakesError } from '../../model/errors.ts';
import { createDecompressor } from './gunzip.ts';
import type { TarReader } from './tar-reader.ts';

/** Small archives of zeros exceed any sensible ratio and are harmless. */
const MIN_RATIO_CHECK_BYTES = 1024 * 1024;

/** The unpacked size limit of an archive, for a maximum ratio of unpacked to packed bytes. */
export function ratioLimit(archive: Uint8Array, maxRatio: number): number {
  return Math.max(archive.byteLength * maxRatio, MIN_RATIO_CHECK_BYTES);
}

export interface UnpackOptions {
  /** For errors. */
  readonly name: string;
  readonly maxBytes: number;
}

/** An uncompressed archive passes through as it is. Throws `archive.bomb` as soon as the limit is exceeded, and `extract.malformed`. */
export function unpackTar(archive: Uint8Array, reader: TarReader, options: UnpackOptions): void {
  for (const _ of unpackInSteps(archive, reader, options));
}

const STEP_BYTES = 262_144;

/** Like `unpackTar`, in steps of some milliseconds, between which the caller can yield to the event loop. */
export function* unpackInSteps(
  archive: Uint8Array,
  reader: TarReader,
  { name, maxBytes }: UnpackOptions,
): Generator<void> {
  const state: { failure: unknown } = { failure: null };
  // The decompressor treats any exception of a callback as a fault in its input.
  const decompressor = createDecompressor(maxBytes, (slice) => {
    try {
      if (state.failure === null) reader.push(slice);
    } catch (error) {
      state.failure = error;
    }
  });
  const isOver = (): boolean => state.failure !== null || decompressor.stopped() !== null;
  for (let at = 0; at < archive.length && !isOver(); at += STEP_BYTES) {
    decompressor.push(archive.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= archive.length);
    yield;
  }
  if (state.failure !== null) throw state.failure;
  if (decompressor.stopped() === 'too-large') throw pinakesError('archive.bomb', { name });
  if (decompressor.stopped() !== null) throw pinakesError('extract.malformed', { url: name, as: 'gzip archive' });
  reader.end();
}
