// A token-bucket rate limit per principal.

import { createLruCache } from '../core/model/lru-cache.ts';

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
  const buckets = createLruCache<string, { readonly left: number; readonly at: number }>(MAX_BUCKETS);
  return {
    take(principal) {
      const at = now();
      const bucket = buckets.get(principal) ?? { left: burst, at };
      const left = Math.min(burst, bucket.left + ((at - bucket.at) * perMinute) / MINUTE_MS);
      const passes = left >= 1;
      buckets.set(principal, { left: passes ? left - 1 : left, at });
      return passes ? 0 : Math.ceil(((1 - left) * MINUTE_MS) / perMinute / 1000);
    },
  };
}
