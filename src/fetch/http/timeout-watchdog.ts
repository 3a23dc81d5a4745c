// One shared timer that enforces the timeouts of all responses in flight: two or three timers per request cost more
// than the request.

export type Check = (nowMs: number) => 'on' | 'over';

export interface TimeoutWatchdog {
  /** Calls `check` until it returns `over`. */
  add(check: Check): void;
  close(): void;
}

export function createTimeoutWatchdog(everyMs: number, nowMs: () => number): TimeoutWatchdog {
  const checks = new Set<Check>();
  let timer: NodeJS.Timeout | null = null;
  let lastMs = 0;
  let skipped = false;

  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  const tick = (): void => {
    if (checks.size === 0) return stop();
    const now = nowMs();
    // After a stall of this process, received data is still unread: let it be read before a server counts as slow.
    skipped = !skipped && now - lastMs > 2 * everyMs;
    lastMs = now;
    if (skipped) return;
    for (const check of checks) if (check(now) === 'over') checks.delete(check);
  };

  return {
    add(check) {
      checks.add(check);
      if (timer !== null) return;
      lastMs = nowMs();
      timer = setInterval(tick, everyMs).unref();
    },
    close: stop,
  };
}
