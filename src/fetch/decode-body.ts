// Undoes Content-Encoding, with a cap on what comes out of every step. A few bytes can stand for gigabytes, so the
// decoder is stopped at the cap instead of the result being measured.

import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import {
  brotliDecompress,
  brotliDecompressSync,
  constants,
  gunzip,
  gunzipSync,
  inflate,
  inflateRaw,
  inflateRawSync,
  inflateSync,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib';
import { errorCode } from './error-code.ts';

export type DecodedBody =
  | { readonly kind: 'decoded'; readonly body: Uint8Array }
  | {
      readonly kind: 'undecodable';
      readonly because: 'unsupported-encoding' | 'incomplete-body' | 'bad-encoding' | 'too-large';
    };

interface Options {
  readonly maxOutputLength: number;
  readonly chunkSize: number;
  readonly params?: Record<number, number>;
}

interface Codec {
  readonly sync: (body: Uint8Array, options: Options) => Uint8Array;
  readonly async: (body: Uint8Array, options: Options) => Promise<Uint8Array>;
  readonly params?: Record<number, number>;
}

const gzip: Codec = { sync: gunzipSync, async: promisify(gunzip) };
const zlib: Codec = { sync: inflateSync, async: promisify(inflate) };
const rawDeflate: Codec = { sync: inflateRawSync, async: promisify(inflateRaw) };
const brotli: Codec = { sync: brotliDecompressSync, async: promisify(brotliDecompress) };
/** A window of 8 MiB, which is what the format asks every reader to bear. */
const zstd: Codec = {
  sync: zstdDecompressSync,
  async: promisify(zstdDecompress),
  params: { [constants.ZSTD_d_windowLogMax]: 23 },
};

/** Up to here decoding on the spot is cheaper than a turn through the thread pool, and short enough not to be felt. */
const SYNC_BYTES = 262_144;

/** The names in the order in which the server applied them. `identity` and empty names are left out. */
export function encodingsOf(header: string | undefined): readonly string[] {
  if (header === undefined) return [];
  return header
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
}

export async function decodeBody(
  wire: Uint8Array,
  encodings: readonly string[],
  limits: { readonly maxBodyBytes: number; readonly maxEncodings: number },
): Promise<DecodedBody> {
  if (encodings.length > limits.maxEncodings) return { kind: 'undecodable', because: 'unsupported-encoding' };
  let body = wire;
  for (const name of encodings.toReversed()) {
    if (body.length === 0) break;
    const codec = codecFor(name, body);
    if (codec === null) return { kind: 'undecodable', because: 'unsupported-encoding' };
    if (codec === 'plain') continue;
    try {
      body = await decodeStep(codec, body, limits.maxBodyBytes);
    } catch (error) {
      return { kind: 'undecodable', because: reasonOf(error) };
    }
  }
  return { kind: 'decoded', body };
}

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

async function decodeStep(codec: Codec, body: Uint8Array, maxOutputLength: number): Promise<Uint8Array> {
  const options: Options = {
    maxOutputLength,
    chunkSize: Math.min(Math.max(16_384, body.length * 4), 262_144, Math.max(64, maxOutputLength)),
    ...(codec.params === undefined ? {} : { params: codec.params }),
  };
  return body.length <= SYNC_BYTES ? codec.sync(body, options) : codec.async(body, options);
}

function reasonOf(error: unknown): 'incomplete-body' | 'bad-encoding' | 'too-large' {
  const code = errorCode(error);
  if (code === 'ERR_BUFFER_TOO_LARGE' || code.includes('frameParameter_windowTooLarge')) return 'too-large';
  return code === 'Z_BUF_ERROR' || code.includes('UNEXPECTED_END') ? 'incomplete-body' : 'bad-encoding';
}
