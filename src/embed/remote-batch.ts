// One batch of texts to a server, and what came of it. Where the server refuses a batch, it is halved until the bad text
// stands alone; where it refuses one long text, the text is cut.

import { pinakesError, type PinakesError } from '../core/model/errors.ts';
import { normalised } from '../core/vector/pool-tokens.ts';
import type { AskServer, EmbedOutcome, ServerOutcome } from './port.ts';
import type { RemoteProtocol } from './remote-protocols.ts';

export interface RemoteTarget {
  readonly ask: AskServer;
  readonly protocol: RemoteProtocol;
  /** Without a slash at the end. */
  readonly base: string;
  readonly model: string;
  /** The key stands in here: never logged, never part of an error. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null takes what comes. */
  readonly dimensions: number | null;
}

/** Statuses that speak of the texts: too large, too many, not understood. */
const BAD_TEXT: ReadonlySet<number> = new Set([400, 413, 422]);
const SHORTEST_CUT = 200;

export async function embedBatch(
  texts: readonly string[],
  target: RemoteTarget,
  signal?: AbortSignal,
): Promise<EmbedOutcome[]> {
  const json = target.protocol.question(texts, target.model);
  const { protocol, base, headers } = target;
  const outcome = await target.ask({ url: `${base}${protocol.path}`, json, headers }, signal);
  if (outcome.kind === 'answered' && BAD_TEXT.has(outcome.status))
    return smaller(texts, target, outcome.status, signal);
  const vectors = protocol.vectorsOf(jsonOf(outcome, target));
  if (vectors === null || vectors.length !== texts.length)
    throw unavailable(target, 'its answer is not one vector for each text');
  return vectors.map((vector) => outcomeOf(vector, target));
}

async function smaller(
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
  if (text.length > SHORTEST_CUT) return embedBatch([text.slice(0, text.length / 2)], target, signal);
  return [{ kind: 'refused', reason: `the server answered ${status} to this text` }];
}

function outcomeOf(vector: readonly number[], { dimensions, model }: RemoteTarget): EmbedOutcome {
  if (dimensions !== null && vector.length !== dimensions)
    throw pinakesError('embed.dimensions', { model, found: vector.length, wanted: dimensions });
  const values = Float32Array.from(vector);
  return values.every(Number.isFinite)
    ? { kind: 'embedded', vector: normalised(values) }
    : { kind: 'refused', reason: 'the server answered with what is not a number' };
}

function jsonOf(outcome: ServerOutcome, target: RemoteTarget): unknown {
  if (outcome.kind === 'unanswered') throw unanswered(outcome, target);
  const { status, body, retryAfterMs } = outcome;
  const server = target.base;
  if (status === 429 || (status === 503 && retryAfterMs !== null))
    throw pinakesError('embed.throttled', { server, waitMs: retryAfterMs ?? 0 });
  if (status >= 500 || status === 408 || status === 425) throw unavailable(target, `it answered ${status}`);
  if (status !== 200) throw pinakesError('embed.refused', { server, why: `it answered ${status}` });
  try {
    return JSON.parse(body);
  } catch {
    throw unavailable(target, 'its answer is not JSON');
  }
}

function unanswered(outcome: ServerOutcome & { readonly kind: 'unanswered' }, target: RemoteTarget): PinakesError {
  const { reason, isTimeout, retryable } = outcome;
  if (isTimeout) return pinakesError('embed.timeout', { server: target.base, why: reason });
  return retryable ? unavailable(target, reason) : pinakesError('embed.refused', { server: target.base, why: reason });
}

function unavailable({ base }: RemoteTarget, why: string): PinakesError {
  return pinakesError('embed.unavailable', { model: base, why });
}
