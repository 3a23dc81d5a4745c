// Embeds with a server: text-embeddings-inference, one that speaks OpenAI's protocol, or Ollama.

import { pinakesError } from '../core/model/errors.ts';
import { batchByTokens } from '../core/vector/batch-by-tokens.ts';
import { TEXT_FORM } from '../core/vector/passage-text.ts';
import type { SpaceSettings } from '../core/vector/space.ts';
import type { AskServer, EmbedHealth, Embedder, EmbedOutcome } from './port.ts';
import { askAbout } from './remote-about.ts';
import { embedBatch, type RemoteTarget } from './remote-batch.ts';
import { remoteProtocols, type ProtocolName } from './remote-protocols.ts';

export interface RemoteEmbedderOptions {
  readonly protocol: ProtocolName;
  readonly url: string;
  readonly model: string;
  /** Sent as a bearer token; null sends none. */
  readonly key: string | null;
  /** Null asks the server once. */
  readonly dimensions: number | null;
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  readonly maxTokens: number;
  readonly maxBatchRows: number;
  readonly maxBatchTokens: number;
  readonly ask: AskServer;
}

const CHARS_A_TOKEN = 3.6;
/** Somebody waits for the vector of a question; a passage can wait as long as a server may take. */
const QUESTION_MS = 3000;
const OPENING_MS = 10_000;
/** No token is longer; cut here, so that a text of megabytes does not travel. */
const MOST_CHARS_A_TOKEN = 8;

/** Asks the server who it is and how long its vectors are, so that the space has its name before the first vector. */
export async function openRemoteEmbedder(options: RemoteEmbedderOptions, signal?: AbortSignal): Promise<Embedder> {
  const headers: Record<string, string> = options.key === null ? {} : { authorization: `Bearer ${options.key}` };
  const base = options.url.replace(/\/+$/, '');
  const { ask, model } = options;
  const inTime = limited(signal, OPENING_MS);
  const about = await askAbout(options.protocol, { ask, base, model, headers }, inTime);
  const protocol = remoteProtocols[options.protocol];
  const target: RemoteTarget = { ask, protocol, base, model, headers, dimensions: options.dimensions };
  const dimensions = options.dimensions ?? (await lengthOfVectors(target, inTime).catch(orLate(base, inTime, signal)));
  const space: SpaceSettings = {
    model: about.model ?? model,
    revision: about.revision ?? '',
    dtype: about.dtype ?? 'server',
    pooling: about.pooling ?? 'server',
    queryPrefix: options.queryPrefix,
    passagePrefix: options.passagePrefix,
    textForm: TEXT_FORM,
    maxTokens: about.maxTokens ?? options.maxTokens,
    dimensions,
  };
  return createRemoteEmbedder(options, space, { ...target, dimensions });
}

async function lengthOfVectors(target: RemoteTarget, signal?: AbortSignal): Promise<number> {
  const [probe] = await embedBatch(['How long is a vector?'], target, signal);
  return probe?.kind === 'embedded' ? probe.vector.length : 0;
}

function createRemoteEmbedder(options: RemoteEmbedderOptions, space: SpaceSettings, target: RemoteTarget): Embedder {
  let health: EmbedHealth = { state: 'ready', reason: null };
  const limits = { maxRows: options.maxBatchRows, maxTokens: options.maxBatchTokens };
  const countTokens = (text: string): number => Math.min(space.maxTokens, Math.ceil(text.length / CHARS_A_TOKEN));
  const longest = space.maxTokens * MOST_CHARS_A_TOKEN;

  return {
    space,
    countTokens,
    async embed(texts, role, signal) {
      signal?.throwIfAborted();
      const prefix = role === 'query' ? space.queryPrefix : space.passagePrefix;
      const ready = texts.map((text) => prefix + text.slice(0, longest));
      const outcomes = new Map<number, EmbedOutcome>();
      const inTime = role === 'query' ? limited(signal, QUESTION_MS) : signal;
      try {
        for (const batch of batchByTokens(ready.map(countTokens), limits)) {
          const done = await embedBatch(
            batch.map((at) => ready[at] ?? ''),
            target,
            inTime,
          ).catch(orLate(target.base, inTime, signal));
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

const MISSING: EmbedOutcome = { kind: 'refused', reason: 'the server left this text out' };

function limited(signal: AbortSignal | undefined, ms: number): AbortSignal {
  const late = AbortSignal.timeout(ms);
  return signal === undefined ? late : AbortSignal.any([signal, late]);
}

/** Time that ran out is the server's failure; an end that the caller wished is not. */
function orLate(server: string, inTime?: AbortSignal, asked?: AbortSignal): (error: unknown) => never {
  return (error) => {
    if (inTime?.aborted !== true || asked?.aborted === true) throw error;
    throw pinakesError('embed.timeout', { server, why: 'it took too long' }, error);
  };
}
