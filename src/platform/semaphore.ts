// Limits how many may do something at once.

export interface Semaphore {
  acquire(): Promise<void>;
  release(): void;
}

/** Those that wait get their turn in the order in which they came. */
export function createSemaphore(free: number): Semaphore {
  const waiting: Array<() => void> = [];
  let left = free;
  return {
    async acquire() {
      if (left > 0) left -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    release() {
      const next = waiting.shift();
      if (next === undefined) left += 1;
      else next();
    },
  };
}
