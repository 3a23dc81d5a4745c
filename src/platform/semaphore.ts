// Waiting for a turn: in a queue, and as a limit of how many may do something at once.

export interface WaitQueue {
  /** Resolves, having called `begin`, at the head of the queue as soon as it fits; rejects when it is aborted. */
  wait(turn: { readonly fits: () => boolean; readonly begin: () => void }, signal?: AbortSignal): Promise<void>;
  /** To be called when more may fit. */
  advance(): void;
}

/** First in, first out: a large item is not overtaken by small ones forever. One that is aborted does not block those behind it. */
export function createWaitQueue(): WaitQueue {
  const waiting: Array<{ readonly fits: () => boolean; readonly go: () => void }> = [];
  const advance = (): void => {
    while (waiting[0]?.fits() === true) waiting.shift()?.go();
  };
  return {
    advance,
    wait({ fits, begin }, signal) {
      if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const onAbort = (): void => {
        waiting.splice(waiting.indexOf(waiter), 1);
        reject(signal?.reason as Error);
        advance();
      };
      const go = (): void => {
        signal?.removeEventListener('abort', onAbort);
        begin();
        resolve();
      };
      const waiter = { fits, go };
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.push(waiter);
      advance();
      return promise;
    },
  };
}

export interface Semaphore {
  acquire(signal?: AbortSignal): Promise<void>;
  release(): void;
}

export function createSemaphore(free: number): Semaphore {
  const queue = createWaitQueue();
  let left = free;
  const turn = { fits: () => left > 0, begin: () => (left -= 1) };
  return {
    acquire: (signal) => queue.wait(turn, signal),
    release() {
      left += 1;
      queue.advance();
    },
  };
}

/** Works on so many items at once, in their order. After an abort or a failure it begins no other, and waits for those that it has begun. */
export async function forEachConcurrent<Item>(
  items: readonly Item[],
  { concurrency, signal }: { readonly concurrency: number; readonly signal: AbortSignal },
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  let hasFailed = false;
  const workInTurn = async (): Promise<void> => {
    for (const item of waiting) {
      if (hasFailed || signal.aborted) return;
      try {
        await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: concurrency }, workInTurn));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  signal.throwIfAborted();
}
