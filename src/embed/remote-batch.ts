// Embeds one batch of texts with a server. A batch that the server rejects is halved until the bad text is alone; a single
// long text is truncated.

import { pinakesError, type PinakesError } from '../core/model/errors.ts';
import { normalize } from '../core/vector/pool-tokens.ts';
import type { EmbedOutcome, SendRequest, ServerOutcome } from './port.ts';
import type { RemoteProtocol } from './remote-protocols.ts';

export interface RemoteTarget {
  readonly sendRequest: SendRequest;
  readonly protocol: RemoteProtocol;
  /** URL without a trailing slash. */
  readonly base: string;
  readonly model: string;
  /** Contains the API key: never logged, never part of an error. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null accepts any. */
  readonly dimensions: number | null;
}

/** Statuses that blame the texts: too large, too many, invalid. */
const BAD_TEXT: ReadonlySet<number> = new Set([400, 413, 422]);
const MIN_TRUNCATED_CHARS = 200;

export async function embedBatch(
  texts: readonly string[],
  target: RemoteTarget,
  signal?: AbortSignal,
): Promise<EmbedOutcome[]> {
  const json = target.protocol.requestBody(texts, target.model);
  const { protocol, base, headers } = target;
  const outcome = await target.sendRequest({ url: `${base}${protocol.path}`, json, headers }, signal);
  if (outcome.kind === 'answered' && BAD_TEXT.has(outcome.status))
    return splitOrTruncate(texts, target, outcome.status, signal);
  const vectors = protocol.parseVectors(parseResponse(outcome, target));
  if (vectors === null || vectors.length !== texts.length)
    throw unavailable(target, 'its response does not have one vector per text');
  return vectors.map((vector) => toOutcome(vector, target));
}

async function splitOrTruncate(
  texts: readonly string[],
  target: RemoteTarget,
  status: number,
  signal?: AbortSignal,
): Promise<EmbedOutcome[]> {
  const [text = ''] = texts;
  if (texts.length > 1) {
    const half = Math.ceil(texts.length / 2);
    const first = await embedBatch(texts.slice(0, half), target, signal);
    return [...first, ...(await embedBatch(texts.slice(half), target, signal))];
  }
  if (text.length > MIN_TRUNCATED_CHARS) return embedBatch([text.slice(0, text.length / 2)], target, signal);
  return [{ kind: 'refused', reason: `the server responded with ${status} to this text` }];
}

function toOutcome(vector: readonly number[], { dimensions, model }: RemoteTarget): EmbedOutcome {
  if (dimensions !== null && vector.length !== dimensions)
    throw pinakesError('embed.dimensions', { model, found: vector.length, expected: dimensions });
  const values = Float32Array.from(vector);
  return values.every(Number.isFinite)
    ? { kind: 'embedded', vector: normalize(values) }
    : { kind: 'refused', reason: 'the server returned a vector with invalid numbers' };
}

function parseResponse(outcome: ServerOutcome, target: RemoteTarget): unknown {
  if (outcome.kind === 'unanswered') throw requestFailed(outcome, target);
  const { status, body, retryAfterMs } = outcome;
  const server = target.base;
  if (status === 429 || (status === 503 && retryAfterMs !== null))
    throw pinakesError('embed.throttled', { server, waitMs: retryAfterMs ?? 0 });
  if (status >= 500 || status === 408 || status === 425) throw unavailable(target, `it responded with ${status}`);
  if (status !== 200) throw pinakesError('embed.rejected', { server, reason: `it responded with ${status}` });
  try {
    return JSON.parse(body);
  } catch {
    throw unavailable(target, 'its response is not JSON');
  }
}

function requestFailed(outcome: ServerOutcome & { readonly kind: 'unanswered' }, target: RemoteTarget): PinakesError {
  const { reason, isTimeout, retryable } = outcome;
  if (isTimeout) return pinakesError('embed.timeout', { server: target.base, reason });
  return retryable ? unavailable(target, reason) : pinakesError('embed.rejected', { server: target.base, reason });
}

function unavailable({ base }: RemoteTarget, reason: string): PinakesError {
  return pinakesError('embed.unavailable', { model: base, reason });
}
