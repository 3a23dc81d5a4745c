// Keeps the bytes of a page small, for extracting them again without the network.

import { constants, inflateSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { StoredBody } from '../../store/port.ts';

const WORTH_COMPRESSING = 512;
/** Every page is packed once and seldom read again: time counts more than bytes. */
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export function storedBody(bytes: Uint8Array): StoredBody {
  if (bytes.byteLength < WORTH_COMPRESSING) return { encoding: 'identity', bytes };
  return { encoding: 'zstd', bytes: zstdCompressSync(bytes, FAST) };
}

/** A copy: whoever reads it may hand it to a thread. */
export function bytesOfBody({ encoding, bytes }: StoredBody): Uint8Array {
  switch (encoding) {
    case 'identity':
      return Uint8Array.from(bytes);
    case 'zstd':
      return zstdDecompressSync(bytes);
    case 'deflate':
      return inflateSync(bytes);
  }
}
