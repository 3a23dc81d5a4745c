// Loads a list of pages, several at once, with retries and circuit breakers. Results come in the order of the list, whatever
// the order in which they arrive, and a page that fails leaves a gap and its reason.

import { createBreakerGate, type BreakerGate, type BreakerPolicy } from '../../core/rate/circuit-breaker.ts';
import { pinakesError, type PinakesError } from '../../core/model/errors.ts';
import { createLruCache } from '../../core/lru-cache.ts';
import type { Log } from '../../platform/log.ts';
import { redactText } from '../../platform/redact.ts';
import { createSemaphore, type Semaphore } from '../../platform/semaphore.ts';
import type { LoadedPage } from './loaded-page.ts';
import type { FailedPage, LoadOutcome, PageSource } from './page-sources.ts';

export interface BatchSettings {
  readonly maxConcurrentRequests: number;
  readonly maxRetries: number;
  /** Seconds before each retry; the last one repeats. */
  readonly retryDelays: readonly number[];
  /** Whether the first failure ends the batch. */
  readonly failOnError: boolean;
}

export interface BatchDeps {
  readonly source: PageSource;
  readonly breakers: Breakers;
  readonly log: Log;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * @example
 * const textOf = (result: LoadResult): string => (result.kind === 'loaded' ? result.page.text : '');
 */
export type LoadResult =
  | { readonly kind: 'loaded'; readonly url: string; readonly page: LoadedPage }
  | { readonly kind: 'failed'; readonly url: string; readonly error: PinakesError };

/** One per server. */
export type Breakers = (server: string) => BreakerGate;

const BREAKER_POLICY: BreakerPolicy = { failureThreshold: 5, openMs: 60_000, maxOpenMs: 60_000 };
const MAX_SERVERS = 10_000;
/** A server that asks for more fails this time. */
const MAX_RETRY_AFTER_MS = 300_000;

export function createBreakers(nowMs: () => number): Breakers {
  const gates = createLruCache<string, BreakerGate>(MAX_SERVERS);
  return (server) => {
    const existing = gates.get(server);
    if (existing !== undefined) return existing;
    const created = createBreakerGate(BREAKER_POLICY, nowMs);
    gates.set(server, created);
    return created;
  };
}

/**
 * Yields one result per URL, in order. At most `ahead` URLs are read beyond the result that is due, so that a list of any length
 * needs bounded memory. A failure with `failOnError` rejects as soon as it occurs and aborts the other requests. Requests that
 * are under way when the caller stops iterating are aborted.
 */
export async function* loadInOrder(
  urls: Iterable<string> | AsyncIterable<string>,
  deps: BatchDeps,
  settings: BatchSettings,
  { ahead, signal }: { readonly ahead: number; readonly signal: AbortSignal },
): AsyncGenerator<LoadResult, void> {
  const stop = new AbortController();
  const until = AbortSignal.any([signal, stop.signal]);
  const slots = createSemaphore(settings.maxConcurrentRequests);
  let failure: PinakesError | null = null;
  let rejectFirst: ((error: PinakesError) => void) | null = null;
  const start = async (url: string): Promise<LoadResult> => {
    await slots.acquire();
    const result = await loadOne(url, withoutSlot(deps, slots), settings, until).finally(() => slots.release());
    if (result.kind === 'failed' && settings.failOnError) {
      failure ??= result.error;
      rejectFirst?.(failure);
    }
    return result;
  };
  const due: Array<Promise<LoadResult>> = [];
  const reader = readerOf(urls);
  const readNext = async (): Promise<boolean> => {
    const next = await reader.next();
    if (next.done !== true) due.push(handled(start(next.value)));
    return next.done !== true;
  };
  let isEnd = false;
  try {
    for (;;) {
      while (!isEnd && due.length <= ahead) isEnd = !(await readNext());
      const first = due.shift();
      if (first === undefined) return;
      // A race with a promise that outlives it would retain every result until the end.
      const { promise, resolve, reject } = Promise.withResolvers<LoadResult>();
      rejectFirst = reject;
      if (failure !== null) reject(failure);
      first.then(resolve, reject);
      yield await promise;
    }
  } finally {
    stop.abort();
    await reader.return?.();
    await Promise.allSettled(due);
  }
}

/** A page that waits for its next attempt lets others use its slot. */
function withoutSlot(deps: BatchDeps, slots: Semaphore): BatchDeps {
  return {
    ...deps,
    async sleep(ms, signal) {
      slots.release();
      try {
        await deps.sleep(ms, signal);
      } finally {
        await slots.acquire();
      }
    },
  };
}

/** A rejection is reported when its result is due. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

function readerOf(urls: Iterable<string> | AsyncIterable<string>): AsyncIterator<string> | Iterator<string> {
  return Symbol.asyncIterator in urls ? urls[Symbol.asyncIterator]() : urls[Symbol.iterator]();
}

async function loadOne(
  url: string,
  deps: BatchDeps,
  settings: BatchSettings,
  signal: AbortSignal,
): Promise<LoadResult> {
  signal.throwIfAborted();
  const { source, log } = deps;
  const server = source.serverOf(url);
  const breaker = deps.breakers(server);
  const shown = redactText(url);
  if (!breaker.admit()) {
    log.error('Circuit breaker open, rejecting request', { url: shown, state: 'open' });
    return { kind: 'failed', url, error: pinakesError('load.circuit-open', { url: shown, server }) };
  }
  const outcome = await retry(url, { ...deps, breaker }, settings, signal);
  if (outcome.kind === 'loaded') {
    breaker.succeeded();
    return { kind: 'loaded', url, page: outcome.page };
  }
  // A page that cannot be loaded says nothing about its server, but that it responds.
  if (outcome.retryable) breaker.failed({ retryable: true, waitMs: 0 });
  else breaker.succeeded();
  const { breaker: state, failures } = breaker.now();
  if (state === 'open') log.warn('Circuit breaker opened after failures', { url: shown, failures, state });
  const { error } = outcome;
  if (!settings.failOnError)
    log.error(`Skipping failed URL ${shown}`, { url: shown, code: error.code, error: error.message });
  return { kind: 'failed', url, error };
}

async function retry(
  url: string,
  { source, log, sleep, breaker }: BatchDeps & { readonly breaker: BreakerGate },
  { maxRetries, retryDelays }: BatchSettings,
  signal: AbortSignal,
): Promise<LoadOutcome> {
  const shown = redactText(url);
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await source.load(url, signal);
    if (outcome.kind === 'loaded' || !outcome.retryable) return outcome;
    const delayMs = delayBefore(outcome, retryDelays[Math.min(attempt, retryDelays.length - 1)] ?? 0);
    const { message: error } = outcome.error;
    if (attempt >= maxRetries || delayMs > MAX_RETRY_AFTER_MS) {
      log.error(`Crawl failed after ${attempt + 1} attempts`, { url: shown, error });
      return outcome;
    }
    const delay = delayMs / 1000;
    const message = `Crawl attempt ${attempt + 1} failed for ${shown}, retrying in ${delay}s`;
    log.warn(message, { url: shown, attempt: attempt + 1, error, delay });
    await sleep(delayMs, signal);
    // Other pages were loaded in the meantime, and may have opened it.
    if (breaker.now().breaker === 'open') return outcome;
  }
}

function delayBefore({ retryAfterMs }: FailedPage, seconds: number): number {
  return Math.max(seconds * 1000, retryAfterMs ?? 0);
}
