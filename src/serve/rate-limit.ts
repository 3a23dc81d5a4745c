// A rate limit per principal: a token or an IP address.

import { createTokenBuckets } from '../core/rate/token-buckets.ts';

export interface RateLimit {
  /** Seconds to wait; 0 if the request is allowed. */
  take(principal: string): number;
  /** Counts further requests that came with one that has passed: the next ones wait until they are made up for. */
  charge(principal: string, requests: number): void;
}

const MINUTE_MS = 60_000;

/** The bucket refills evenly and allows a burst of a tenth of a minute's requests, at least ten. */
export function createRateLimit(perMinute: number, now: () => number): RateLimit {
  const burst = Math.max(10, perMinute / 10);
  const buckets = createTokenBuckets({ burst, intervalMs: MINUTE_MS / perMinute, now });
  return {
    take: (principal) => Math.ceil(buckets.take(principal) / 1000),
    charge: (principal, requests) => buckets.add(principal, -requests),
  };
}
