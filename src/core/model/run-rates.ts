// How fast a run is, and when it will be done: from its counters now and at an earlier time.

/** Counters of a run at a time. */
export interface RunProgress {
  readonly at: Date;
  readonly found: number;
  readonly queueSize: number;
  /** New, changed and unchanged pages. */
  readonly stored: number;
  readonly failed: number;
  readonly bytes: number;
  readonly requests: number;
  readonly downloads: number;
}

export interface RunRates {
  readonly requestsPerSec: number;
  readonly downloadsPerSec: number;
  readonly bytesPerSec: number;
  readonly errorRatePerMin: number;
}

/** Where there is nothing to compare with. */
export const NO_RATES: Readonly<Record<keyof RunRates, null>> = {
  requestsPerSec: null,
  downloadsPerSec: null,
  bytesPerSec: null,
  errorRatePerMin: null,
};

/** A shorter time says nothing. */
const MIN_WINDOW_MS = 1000;

/** Null if the two are too close to each other. */
export function runRates(earlier: RunProgress, now: RunProgress): RunRates | null {
  const seconds = (now.at.getTime() - earlier.at.getTime()) / 1000;
  if (seconds * 1000 < MIN_WINDOW_MS) return null;
  const perSecond = (name: 'requests' | 'downloads' | 'bytes' | 'failed'): number =>
    Math.max(0, now[name] - earlier[name]) / seconds;
  return {
    requestsPerSec: round(perSecond('requests')),
    downloadsPerSec: round(perSecond('downloads')),
    bytesPerSec: Math.round(perSecond('bytes')),
    errorRatePerMin: round(perSecond('failed') * 60),
  };
}

function round(rate: number): number {
  return Math.round(rate * 100) / 100;
}

/**
 * Seconds until a running run has no URL left, or has stored `maxPages`. Null if that cannot be said: nothing was found yet, or
 * the queue does not shrink, because links are found faster than they are fetched.
 */
export function etaSeconds(earlier: RunProgress, now: RunProgress, maxPages: number | null): number | null {
  const seconds = (now.at.getTime() - earlier.at.getTime()) / 1000;
  if (seconds * 1000 < MIN_WINDOW_MS || now.found === 0) return null;
  if (now.queueSize === 0) return 0;
  const untilEmpty = timeLeft(now.queueSize, (earlier.queueSize - now.queueSize) / seconds);
  const untilFull =
    maxPages === null
      ? Infinity
      : timeLeft(Math.max(0, maxPages - now.stored), (now.stored - earlier.stored) / seconds);
  const left = Math.min(untilEmpty, untilFull);
  return Number.isFinite(left) ? Math.ceil(left) : null;
}

function timeLeft(amount: number, perSecond: number): number {
  return perSecond > 0 ? amount / perSecond : Infinity;
}
