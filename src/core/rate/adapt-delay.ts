// Adaptive rate control per host. The delay between requests starts high, shrinks while the host responds quickly, grows
// when it struggles, and a circuit breaker pauses the host when it fails.

import { afterFailure, afterSuccess, currentBreaker, type CircuitBreaker } from './circuit-breaker.ts';

export interface HostRate extends CircuitBreaker {
  readonly host: string;
  /** Between two requests. */
  readonly delayMs: number;
  /** Crawl-delay of robots.txt. */
  readonly crawlDelayMs: number | null;
  /** Grows with each URL that is throttled for the first time, and shrinks with each response. See `isThrottling`. */
  readonly throttles: number;
}

/** One throttled URL weighs as much as so many responses. */
const THROTTLE_WEIGHT = 10;
const MAX_THROTTLES = 10 * THROTTLE_WEIGHT;

/**
 * Several URLs were throttled within a few responses, so the host means all requests. A single URL that is always
 * throttled says nothing about the others.
 */
export function isThrottling({ throttles }: Pick<HostRate, 'throttles'>): boolean {
  return throttles > THROTTLE_WEIGHT;
}

export type Observation =
  /** Any response of a healthy host, including a 404. Null if the time was not measured. */
  | { readonly kind: 'answered'; readonly firstByteMs: number | null }
  /** No response, or one that shows that the host is in trouble. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | null; readonly isRetry: boolean }
  /** robots.txt was read. */
  | { readonly kind: 'crawl-delay'; readonly crawlDelayMs: number | null }
  /** A source with its own rate limit starts to use the host. */
  | { readonly kind: 'visited' };

export interface RateLimits {
  readonly startDelayMs: number;
  readonly minDelayMs: number;
  /** Limit of the back-off; a Crawl-delay may be longer. */
  readonly maxDelayMs: number;
  /** A response within this time is quick. */
  readonly quickMs: number;
  /** A response after this time is slow. */
  readonly slowMs: number;
  readonly breakerFailures: number;
  readonly circuitBreakerMs: number;
  /** Pause of a host that throttles without a usable Retry-After, and the longest for a single URL. */
  readonly throttledMs: number;
}

export const RATE_LIMITS: RateLimits = {
  startDelayMs: 1000,
  minDelayMs: 200,
  maxDelayMs: 30_000,
  quickMs: 500,
  slowMs: 2000,
  breakerFailures: 5,
  circuitBreakerMs: 60_000,
  throttledMs: 30_000,
};

/** Three quick responses lead from one request per second to five: discovery needs half a dozen requests before the first page. */
const SPEED_UP = 0.5;
/** A host that was in trouble is sped up carefully. */
const RECOVERY_SPEED_UP = 0.9;
const SLOW_DOWN = 1.5;
const BACK_OFF = 2;

export function adaptDelay(state: HostRate, observation: Observation, limits: RateLimits): HostRate {
  switch (observation.kind) {
    case 'answered':
      return afterResponse({ ...state, throttles: Math.max(0, state.throttles - 1) }, observation.firstByteMs, limits);
    case 'failed':
      return afterNoResponse(state, limits);
    case 'throttled':
      return afterThrottling(state, observation, limits);
    case 'crawl-delay':
      return withDelay({ ...state, crawlDelayMs: observation.crawlDelayMs }, state.delayMs, limits);
    case 'visited':
      return withDelay(state, state.delayMs, limits);
  }
}

/**
 * The first throttled URL pauses its host for as long as the server asks for, but not for long: the next URL shows whether
 * the host means all of them. The URL itself waits for the whole time. A URL that is throttled again adds no evidence.
 */
function afterThrottling(
  state: HostRate,
  { retryAfterMs, isRetry }: Extract<Observation, { kind: 'throttled' }>,
  limits: RateLimits,
): HostRate {
  const throttles = isRetry ? state.throttles : Math.min(MAX_THROTTLES, state.throttles + THROTTLE_WEIGHT);
  const counted = { ...state, throttles };
  if (!isThrottling(counted)) {
    const pauseMs = isRetry ? 0 : Math.min(retryAfterMs ?? limits.startDelayMs, limits.throttledMs);
    return { ...counted, pausedForMs: Math.max(state.pausedForMs, pauseMs) };
  }
  const slowed = withDelay(counted, Math.max(state.delayMs, limits.startDelayMs) * BACK_OFF, limits);
  return { ...slowed, pausedForMs: Math.max(state.pausedForMs, retryAfterMs ?? limits.throttledMs) };
}

