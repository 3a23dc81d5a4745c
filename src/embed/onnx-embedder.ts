// Embeds with a local ONNX model in worker threads.

import { spaceOfModel } from '../core/vector/local-model.ts';
import { createOnnxPool } from './onnx-pool.ts';
import type { OnnxThreadData } from './onnx-thread.ts';
import type { EmbedHealth, Embedder, EmbedOutcome } from './port.ts';

export interface OnnxEmbedderOptions extends OnnxThreadData {
  readonly threads: number;
}

/** Few enough that a query, which overtakes all waiting jobs, does not wait long for a thread. */
const TEXTS_PER_JOB = 8;
/** Measured on English documentation; an estimate is enough here. */
const CHARS_PER_TOKEN = 3.6;
const REJECTED: EmbedOutcome = { kind: 'refused', reason: 'the model cannot embed this text' };

export function createOnnxEmbedder({ folder, model, threads }: OnnxEmbedderOptions): Embedder {
  const pool = createOnnxPool(threads, { folder, model });
  let health: EmbedHealth = { state: 'ready', reason: null };

  async function run(texts: readonly string[], isUrgent: boolean): Promise<EmbedOutcome[]> {
    try {
      const vectors = await pool.run(texts, isUrgent);
      health = { state: 'ready', reason: null };
      return vectors.map((vector) => (vector === null ? REJECTED : { kind: 'embedded', vector }));
    } catch (error) {
      health = { state: 'failing', reason: error instanceof Error ? error.message : String(error) };
      throw error;
    }
  }

  return {
    space: spaceOfModel(model),
    countTokens: (text) => Math.min(model.maxTokens, Math.ceil(text.length / CHARS_PER_TOKEN)),
    async embed(texts, role, signal) {
      signal?.throwIfAborted();
      const prefix = role === 'query' ? model.queryPrefix : model.passagePrefix;
      const prefixed = texts.map((text) => prefix + text);
      const jobs = Array.from({ length: Math.ceil(prefixed.length / TEXTS_PER_JOB) }, (_, i) =>
        run(prefixed.slice(i * TEXTS_PER_JOB, (i + 1) * TEXTS_PER_JOB), role === 'query'),
      );
      return (await unlessAborted(Promise.all(jobs), signal)).flat();
    },
    health: () => health,
    close: () => pool.close(),
  };
}

/** The thread finishes its job, but its result is discarded. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
