// Decodes Content-Encoding, with a cap on the output of every step. A few bytes can expand to gigabytes, so decoding
// stops at the cap instead of measuring the result.

import { Buffer, isUtf8 } from 'node:buffer';
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
import { errorCode } from '../system-error-code.ts';

export type DecodedBody =
  | { readonly kind: 'decoded'; readonly body: Uint8Array; readonly truncated: boolean }
  | { readonly kind: 'undecodable'; readonly reason: Undecodable };

type Undecodable = 'unsupported-encoding' | 'incomplete-body' | 'bad-encoding' | 'too-large';

export interface DecodeLimits {
  readonly maxBodyBytes: number;
  readonly maxEncodings: number;
  /** What the caller wants at most; a longer body is truncated, not rejected. */
  readonly cutAtBytes: number | undefined;
  /** The end of the wire bytes is already missing because of `cutAtBytes`. */
  readonly wireIsCut: boolean;
}

/**
 * Up to this size, decoding synchronously is cheaper than a round trip through the thread pool, and too short to be
 * noticed.
 */
const SYNC_BYTES = 262_144;

export async function decodeWireBody(
  wire: Uint8Array,
  encodings: readonly string[],
  limits: DecodeLimits,
): Promise<DecodedBody> {
  if (encodings.length > limits.maxEncodings) return { kind: 'undecodable', reason: 'unsupported-encoding' };
  let body = wire;
  let truncated = limits.wireIsCut;
  for (const [i, name] of encodings.toReversed().entries()) {
    if (body.length === 0) break;
    const codec = codecFor(name, body);
    if (codec === null) return { kind: 'undecodable', reason: 'unsupported-encoding' };
    if (codec === 'plain') continue;
    const isLast = i + 1 === encodings.length;
    const cutAt = isLast ? limits.cutAtBytes : undefined;
    const step = truncated
      ? await decodeStart(codec, body, cutAt ?? limits.maxBodyBytes)
      : await decodeWholeOrStart(codec, body, limits.maxBodyBytes, cutAt);
    if (step.kind === 'undecodable') return step;
    ({ body } = step);
    truncated ||= step.truncated;
  }
  return truncateTo(limits.cutAtBytes, body, truncated);
}

async function decodeWholeOrStart(
  codec: Codec,
  body: Uint8Array,
  maxBytes: number,
  cutAt: number | undefined,
): Promise<DecodedBody> {
  try {
    const decoded = await decodeWhole(codec, body, cutAt ?? maxBytes);
    return { kind: 'decoded', body: decoded, truncated: false };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === 'too-large' && cutAt !== undefined) return decodeStart(codec, body, cutAt);
    return { kind: 'undecodable', reason };
  }
}

async function decodeWhole(codec: Codec, body: Uint8Array, maxOutputLength: number): Promise<Uint8Array> {
  const options: CodecOptions = {
    maxOutputLength,
    chunkSize: Math.min(Math.max(65_536, body.length * 8), 262_144),
    ...(codec.params === undefined ? {} : { params: codec.params }),
  };
  return body.length <= SYNC_BYTES ? codec.sync(body, options) : codec.async(body, options);
}

/** The first bytes of a stream, however it ends. */
function decodeStart(codec: Codec, body: Uint8Array, bytes: number): Promise<DecodedBody> {
  const { promise, resolve } = Promise.withResolvers<DecodedBody>();
  const stream = codec.stream();
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = (): void => {
    stream.destroy();
    resolve({ kind: 'decoded', body: Buffer.concat(chunks, Math.min(length, bytes)), truncated: true });
  };
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= bytes) finish();
  });
  stream.on('end', finish).on('error', finish);
  stream.end(body);
  return promise;
}

function truncateTo(cutAt: number | undefined, body: Uint8Array, truncated: boolean): DecodedBody {
  if (cutAt === undefined || body.length <= cutAt) return { kind: 'decoded', body, truncated };
  return { kind: 'decoded', body: body.subarray(0, cutAt), truncated: true };
}

function reasonOf(error: unknown): Undecodable {
  const code = errorCode(error);
  if (code === 'ERR_BUFFER_TOO_LARGE' || code.includes('windowTooLarge')) return 'too-large';
  return code === 'Z_BUF_ERROR' || code.includes('UNEXPECTED_END') ? 'incomplete-body' : 'bad-encoding';
}

interface CodecOptions {
  readonly maxOutputLength: number;
  readonly chunkSize: number;
  readonly params?: Record<number, number>;
}

interface Codec {
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
/** A window of 8 MiB, which the format requires every decoder to support. */
const ZSTD_PARAMS = { [constants.ZSTD_d_windowLogMax]: 23 };
const zstd: Codec = {
  sync: zstdDecompressSync,
  async: promisify(zstdDecompress),
  stream: () => createZstdDecompress({ params: ZSTD_PARAMS }),
  params: ZSTD_PARAMS,
};

/** In the order in which the server applied them, without `identity` and empty names. */
export function encodingsOf(header: string | undefined): readonly string[] {
  if (header === undefined) return [];
  return header
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
}

/** Null for an unknown coding. `plain` for a body that is not encoded, whatever the header says. */
function codecFor(name: string, body: Uint8Array): Codec | 'plain' | null {
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      // Some servers declare gzip and send plain text.
      return body[0] !== 0x1f && isUtf8(body) ? 'plain' : gzip;
    case 'deflate':
      // The name means the zlib format; many servers send a raw deflate stream.
      return ((body[0] ?? 0) & 0x0f) === 8 ? zlib : rawDeflate;
    case 'br':
      return brotli;
    case 'zstd':
      return zstd;
    default:
      return null;
  }
}
