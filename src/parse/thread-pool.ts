// Keeps the threads of the parser: starts them when they are needed, hands out idle ones, forgets those that are gone.

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
  const idle = new Set<ParseThread>();

  function start(): ParseThread {
    const thread = startParseThread(limits);
    threads.add(thread);
    void forget(thread);
    return thread;
  }

  /** A thread counts until it is truly gone, so there are never more than allowed. */
  async function forget(thread: ParseThread): Promise<void> {
    await thread.gone;
    threads.delete(thread);
    idle.delete(thread);
    onRoom();
  }

  return {
    take() {
      const [thread] = idle;
      if (thread === undefined) return threads.size < maxThreads ? start() : null;
      idle.delete(thread);
      return thread;
    },
    giveBack(thread) {
      if (thread.isAlive()) idle.add(thread);
    },
    async end() {
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}
