// How fast the pages of a source may request sites besides their own host: a burst, then one request per delay. It is kept in
// memory and separately for each source, so that no page can make another source wait.

import { createTokenBuckets } from '../core/rate/token-buckets.ts';

export interface RequestRates {
  /** Takes a request and returns 0, or returns how many milliseconds to wait before the next attempt. */
  takeOrWaitMs(source: string, site: string): number;
  /** Nothing was sent after all. */
  giveBack(source: string, site: string): void;
}

export interface RequestRateOptions {
  /** Between two requests to one site, after the burst; 0 for none. */
  readonly delayMs: number;
  readonly nowMs?: () => number;
}

/** What a page loads from a network of libraries at once. */
const BURST = 50;

export function createRequestRates({ delayMs, nowMs = () => performance.now() }: RequestRateOptions): RequestRates {
  const buckets = createTokenBuckets({ burst: BURST, intervalMs: delayMs, now: nowMs });
  return {
    takeOrWaitMs: (source, site) => Math.ceil(buckets.take(`${source} ${site}`)),
    giveBack: (source, site) => buckets.add(`${source} ${site}`, 1),
  };
}
