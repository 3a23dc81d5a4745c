// Jobs wait here, in order, until a thread is free.

import type { ParseJob } from './parse-job.ts';
import type { JobResult, ParseThread, ThreadLimits } from './parse-thread-handle.ts';
import { createThreadPool } from './thread-pool.ts';

export interface JobQueue {
  /** How many jobs no thread has taken yet. */
  waiting(): number;
  /** An abort takes the job out of the queue, or ends the thread that does it. */
  run(job: ParseJob, signal: AbortSignal | undefined): Promise<JobResult>;
  /** Waiting jobs are rejected with the error; resolves when no thread is left. */
  close(error: Error): Promise<void>;
}

interface Waiting {
  readonly job: ParseJob;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: JobResult) => void;
  readonly reject: (reason: unknown) => void;
  readonly abortWaiting: () => void;
}

export function createJobQueue({ threads, ...limits }: ThreadLimits & { readonly threads: number }): JobQueue {
  const waiting: Waiting[] = [];
  const pool = createThreadPool(threads, limits, pump);

  function pump(): void {
    while (waiting.length > 0) {
      const thread = pool.take();
      const next = thread === null ? undefined : waiting.shift();
      if (thread === null || next === undefined) return;
      void hand(thread, next);
    }
  }

  async function hand(thread: ParseThread, { job, signal, resolve, reject, abortWaiting }: Waiting): Promise<void> {
    const abort = (): void => {
      reject(signal?.reason);
      void thread.end();
    };
    signal?.removeEventListener('abort', abortWaiting);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      resolve(await thread.run(job));
    } catch (error) {
      reject(error);
    }
    signal?.removeEventListener('abort', abort);
    pool.giveBack(thread);
    pump();
  }

  return {
    waiting: () => waiting.length,
    run: (job, signal) =>
      new Promise((resolve, reject) => {
        const abortWaiting = (): void => {
          waiting.splice(waiting.indexOf(entry), 1);
          reject(signal?.reason);
        };
        const entry: Waiting = { job, signal, resolve, reject, abortWaiting };
        signal?.addEventListener('abort', abortWaiting, { once: true });
        waiting.push(entry);
        pump();
      }),
    async close(error) {
      for (const { reject } of waiting.splice(0)) reject(error);
      await pool.end();
    },
  };
}
