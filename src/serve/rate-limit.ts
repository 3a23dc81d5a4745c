// Lets each principal ask so often in a minute, and no more.

export interface RateLimit {
  /** Seconds to wait; 0 when the request may pass. */
  take(principal: string): number;
}

const MINUTE_MS = 60_000;
/** Principals are tokens or addresses; the oldest are forgotten first, which can only be kind to them. */
const REMEMBERED = 10_000;

/** A bucket that refills evenly: a burst of a tenth of a minute's requests, at least ten, passes at once. */
export function createRateLimit(perMinute: number, now: () => number): RateLimit {
  const burst = Math.max(10, perMinute / 10);
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    take(principal) {
      const at = now();
      const bucket = buckets.get(principal) ?? { left: burst, at };
      const left = Math.min(burst, bucket.left + ((at - bucket.at) * perMinute) / MINUTE_MS);
      const passes = left >= 1;
      buckets.delete(principal);
      buckets.set(principal, { left: passes ? left - 1 : left, at });
      if (buckets.size > REMEMBERED) buckets.delete(buckets.keys().next().value ?? '');
      return passes ? 0 : Math.ceil(((1 - left) * MINUTE_MS) / perMinute / 1000);
    },
  };
}
