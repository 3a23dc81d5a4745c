// The body of a page as it is stored, so that it can be extracted again without the network.

import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

export interface StoredBody {
  readonly encoding: 'identity' | 'zstd';
  readonly bytes: Uint8Array;
}

const MIN_COMPRESSED_BYTES = 512;
/** Every page is compressed once and rarely read: speed counts more than size. */
const FAST_ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export function compressBody(bytes: Uint8Array): StoredBody {
  if (bytes.byteLength < MIN_COMPRESSED_BYTES) return { encoding: 'identity', bytes };
  return { encoding: 'zstd', bytes: zstdCompressSync(bytes, FAST_ZSTD) };
}

/** A copy, so that the caller may transfer it to a thread. */
export function decompressBody({ encoding, bytes }: StoredBody): Uint8Array {
  return encoding === 'identity' ? Uint8Array.from(bytes) : zstdDecompressSync(bytes);
}
