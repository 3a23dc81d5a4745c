// A rate limit per principal: a token or an IP address.

import { createLruCache } from '../core/lru-cache.ts';
import { createTokenBuckets } from '../core/rate/token-buckets.ts';
import type { Principal } from '../platform/access-token.ts';

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

/** The requests of each token, in this process only: behind a balancer, each replica allows as many. */
export interface RequestBudgets {
  take(principal: Principal): number;
  charge(principal: Principal, requests: number): void;
}

/** Number of different budgets; with more, the least recently used one starts over. */
const MAX_BUDGETS = 100;

/** A token without its own budget has that of the server. */
export function createRequestBudgets(perMinute: number, now: () => number): RequestBudgets {
  const common = createRateLimit(perMinute, now);
  const others = createLruCache<number, RateLimit>(MAX_BUDGETS);

  function limitOf({ requestsPerMinute: own }: Principal): RateLimit {
    if (own === null) return common;
    const known = others.get(own);
    if (known !== undefined) return known;
    const created = createRateLimit(own, now);
    others.set(own, created);
    return created;
  }

  return {
    take: (principal) => (principal.token === null ? 0 : limitOf(principal).take(principal.token)),
    charge(principal, requests) {
      if (principal.token !== null) limitOf(principal).charge(principal.token, requests);
    },
  };
}