export type RateChange = 'faster' | 'slower' | 'paused' | 'breaker-opened' | 'breaker-closed';

/** The change between two states that is worth reporting; null if there is none. */
export function rateChange(before: HostRate, after: HostRate): RateChange | null {
  const paused = after.pausedForMs > before.pausedForMs;
  if (after.breaker === 'open' && (before.breaker !== 'open' || paused)) return 'breaker-opened';
  if (after.breaker === 'closed' && before.breaker !== 'closed') return 'breaker-closed';
  if (paused) return 'paused';
  if (after.delayMs === before.delayMs) return null;
  return after.delayMs < before.delayMs ? 'faster' : 'slower';
}

function afterResponse(state: HostRate, firstByteMs: number | null, limits: RateLimits): HostRate {
  switch (currentBreaker(state)) {
    case 'open':
      return afterSuccess(state);
    case 'half-open':
      return withDelay(afterSuccess(state), limits.startDelayMs, limits);
    case 'closed':
      return withDelay(afterSuccess(state), adjustedDelay(state.delayMs, firstByteMs, limits), limits);
  }
}

function adjustedDelay(delayMs: number, firstByteMs: number | null, limits: RateLimits): number {
  if (firstByteMs === null) return delayMs;
  if (firstByteMs <= limits.quickMs) return delayMs * (delayMs > limits.startDelayMs ? RECOVERY_SPEED_UP : SPEED_UP);
  return firstByteMs > limits.slowMs ? Math.max(delayMs * SLOW_DOWN, firstByteMs) : delayMs;
}

function afterNoResponse(state: HostRate, limits: RateLimits): HostRate {
  const { startDelayMs, breakerFailures: failureThreshold, circuitBreakerMs } = limits;
  const next = afterFailure(state, { failureThreshold, openMs: circuitBreakerMs, maxOpenMs: circuitBreakerMs });
  if (currentBreaker(state) === 'open') return next;
  return withDelay(next, Math.max(state.delayMs, startDelayMs) * BACK_OFF, limits);
}

/** Never below our own minimum, nor below the Crawl-delay of robots.txt. */
function withDelay(state: HostRate, delayMs: number, limits: RateLimits): HostRate {
  const floorMs = Math.max(limits.minDelayMs, state.crawlDelayMs ?? 0);
  return { ...state, delayMs: Math.round(Math.max(floorMs, Math.min(delayMs, limits.maxDelayMs))) };
}

/** The part of a fetch outcome that matters for the rate. */
export type ObservedOutcome =
  | { readonly kind: 'fetched' | 'unchanged' | 'not-found'; readonly firstByteMs: number }
  | { readonly kind: 'redirected' }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | null }
  | { readonly kind: 'failed'; readonly code: string; readonly status: number | null; readonly retryable: boolean };

/**
 * Null if the outcome shows nothing about the host: it was never reached, or the fault is in the page. `isRetry`: the
 * URL was requested before.
 */
export function toObservation(outcome: ObservedOutcome, isRetry: boolean): Observation | null {
  switch (outcome.kind) {
    case 'fetched':
    case 'unchanged':
    case 'not-found':
      return { kind: 'answered', firstByteMs: outcome.firstByteMs };
    case 'redirected':
      return { kind: 'answered', firstByteMs: null };
    case 'throttled':
      return { kind: 'throttled', retryAfterMs: outcome.retryAfterMs, isRetry };
    case 'failed':
      // A limit of this machine, not of the host.
      if (outcome.code === 'fetch.exhausted') return null;
      if (outcome.retryable) return { kind: 'failed' };
      return outcome.status === null ? null : { kind: 'answered', firstByteMs: null };
  }
}
