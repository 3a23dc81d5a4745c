// The threads of the parser: started on demand, reused while idle, terminated after a while without work. Jobs wait in a
// FIFO queue until a thread is free.

import type { ParseJob } from './parse-job.ts';
import { type JobResult, type ParseThread, startParseThread, type ThreadLimits } from './parse-thread-handle.ts';

interface ThreadPool {
  /** An idle thread or a new one; null when all are busy. */
  acquire(): ParseThread | null;
  /** After a job. A thread that a limit has ended is not handed out again. */
  release(thread: ParseThread): void;
  end(): Promise<void>;
}

/** `onCapacity` is called when a thread is gone and another one may start. */
function createThreadPool(maxThreads: number, limits: ThreadLimits, onCapacity: () => void): ThreadPool {
  const threads = new Set<ParseThread>();
  /** With the timer that ends each; the last one was used last. */
  const idle = new Map<ParseThread, NodeJS.Timeout>();

  function start(): ParseThread {
    const thread = startParseThread(limits);
    threads.add(thread);
    void removeWhenGone(thread);
    return thread;
  }

  /** Its heap would stay as large as its largest page made it. */
  function endIdle(thread: ParseThread): void {
    idle.delete(thread);
    void thread.end();
  }

  /** A thread counts until it is really gone, so there are never more than allowed. */
  async function removeWhenGone(thread: ParseThread): Promise<void> {
    await thread.gone;
    threads.delete(thread);
    clearTimeout(idle.get(thread));
    idle.delete(thread);
    onCapacity();
  }

  return {
    acquire() {
      const last = [...idle].at(-1);
      if (last === undefined) return threads.size < maxThreads ? start() : null;
      const [thread, timer] = last;
      clearTimeout(timer);
      idle.delete(thread);
      return thread;
    },
    release(thread) {
      if (thread.isAlive()) idle.set(thread, setTimeout(() => endIdle(thread), limits.idleMs).unref());
    },
    async end() {
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

export interface JobQueue {
  /** How many jobs no thread has taken yet. */
  waiting(): number;
  /** An abort removes the job from the queue, or ends the thread that runs it. */
  run(job: ParseJob, signal: AbortSignal | undefined): Promise<JobResult>;
  /** Waiting jobs are rejected with the error; resolves when no thread is left. */
  close(error: Error): Promise<void>;
}

interface WaitingJob {
  readonly job: ParseJob;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: JobResult) => void;
  readonly reject: (reason: unknown) => void;
  readonly abortWaiting: () => void;
}

export function createJobQueue({ threads, ...limits }: ThreadLimits & { readonly threads: number }): JobQueue {
  const waiting: WaitingJob[] = [];
  const pool = createThreadPool(threads, limits, pump);

  function pump(): void {
    while (waiting.length > 0) {
      const thread = pool.acquire();
      const next = thread === null ? undefined : waiting.shift();
      if (thread === null || next === undefined) return;
      void dispatch(thread, next);
    }
  }

  async function dispatch(
    thread: ParseThread,
    { job, signal, resolve, reject, abortWaiting }: WaitingJob,
  ): Promise<void> {
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
    pool.release(thread);
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
        const entry: WaitingJob = { job, signal, resolve, reject, abortWaiting };
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
