// A token-bucket rate limit per principal.

export interface RateLimit {
  /** Seconds to wait; 0 if the request is allowed. */
  take(principal: string): number;
}

const MINUTE_MS = 60_000;
/** Principals are tokens or IP addresses; the least recent are evicted, which only resets their limit. */
const MAX_BUCKETS = 10_000;

/** The bucket refills evenly and allows a burst of a tenth of a minute's requests, at least ten. */
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
      if (buckets.size > MAX_BUCKETS) buckets.delete(buckets.keys().next().value ?? '');
      return passes ? 0 : Math.ceil(((1 - left) * MINUTE_MS) / perMinute / 1000);
    },
  };
}
