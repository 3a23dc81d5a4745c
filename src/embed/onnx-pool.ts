// A pool of embedding threads: starts them on demand, lets queries overtake waiting passages, and drops threads that exited.

import { Worker } from 'node:worker_threads';
import { pinakesError } from '../core/model/errors.ts';
import { threadEntryUrl } from '../platform/worker-thread.ts';
import type { OnnxThreadData, OnnxThreadReply, OnnxThreadRequest } from './onnx-thread.ts';

/** Null for a text that the model cannot embed. */
type JobResult = Array<Float32Array | null>;

interface OnnxPool {
  /** An urgent job overtakes all waiting ones. */
  run(texts: readonly string[], isUrgent: boolean): Promise<JobResult>;
  close(): Promise<void>;
}

interface Job {
  readonly texts: readonly string[];
  readonly resolve: (vectors: JobResult) => void;
  readonly reject: (error: unknown) => void;
}

export function createOnnxPool(maxThreads: number, data: OnnxThreadData): OnnxPool {
  const idle: OnnxThread[] = [];
  const all = new Set<OnnxThread>();
  const waiting: Job[] = [];

  const acquire = (): OnnxThread | null => {
    const thread = idle.pop();
    if (thread !== undefined || all.size >= maxThreads) return thread ?? null;
    const started = startOnnxThread(data);
    all.add(started);
    return started;
  };

  async function runJob(thread: OnnxThread, job: Job): Promise<void> {
    try {
      job.resolve(await thread.run(job.texts));
    } catch (error) {
      job.reject(error);
    }
    if (thread.isAlive()) idle.push(thread);
    else all.delete(thread);
    dispatch();
  }

  function dispatch(): void {
    while (waiting.length > 0) {
      const thread = acquire();
      const job = thread === null ? undefined : waiting.shift();
      if (thread === null || job === undefined) return;
      void runJob(thread, job);
    }
  }

  return {
    run: (texts, isUrgent) =>
      new Promise((resolve, reject) => {
        const job = { texts, resolve, reject };
        if (isUrgent) waiting.unshift(job);
        else waiting.push(job);
        dispatch();
      }),
    async close() {
      for (const job of waiting.splice(0)) job.reject(new Error('the model was closed'));
      await Promise.all([...all].map((thread) => thread.stop()));
    },
  };
}

interface OnnxThread {
  /** One job at a time; null for a text that the model cannot embed. */
  run(texts: readonly string[]): Promise<JobResult>;
  isAlive(): boolean;
  /** Resolves when the thread has exited, after the text that it is embedding. */
  stop(): Promise<void>;
}

function startOnnxThread(data: OnnxThreadData): OnnxThread {
  // The thread needs no settings, and must not see API keys.
  const worker = new Worker(threadEntryUrl('onnx-thread', import.meta.url), {
    name: 'pinakes-embed',
    workerData: data,
    env: {},
    argv: [],
    execArgv: [],
  });
  const post = (request: OnnxThreadRequest): void => worker.postMessage(request, []);
  let job: Job | null = null;
  let hasEnded = false;

  const settle = (finish: (job: Job) => void): void => {
    const current = job;
    job = null;
    if (current !== null) finish(current);
  };
  const fail = (error: Error): void => {
    hasEnded = true;
    settle(({ reject }) => reject(error));
  };
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      fail(unavailable(data, 'its thread exited'));
      resolve();
    });
  });
  worker.on('error', (error) => fail(unavailable(data, error instanceof Error ? error.message : 'its thread crashed')));
  worker.on('message', (reply: OnnxThreadReply) => {
    if (reply.kind === 'done')
      settle(({ resolve, texts }) => resolve(unpackVectors(reply, texts.length, data.model.dimensions)));
    if (reply.kind === 'failed') settle(({ reject }) => reject(pinakesError(reply.code, reply.details)));
  });

  return {
    isAlive: () => !hasEnded,
    run: (texts) =>
      new Promise((resolve, reject) => {
        if (hasEnded) return reject(unavailable(data, 'its thread exited'));
        job = { texts, resolve, reject };
        post({ kind: 'embed', texts });
      }),
    async stop() {
      fail(unavailable(data, 'it was closed'));
      post({ kind: 'end' });
      await exited;
    },
  };
}

function unavailable({ model }: OnnxThreadData, why: string): Error {
  return pinakesError('embed.unavailable', { model: model.name, why });
}

function unpackVectors(
  { vectors, missing }: OnnxThreadReply & { readonly kind: 'done' },
  count: number,
  dimensions: number,
): JobResult {
  const missingAt = new Set(missing);
  return Array.from({ length: count }, (_, at) =>
    missingAt.has(at) ? null : vectors.slice(at * dimensions, (at + 1) * dimensions),
  );
}
