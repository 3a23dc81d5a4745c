// Token buckets by key: a burst at once, then one token per interval. The least recent buckets are evicted, which only fills them.

import { createLruCache } from '../lru-cache.ts';

export interface TokenBuckets {
  /** Takes a token and returns 0, or returns how many milliseconds it takes until there is one. */
  take(key: string, rate?: BucketRate): number;
  /** Puts tokens back; a negative number takes them without waiting, and the next ones wait until they are made up for. */
  add(key: string, tokens: number, rate?: BucketRate): void;
}

export interface BucketRate {
  readonly burst: number;
  /** Between two tokens, after the burst; 0 for an unlimited rate. */
  readonly intervalMs: number;
}

/** The rate of every bucket that has no other. */
export interface TokenBucketOptions extends BucketRate {
  readonly now: () => number;
}

const MAX_BUCKETS = 10_000;

export function createTokenBuckets({ now, ...common }: TokenBucketOptions): TokenBuckets {
  const buckets = createLruCache<string, { readonly left: number; readonly at: number }>(MAX_BUCKETS);

  function refilled(key: string, at: number, { burst, intervalMs }: BucketRate): number {
    const bucket = buckets.get(key);
    if (bucket === undefined || intervalMs === 0) return burst;
    return Math.min(burst, bucket.left + (at - bucket.at) / intervalMs);
  }

  return {
    take(key, rate = common) {
      const at = now();
      const left = refilled(key, at, rate);
      const passes = left >= 1;
      buckets.set(key, { left: passes ? left - 1 : left, at });
      return passes ? 0 : (1 - left) * rate.intervalMs;
    },
    add(key, tokens, rate = common) {
      const at = now();
      buckets.set(key, { left: refilled(key, at, rate) + tokens, at });
    },
  };
}
