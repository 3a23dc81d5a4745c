// Keeps the bytes of a page small, for extracting them again without the network.

import { constants, zstdCompressSync } from 'node:zlib';
import type { StoredBody } from '../store/port.ts';

const WORTH_COMPRESSING = 512;
/** Every page is packed once and seldom read again: time counts more than bytes. */
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export function storedBody(bytes: Uint8Array): StoredBody {
  if (bytes.byteLength < WORTH_COMPRESSING) return { encoding: 'identity', bytes };
  return { encoding: 'zstd', bytes: zstdCompressSync(bytes, FAST) };
}
