// Keeps the threads of the parser: starts them when they are needed, hands out idle ones, ends those that nobody needed for
// a while, forgets those that are gone.

import { startParseThread, type ParseThread, type ThreadLimits } from './parse-thread-handle.ts';

export interface ThreadPool {
  /** An idle thread or a new one; null when all are busy. */
  take(): ParseThread | null;
  /** Back after a page. One that a limit has ended is not handed out again. */
  giveBack(thread: ParseThread): void;
  end(): Promise<void>;
}

/** `onRoom` is called when a thread is gone and another one may start. */
export function createThreadPool(maxThreads: number, limits: ThreadLimits, onRoom: () => void): ThreadPool {
  const threads = new Set<ParseThread>();
  /** With the clock that ends each; the last one was needed last. */
  const idle = new Map<ParseThread, NodeJS.Timeout>();

  function start(): ParseThread {
    const thread = startParseThread(limits);
    threads.add(thread);
    void forget(thread);
    return thread;
  }

  /** Its heap would stay as large as its largest page made it. */
  function endIdle(thread: ParseThread): void {
    idle.delete(thread);
    void thread.end();
  }

  /** A thread counts until it is truly gone, so there are never more than allowed. */
  async function forget(thread: ParseThread): Promise<void> {
    await thread.gone;
    threads.delete(thread);
    clearTimeout(idle.get(thread));
    idle.delete(thread);
    onRoom();
  }

  return {
    take() {
      const last = [...idle].at(-1);
      if (last === undefined) return threads.size < maxThreads ? start() : null;
      const [thread, clock] = last;
      clearTimeout(clock);
      idle.delete(thread);
      return thread;
    },
    giveBack(thread) {
      if (thread.isAlive()) idle.set(thread, setTimeout(() => endIdle(thread), limits.idleMs).unref());
    },
    async end() {
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}
