// Embeds with a server: text-embeddings-inference, an OpenAI-compatible API, or Ollama.

import { anySignal } from '../core/any-signal.ts';
import { pinakesError } from '../core/model/errors.ts';
import { batchByTokens } from '../core/vector/batch-by-tokens.ts';
import { TEXT_FORMAT_VERSION } from '../core/vector/passage-text.ts';
import type { SpaceSettings } from '../core/vector/space.ts';
import type { EmbedHealth, Embedder, EmbedOutcome, SendRequest } from './port.ts';
import { embedBatch, type RemoteTarget } from './remote-batch.ts';
import { fetchServerInfo, remoteProtocols, type ProtocolName } from './remote-protocols.ts';

export interface RemoteEmbedderOptions {
  readonly protocol: ProtocolName;
  readonly url: string;
  readonly model: string;
  /** Sent as a bearer token; null sends none. */
  readonly key: string | null;
  /** Null probes the server once. */
  readonly dimensions: number | null;
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  readonly maxTokens: number;
  readonly maxBatchRows: number;
  readonly maxBatchTokens: number;
  readonly sendRequest: SendRequest;
}

const CHARS_PER_TOKEN = 3.6;
/** A user waits for the vector of a query; a passage can wait as long as the server takes. */
const QUERY_TIMEOUT_MS = 3000;
const OPEN_TIMEOUT_MS = 10_000;
/** No token is longer. Truncates before sending, so that no megabytes are transferred for nothing. */
const MAX_CHARS_PER_TOKEN = 8;

/** Asks the server for its model and dimensions, so that the space is known before the first vector. */
export async function openRemoteEmbedder(options: RemoteEmbedderOptions, signal?: AbortSignal): Promise<Embedder> {
  const headers: Record<string, string> = options.key === null ? {} : { authorization: `Bearer ${options.key}` };
  const base = options.url.replace(/\/+$/, '');
  const { sendRequest, model } = options;
  const deadline = withTimeout(signal, OPEN_TIMEOUT_MS);
  const info = await fetchServerInfo(options.protocol, { sendRequest, base, model, headers }, deadline);
  const protocol = remoteProtocols[options.protocol];
  const target: RemoteTarget = { sendRequest, protocol, base, model, headers, dimensions: options.dimensions };
  const dimensions =
    options.dimensions ?? (await probeDimensions(target, deadline).catch(asTimeout(base, deadline, signal)));
  const space: SpaceSettings = {
    model: info.model ?? model,
    revision: info.revision ?? '',
    dtype: info.dtype ?? 'server',
    pooling: info.pooling ?? 'server',
    queryPrefix: options.queryPrefix,
    passagePrefix: options.passagePrefix,
    textFormat: TEXT_FORMAT_VERSION,
    maxTokens: info.maxTokens ?? options.maxTokens,
    dimensions,
  };
  return createRemoteEmbedder(options, space, { ...target, dimensions });
}

async function probeDimensions(target: RemoteTarget, signal?: AbortSignal): Promise<number> {
  const [probe] = await embedBatch(['How long is a vector?'], target, signal);
  return probe?.kind === 'embedded' ? probe.vector.length : 0;
}

function createRemoteEmbedder(options: RemoteEmbedderOptions, space: SpaceSettings, target: RemoteTarget): Embedder {
  let health: EmbedHealth = { state: 'ready', reason: null };
  const limits = { maxRows: options.maxBatchRows, maxTokens: options.maxBatchTokens };
  const countTokens = (text: string): number => Math.min(space.maxTokens, Math.ceil(text.length / CHARS_PER_TOKEN));
  const maxChars = space.maxTokens * MAX_CHARS_PER_TOKEN;

  return {
    space,
    countTokens,
    async embed(texts, role, signal) {
      signal?.throwIfAborted();
      const prefix = role === 'query' ? space.queryPrefix : space.passagePrefix;
      const prefixed = texts.map((text) => prefix + text.slice(0, maxChars));
      const outcomes = new Map<number, EmbedOutcome>();
      const deadline = role === 'query' ? withTimeout(signal, QUERY_TIMEOUT_MS) : signal;
      try {
        for (const batch of batchByTokens(prefixed.map(countTokens), limits)) {
          const done = await embedBatch(
            batch.map((at) => prefixed[at] ?? ''),
            target,
            deadline,
          ).catch(asTimeout(target.base, deadline, signal));
          batch.forEach((at, i) => outcomes.set(at, done[i] ?? MISSING));
        }
        health = { state: 'ready', reason: null };
      } catch (error) {
        if (!signal?.aborted) health = { state: 'failing', reason: error instanceof Error ? error.message : 'unknown' };
        throw error;
      }
      return texts.map((_, at) => outcomes.get(at) ?? MISSING);
    },
    health: () => health,
    close: async () => undefined,
  };
}

const MISSING: EmbedOutcome = { kind: 'refused', reason: 'the server returned no vector for this text' };

function withTimeout(signal: AbortSignal | undefined, ms: number): AbortSignal {
  return anySignal(signal, AbortSignal.timeout(ms));
}

/** An expired deadline is the server's failure; an abort by the caller is not. */
function asTimeout(server: string, deadline?: AbortSignal, callerSignal?: AbortSignal): (error: unknown) => never {
  return (error) => {
    if (deadline?.aborted !== true || callerSignal?.aborted === true) throw error;
    throw pinakesError('embed.timeout', { server, reason: 'it took too long' }, error);
  };
}
