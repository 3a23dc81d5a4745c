// Hands jobs to embedding threads: starts them when they are needed, lets questions pass waiting passages, and forgets
// threads that are gone.

import type { OnnxThreadData } from './onnx-thread.ts';
import { startOnnxThread, type OnnxThread } from './onnx-thread-handle.ts';

export type JobResult = Array<Float32Array | null>;

export interface OnnxPool {
  /** An urgent job is done before all that wait. */
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

  const take = (): OnnxThread | null => {
    const thread = idle.pop();
    if (thread !== undefined || all.size >= maxThreads) return thread ?? null;
    const started = startOnnxThread(data);
    all.add(started);
    return started;
  };

  async function work(thread: OnnxThread, job: Job): Promise<void> {
    try {
      job.resolve(await thread.run(job.texts));
    } catch (error) {
      job.reject(error);
    }
    if (thread.isAlive()) idle.push(thread);
    else all.delete(thread);
    next();
  }

  function next(): void {
    while (waiting.length > 0) {
      const thread = take();
      const job = thread === null ? undefined : waiting.shift();
      if (thread === null || job === undefined) return;
      void work(thread, job);
    }
  }

  return {
    run: (texts, isUrgent) =>
      new Promise((resolve, reject) => {
        const job = { texts, resolve, reject };
        if (isUrgent) waiting.unshift(job);
        else waiting.push(job);
        next();
      }),
    async close() {
      for (const job of waiting.splice(0)) job.reject(new Error('the model was closed'));
      await Promise.all([...all].map((thread) => thread.end()));
    },
  };
}
