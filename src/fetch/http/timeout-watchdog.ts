// Looks at every answer that is under way, a few times a second. One timer for all of them, because two or three timers
// for each request cost more than the request.

export type Look = (nowMs: number) => 'on' | 'over';

export interface Watch {
  /** Looks until `look` answers that there is nothing left to see. */
  add(look: Look): void;
  close(): void;
}

export function createWatch(everyMs: number, nowMs: () => number): Watch {
  const looks = new Set<Look>();
  let timer: NodeJS.Timeout | null = null;
  let lastMs = 0;
  let skipped = false;

  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  const tick = (): void => {
    if (looks.size === 0) return stop();
    const now = nowMs();
    // After a stall of our own, what arrived meanwhile is still unread: let it be read before anyone is called slow.
    skipped = !skipped && now - lastMs > 2 * everyMs;
    lastMs = now;
    if (skipped) return;
    for (const look of looks) if (look(now) === 'over') looks.delete(look);
  };

  return {
    add(look) {
      looks.add(look);
      if (timer !== null) return;
      lastMs = nowMs();
      timer = setInterval(tick, everyMs).unref();
    },
    close: stop,
  };
}
