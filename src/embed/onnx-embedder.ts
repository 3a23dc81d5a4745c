// Embeds with a local ONNX model in worker threads.

import { pinakesError } from '../core/model/errors.ts';
import { type LocalModel, spaceOfModel } from '../core/vector/local-model.ts';
import { createThreadPool } from '../platform/thread-pool.ts';
import { startThread, type Thread, threadEntryUrl, type ThreadFault } from '../platform/worker-thread.ts';
import type { OnnxContract, OnnxThreadData } from './onnx-thread.ts';
import type { EmbedHealth, Embedder, EmbedOutcome } from './port.ts';

export interface OnnxEmbedderOptions extends OnnxThreadData {
  readonly threads: number;
}

/** Few enough that a query, which overtakes all waiting jobs, does not wait long for a thread. */
const TEXTS_PER_JOB = 8;
/** Measured on English documentation; an estimate is enough here. */
const CHARS_PER_TOKEN = 3.6;
/** The tokenizer takes most of it; the model is outside the heap. */
const MAX_HEAP_MB = 1024;
const REJECTED: EmbedOutcome = { kind: 'refused', reason: 'the model cannot embed this text' };

export function createOnnxEmbedder({ folder, model, threads }: OnnxEmbedderOptions): Embedder {
  const start = (): Thread<OnnxContract> => startOnnxThread({ folder, model });
  const closedError = (): Error => unavailable(model, 'it was closed');
  const pool = createThreadPool({ maxThreads: threads, start, idleMs: Infinity, closedError });
  let health: EmbedHealth = { state: 'ready', reason: null };

  async function run(texts: readonly string[], isUrgent: boolean, signal?: AbortSignal): Promise<EmbedOutcome[]> {
    try {
      const { vectors, missing } = await pool.call(texts, { isUrgent, signal });
      health = { state: 'ready', reason: null };
      return texts.map((_, at) => {
        if (missing.includes(at)) return REJECTED;
        return { kind: 'embedded', vector: vectors.slice(at * model.dimensions, (at + 1) * model.dimensions) };
      });
    } catch (error) {
      if (signal?.aborted !== true)
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
        run(prefixed.slice(i * TEXTS_PER_JOB, (i + 1) * TEXTS_PER_JOB), role === 'query', signal),
      );
      return (await Promise.all(jobs)).flat();
    },
    health: () => health,
    close: () => pool.close(),
  };
}

function startOnnxThread(data: OnnxThreadData): Thread<OnnxContract> {
  return startThread<OnnxContract>({
    name: 'embed',
    entry: threadEntryUrl('onnx-thread', import.meta.url),
    data,
    // The thread needs no settings, and must not see API keys.
    env: 'none',
    maxHeapMb: MAX_HEAP_MB,
    // It ends after the text that it is embedding.
    endMs: Infinity,
    neverTerminate: true,
    errorOf: (fault) => (fault.kind === 'failed' ? fault.error : unavailable(data.model, reasonOf(fault))),
  });
}

function reasonOf(fault: ThreadFault): string {
  if (fault.kind === 'crashed' || fault.kind === 'memory') return fault.error.message;
  return fault.kind === 'closed' ? 'it was closed' : 'its thread exited';
}

function unavailable({ name }: LocalModel, reason: string): Error {
  return pinakesError('embed.unavailable', { model: name, reason });
}
