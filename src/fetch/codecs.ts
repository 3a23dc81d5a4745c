// The content codings that are read, each with its ways to decode.

import { isUtf8 } from 'node:buffer';
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliDecompress,
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzip,
  gunzipSync,
  inflate,
  inflateRaw,
  inflateRawSync,
  inflateSync,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib';

export interface CodecOptions {
  readonly maxOutputLength: number;
  readonly chunkSize: number;
  readonly params?: Record<number, number>;
}

export interface Codec {
  readonly sync: (body: Uint8Array, options: CodecOptions) => Uint8Array;
  readonly async: (body: Uint8Array, options: CodecOptions) => Promise<Uint8Array>;
  readonly stream: () => Transform;
  readonly params?: Record<number, number>;
}

const gzip: Codec = { sync: gunzipSync, async: promisify(gunzip), stream: () => createGunzip() };
const zlib: Codec = { sync: inflateSync, async: promisify(inflate), stream: () => createInflate() };
const rawDeflate: Codec = { sync: inflateRawSync, async: promisify(inflateRaw), stream: () => createInflateRaw() };
const brotli: Codec = {
  sync: brotliDecompressSync,
  async: promisify(brotliDecompress),
  stream: () => createBrotliDecompress(),
};
/** A window of 8 MiB, which is what the format asks every reader to bear. */
const ZSTD_PARAMS = { [constants.ZSTD_d_windowLogMax]: 23 };
const zstd: Codec = {
  sync: zstdDecompressSync,
  async: promisify(zstdDecompress),
  stream: () => createZstdDecompress({ params: ZSTD_PARAMS }),
  params: ZSTD_PARAMS,
};

/** The names in the order in which the server applied them. `identity` and empty names are left out. */
export function encodingsOf(header: string | undefined): readonly string[] {
  if (header === undefined) return [];
  return header
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
}

/** Null: no codec has this name. `plain`: the body is not encoded at all, whatever the header says. */
export function codecFor(name: string, body: Uint8Array): Codec | 'plain' | null {
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      // Some servers say gzip and send plain text.
      return body[0] !== 0x1f && isUtf8(body) ? 'plain' : gzip;
    case 'deflate':
      // The name means the zlib format; many servers send the bare stream.
      return ((body[0] ?? 0) & 0x0f) === 8 ? zlib : rawDeflate;
    case 'br':
      return brotli;
    case 'zstd':
      return zstd;
    default:
      return null;
  }
}
