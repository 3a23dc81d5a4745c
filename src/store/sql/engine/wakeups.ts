// Announcements within one thread. An engine that reaches other processes publishes them too, and passes on what it hears.

import { after } from '../../../platform/clock.ts';
import type { WakeupKind, Wakeups } from '../../port/wakeups.ts';

export interface Announcer extends Wakeups {
  /** May be called before the transaction commits: a loop that finds nothing yet polls again soon. */
  announce(topic: WakeupKind): void;
  close(): Promise<void>;
}

export interface AnnouncerOptions {
  readonly maxIdleMs: () => number;
  /** Sends an announcement to other processes. */
  readonly publish: (topic: WakeupKind) => void;
  /** Called when a loop sleeps for the first time. */
  readonly onFirstSleep: () => void;
  readonly close: () => Promise<void>;
}

/** For an engine whose announcements stay within the thread. */
const LOCAL: AnnouncerOptions = {
  maxIdleMs: () => 0,
  publish: () => undefined,
  onFirstSleep: () => undefined,
  close: async () => undefined,
};

/** `hear` passes on an announcement of another process. */
export function createAnnouncer(options: AnnouncerOptions = LOCAL): Announcer & { hear(topic: WakeupKind): void } {
  const counts: Record<WakeupKind, number> = { runs: 0, urls: 0, settled: 0, texts: 0 };
  const sleepers: Record<WakeupKind, Set<() => void>> = {
    runs: new Set(),
    urls: new Set(),
    settled: new Set(),
    texts: new Set(),
  };
  let hasSlept = false;

  function hear(topic: WakeupKind): void {
    counts[topic] += 1;
    for (const wake of sleepers[topic]) wake();
  }

  return {
    maxIdleMs: options.maxIdleMs,
    count: (topic) => counts[topic],
    async next(topic, seen, ms, signal) {
      if (!hasSlept) options.onFirstSleep();
      hasSlept = true;
      if (counts[topic] > seen || ms <= 0 || signal.aborted) return counts[topic];
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          timer.cancel();
          signal.removeEventListener('abort', wake);
          sleepers[topic].delete(wake);
          resolve();
        };
        const timer = after(ms, wake);
        signal.addEventListener('abort', wake, { once: true });
        sleepers[topic].add(wake);
      });
      return counts[topic];
    },
    announce(topic) {
      hear(topic);
      options.publish(topic);
    },
    hear,
    close: options.close,
  };
}
