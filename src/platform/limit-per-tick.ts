// A queue that gives way to the event loop: a few items start, then whatever else has happened is handled.

export interface TickQueue<T> {
  add(item: T): void;
  readonly length: () => number;
}

/**
 * Starts at most `limit` items per tick of the event loop, in order: when a thousand arrive at once, other work, the results of
 * the first ones included, is not held up by all of them.
 */
export function limitPerTick<T>(limit: number, start: (item: T) => void): TickQueue<T> {
  const waiting: T[] = [];
  let left = limit;
  let isTickScheduled = false;

  const onNextTick = (): void => {
    left = limit;
    isTickScheduled = false;
    for (const item of waiting.splice(0, limit)) startNow(item);
  };
  const startNow = (item: T): void => {
    left -= 1;
    if (!isTickScheduled) setImmediate(onNextTick);
    isTickScheduled = true;
    start(item);
  };
  return {
    add(item) {
      if (left > 0 && waiting.length === 0) startNow(item);
      else waiting.push(item);
    },
    length: () => waiting.length,
  };
}
