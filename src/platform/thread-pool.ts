// Threads of one kind: started on demand, one call at a time each, ended after a while without work. Calls wait in a queue
// until a thread is free; groups of calls share the time of the threads evenly.

import type { Thread, ThreadContract } from './worker-thread.ts';

export interface ThreadPoolOptions<C extends ThreadContract> {
  readonly maxThreads: number;
  readonly start: () => Thread<C>;
  /** A thread that was idle for so long is ended; the next call starts another one. */
  readonly idleMs: number;
  /** For calls that wait when the pool is closed, and for later ones. */
  readonly closedError: () => Error;
}

export interface PoolCallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Overtakes all waiting calls. */
  readonly isUrgent?: boolean;
  /** Calls of one group wait for each other. The group with the fewest threads is next, and of those the one that took the least time. */
  readonly group?: string;
}

export interface ThreadPool<C extends ThreadContract> {
  /** An abort removes a call from the queue; in a thread it means what it means there. */
  call(input: C['input'], options?: PoolCallOptions): Promise<C['result']>;
  /** How many calls no thread has taken yet. */
  waiting(): number;
  /** Resolves when no thread is left. */
  close(): Promise<void>;
}

interface WaitingCall<C extends ThreadContract> extends PromiseWithResolvers<C['result']> {
  readonly input: C['input'];
  readonly signal: AbortSignal | undefined;
  readonly group: string;
  readonly isUrgent: boolean;
  readonly leaveQueue: () => void;
}

interface Share {
  running: number;
  usedMs: number;
}

export function createThreadPool<C extends ThreadContract>(options: ThreadPoolOptions<C>): ThreadPool<C> {
  const { closedError } = options;
  const waiting: Array<WaitingCall<C>> = [];
  const shares = createShares();
  const threads = createThreads(options, dispatch);
  let isClosed = false;

  function dispatch(): void {
    while (waiting.length > 0) {
      const thread = threads.acquire();
      if (thread === null) return;
      const urgent = waiting[0]?.isUrgent === true ? waiting[0].group : null;
      const group = urgent ?? shares.next(waiting.map((call) => call.group));
      const [next] = waiting.splice(
        waiting.findIndex((call) => call.group === group),
        1,
      );
      if (next !== undefined) run(thread, next);
    }
  }

  function run(thread: Thread<C>, { input, signal, group, leaveQueue, resolve, reject }: WaitingCall<C>): void {
    signal?.removeEventListener('abort', leaveQueue);
    // Before the caller hears of it, and so before its next call.
    const end = shares.begin(group);
    thread.call(input, { signal }).finally(end).then(resolve, reject);
  }

  return {
    waiting: () => waiting.length,
    async call(input, { signal, isUrgent = false, group = '' } = {}) {
      signal?.throwIfAborted();
      if (isClosed) throw closedError();
      const leaveQueue = (): void => {
        waiting.splice(waiting.indexOf(entry), 1);
        entry.reject(signal?.reason);
      };
      const resolvers = Promise.withResolvers<C['result']>();
      const entry: WaitingCall<C> = { ...resolvers, input, signal, group, isUrgent, leaveQueue };
      signal?.addEventListener('abort', leaveQueue, { once: true });
      if (isUrgent) waiting.unshift(entry);
      else waiting.push(entry);
      dispatch();
      return entry.promise;
    },
    async close() {
      isClosed = true;
      for (const { signal, leaveQueue, reject } of waiting.splice(0)) {
        signal?.removeEventListener('abort', leaveQueue);
        reject(closedError());
      }
      await threads.end();
    },
  };
}

/** How much of the threads each group has, and has had. */
function createShares() {
  const shares = new Map<string, Share>();
  /** What the group that was served last had used: one that was away has no claim on the time before. */
  let floorMs = 0;
  const shareOf = (group: string): Share => shares.get(group) ?? { running: 0, usedMs: floorMs };
  return {
    next(groups: readonly string[]): string {
      const [first = '', ...others] = new Set(groups);
      return others.reduce((best, group) => {
        const [one, other] = [shareOf(best), shareOf(group)];
        return (other.running - one.running || other.usedMs - one.usedMs) < 0 ? group : best;
      }, first);
    },
    /** Returns what to call at the end. */
    begin(group: string): () => void {
      const share = shareOf(group);
      floorMs = share.usedMs = Math.max(share.usedMs, floorMs);
      share.running += 1;
      shares.set(group, share);
      const startedAt = performance.now();
      return () => {
        share.running -= 1;
        share.usedMs += performance.now() - startedAt;
        for (const [name, { running, usedMs }] of shares) if (running === 0 && usedMs <= floorMs) shares.delete(name);
      };
    },
  };
}

interface Threads<C extends ThreadContract> {
  /** An idle thread or a new one; null when all are busy. */
  acquire(): Thread<C> | null;
  end(): Promise<void>;
}

/** `onCapacity` is called when a thread is free, or gone and another one may start. */
function createThreads<C extends ThreadContract>(
  { maxThreads, start, idleMs }: ThreadPoolOptions<C>,
  onCapacity: () => void,
): Threads<C> {
  const threads = new Set<Thread<C>>();
  /** With the timer that ends each; the last one was used last. */
  const idle = new Map<Thread<C>, NodeJS.Timeout | undefined>();

  function takeIdle(thread: Thread<C>): Thread<C> {
    clearTimeout(idle.get(thread));
    idle.delete(thread);
    return thread;
  }

  /** A thread that is ending is not handed out again. */
  function release(thread: Thread<C>): void {
    if (!thread.isAlive()) return;
    idle.set(thread, idleMs === Infinity ? undefined : setTimeout(() => endIdle(thread), idleMs).unref());
    onCapacity();
  }

  /** A thread counts until it is really gone, so there are never more than allowed. */
  async function removeWhenGone(thread: Thread<C>): Promise<void> {
    await thread.ended.catch(() => undefined);
    threads.delete(takeIdle(thread));
    onCapacity();
  }

  /** Its heap would stay as large as its largest call made it. */
  function endIdle(thread: Thread<C>): void {
    idle.delete(thread);
    void thread.end();
  }

  return {
    acquire() {
      const last = [...idle.keys()].at(-1);
      if (last !== undefined) return takeIdle(last);
      if (threads.size >= maxThreads) return null;
      const thread = start();
      threads.add(thread);
      thread.onIdle(() => release(thread));
      void removeWhenGone(thread);
      return thread;
    },
    async end() {
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}
