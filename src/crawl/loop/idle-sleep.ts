// How a loop sleeps when it found nothing to do: shortly at first, then longer, until something is announced.

import type { WakeupKind, Wakeups } from '../../store/port/wakeups.ts';
import { sleepOrAbort } from '../../platform/clock.ts';

export interface IdleSleep {
  /** At least `firstMs`, so that a busy store cannot make the loop spin; `atMostMs` is when something is due anyway. */
  sleep(signal: AbortSignal, atMostMs?: number): Promise<void>;
  /** The loop found something, so that the next sleep is short. */
  reset(): void;
}

export function createIdleSleep(wakeups: Wakeups, topic: WakeupKind, firstMs: number): IdleSleep {
  let seen = wakeups.count(topic);
  let pauseMs = firstMs;
  return {
    async sleep(signal, atMostMs = Infinity) {
      await sleepOrAbort(firstMs, signal);
      const count = await wakeups.next(topic, seen, Math.min(pauseMs, atMostMs) - firstMs, signal);
      const maxMs = Math.max(firstMs, wakeups.maxIdleMs());
      pauseMs = count > seen ? firstMs : Math.min(maxMs, 2 * pauseMs);
      seen = count;
    },
    reset: () => void (pauseMs = firstMs),
  };
}
