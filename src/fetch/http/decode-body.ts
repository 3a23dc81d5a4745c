// Undoes Content-Encoding, with a cap on what comes out of every step. A few bytes can stand for gigabytes, so the
// decoder is stopped at the cap instead of the result being measured.

import { Buffer } from 'node:buffer';
import { codecFor, type Codec, type CodecOptions } from '../codecs.ts';
import { errorCode } from '../error-code.ts';

export type DecodedBody =
  | { readonly kind: 'decoded'; readonly body: Uint8Array; readonly truncated: boolean }
  | { readonly kind: 'undecodable'; readonly because: Undecodable };

type Undecodable = 'unsupported-encoding' | 'incomplete-body' | 'bad-encoding' | 'too-large';

export interface DecodeLimits {
  readonly maxBodyBytes: number;
  readonly maxEncodings: number;
  /** What the caller wants at most: more is cut, not refused. */
  readonly cutAtBytes: number | undefined;
  /** The end of the wire bytes is missing already, because of that. */
  readonly wireIsCut: boolean;
}

/** Up to here decoding on the spot is cheaper than a turn through the thread pool, and short enough not to be felt. */
const SYNC_BYTES = 262_144;

export async function decodeBody(
  wire: Uint8Array,
  encodings: readonly string[],
  limits: DecodeLimits,
): Promise<DecodedBody> {
  if (encodings.length > limits.maxEncodings) return { kind: 'undecodable', because: 'unsupported-encoding' };
  let body = wire;
  let truncated = limits.wireIsCut;
  for (const [i, name] of encodings.toReversed().entries()) {
    if (body.length === 0) break;
    const codec = codecFor(name, body);
    if (codec === null) return { kind: 'undecodable', because: 'unsupported-encoding' };
    if (codec === 'plain') continue;
    const isLast = i + 1 === encodings.length;
    const cutAt = isLast ? limits.cutAtBytes : undefined;
    const step = truncated
      ? await startOf(codec, body, cutAt ?? limits.maxBodyBytes)
      : await wholeOrStart(codec, body, limits.maxBodyBytes, cutAt);
    if (step.kind === 'undecodable') return step;
    ({ body } = step);
    truncated ||= step.truncated;
  }
  return cutTo(limits.cutAtBytes, body, truncated);
}

async function wholeOrStart(
  codec: Codec,
  body: Uint8Array,
  maxBytes: number,
  cutAt: number | undefined,
): Promise<DecodedBody> {
  try {
    const decoded = await whole(codec, body, cutAt ?? maxBytes);
    return { kind: 'decoded', body: decoded, truncated: false };
  } catch (error) {
    const because = reasonOf(error);
    if (because === 'too-large' && cutAt !== undefined) return startOf(codec, body, cutAt);
    return { kind: 'undecodable', because };
  }
}

async function whole(codec: Codec, body: Uint8Array, maxOutputLength: number): Promise<Uint8Array> {
  const options: CodecOptions = {
    maxOutputLength,
    chunkSize: Math.min(Math.max(65_536, body.length * 8), 262_144),
    ...(codec.params === undefined ? {} : { params: codec.params }),
  };
  return body.length <= SYNC_BYTES ? codec.sync(body, options) : codec.async(body, options);
}

/** The first bytes of what a stream holds, however it ends. */
function startOf(codec: Codec, body: Uint8Array, bytes: number): Promise<DecodedBody> {
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

function cutTo(cutAt: number | undefined, body: Uint8Array, truncated: boolean): DecodedBody {
  if (cutAt === undefined || body.length <= cutAt) return { kind: 'decoded', body, truncated };
  return { kind: 'decoded', body: body.subarray(0, cutAt), truncated: true };
}

function reasonOf(error: unknown): Undecodable {
  const code = errorCode(error);
  if (code === 'ERR_BUFFER_TOO_LARGE' || code.includes('windowTooLarge')) return 'too-large';
  return code === 'Z_BUF_ERROR' || code.includes('UNEXPECTED_END') ? 'incomplete-body' : 'bad-encoding';
}
