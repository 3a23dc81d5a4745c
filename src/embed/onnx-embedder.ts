// Embeds with a model on this machine, in threads of its own.

import { spaceOfModel } from '../core/vector/local-model.ts';
import { createOnnxPool } from './onnx-pool.ts';
import type { OnnxThreadData } from './onnx-thread.ts';
import type { EmbedHealth, Embedder, EmbedOutcome } from './port.ts';

export interface OnnxEmbedderOptions extends OnnxThreadData {
  readonly threads: number;
}

/** Texts of one job: few enough that a question, which passes all waiting jobs, does not wait long for a thread. */
const JOB_TEXTS = 8;
/** Measured on English documentation; a guess is enough here. */
const CHARS_A_TOKEN = 3.6;
const REFUSED: EmbedOutcome = { kind: 'refused', reason: 'the model cannot take this text' };

export function createOnnxEmbedder({ folder, model, threads }: OnnxEmbedderOptions): Embedder {
  const pool = createOnnxPool(threads, { folder, model });
  let health: EmbedHealth = { state: 'ready', reason: null };

  async function run(texts: readonly string[], isUrgent: boolean): Promise<EmbedOutcome[]> {
    try {
      const vectors = await pool.run(texts, isUrgent);
      health = { state: 'ready', reason: null };
      return vectors.map((vector) => (vector === null ? REFUSED : { kind: 'embedded', vector }));
    } catch (error) {
      health = { state: 'failing', reason: error instanceof Error ? error.message : String(error) };
      throw error;
    }
  }

  return {
    space: spaceOfModel(model),
    countTokens: (text) => Math.min(model.maxTokens, Math.ceil(text.length / CHARS_A_TOKEN)),
    async embed(texts, role, signal) {
      signal?.throwIfAborted();
      const prefix = role === 'query' ? model.queryPrefix : model.passagePrefix;
      const ready = texts.map((text) => prefix + text);
      const jobs = Array.from({ length: Math.ceil(ready.length / JOB_TEXTS) }, (_, i) =>
        run(ready.slice(i * JOB_TEXTS, (i + 1) * JOB_TEXTS), role === 'query'),
      );
      return (await unlessAborted(Promise.all(jobs), signal)).flat();
    },
    health: () => health,
    close: () => pool.close(),
  };
}

/** The thread finishes what it has begun; nobody waits for it any more. */
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
