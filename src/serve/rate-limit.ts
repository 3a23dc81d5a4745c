// A rate limit per principal: a token or an IP address.

import { createTokenBuckets, type BucketRate } from '../core/rate/token-buckets.ts';
import type { Principal } from '../platform/access-token.ts';

export interface RateLimit {
  /** Seconds to wait; 0 if the request is allowed. */
  take(principal: string): number;
  /** Counts further requests that came with one that has passed: the next ones wait until they are made up for. */
  charge(principal: string, requests: number): void;
}

const MINUTE_MS = 60_000;

/** The bucket refills evenly and allows a burst of a tenth of a minute's requests, at least ten. */
function bucketRate(perMinute: number): BucketRate {
  return { burst: Math.max(10, perMinute / 10), intervalMs: MINUTE_MS / perMinute };
}

export function createRateLimit(perMinute: number, now: () => number): RateLimit {
  const buckets = createTokenBuckets({ ...bucketRate(perMinute), now });
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

/** A token without its own budget has that of the server. */
export function createRequestBudgets(perMinute: number, now: () => number): RequestBudgets {
  const buckets = createTokenBuckets({ ...bucketRate(perMinute), now });
  const rateOf = ({ requestsPerMinute: own }: Principal): BucketRate | undefined =>
    own === null ? undefined : bucketRate(own);
  return {
    take(principal) {
      return principal.token === null ? 0 : Math.ceil(buckets.take(principal.token, rateOf(principal)) / 1000);
    },
    charge(principal, requests) {
      if (principal.token !== null) buckets.add(principal.token, -requests, rateOf(principal));
    },
  };
}
