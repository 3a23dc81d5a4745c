// Keeps the bytes of a page small, for extracting them again without the network.

import { zstdCompressSync } from 'node:zlib';
import type { StoredBody } from '../store/port.ts';

const WORTH_COMPRESSING = 512;

export function storedBody(bytes: Uint8Array): StoredBody {
  if (bytes.byteLength < WORTH_COMPRESSING) return { encoding: 'identity', bytes };
  return { encoding: 'zstd', bytes: zstdCompressSync(bytes) };
}
