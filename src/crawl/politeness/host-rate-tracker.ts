// Adapts each host's rate to its responses, and records for the run what changed and why. Most responses change
// nothing: then nothing is written, and host state is read from the store at most once a second.

import {
  toObservation,
  RATE_LIMITS,
  adaptDelay,
  rateChange,
  type Observation,
  type RateChange,
} from '../../core/rate/adapt-delay.ts';
import { currentBreaker } from '../../core/rate/circuit-breaker.ts';
import { createLruCache } from '../../core/lru-cache.ts';
import { hostOf, type PageUrl } from '../../core/model/page-url.ts';
import type { RunId } from '../../core/model/run.ts';
import type { FetchOutcome } from '../../fetch/port.ts';
import type { Store } from '../../store/port.ts';
import type { Hosts, HostState } from '../../store/port/hosts.ts';
import type { ReportProblem } from '../context/report-problem.ts';
import type { CrawlLimits } from '../context/ports.ts';

export interface HostRequest {
  /** Null for a request without a run. */
  readonly run: RunId | null;
  readonly url: PageUrl;
  /** The URL was requested before in this run. */
  readonly isRetry?: boolean;
}

export interface HostRateTracker {
  observe(request: HostRequest, outcome: FetchOutcome): Promise<void>;
  /** robots.txt was read; null if it has no Crawl-delay. */
  crawlDelay(request: HostRequest, crawlDelayMs: number | null): Promise<void>;
  /** A run is about to crawl the host: its source may limit the rate further. */
  visit(request: HostRequest): Promise<void>;
  /** How long the host is paused. For a rate-limited host the value is at most 200 ms old. */
  pausedForMs(host: string, delayMs: number): Promise<number>;
}

export interface HostRateTrackerDeps {
  readonly store: Pick<Store, 'hosts' | 'journal'>;
  readonly limits: Pick<CrawlLimits, 'startDelayMs' | 'minDelayMs' | 'circuitBreakerMs'>;
  readonly nowMs: () => number;
  readonly report: ReportProblem;
  /** The minimum delay between two requests that the source of a run sets; 0 if none. */
  readonly sourceDelayMs: (run: RunId) => Promise<number>;
}

const CACHE_MS = 1000;
const PAUSE_CACHE_MS = 200;
const MAX_CACHE_ENTRIES = 10_000;

export function createHostRateTracker(deps: HostRateTrackerDeps): HostRateTracker {
  const { store, nowMs } = deps;
  const cache = createHostStateCache(store.hosts, nowMs);
  const { startDelayMs, minDelayMs, circuitBreakerMs } = deps.limits;
  // Rate limiting that is turned off, for one's own servers, stays off: slow responses do not turn it on.
  const range = startDelayMs === 0 ? { minDelayMs: 0, maxDelayMs: 0 } : { minDelayMs };
  const rateLimits = { ...RATE_LIMITS, ...range, startDelayMs, circuitBreakerMs };

  async function adjust(request: HostRequest, observed: Observed): Promise<void> {
    const host = hostOf(request.url);
    const sourceMs = request.run === null ? 0 : await deps.sourceDelayMs(request.run);
    const limits = { ...rateLimits, minDelayMs: Math.max(rateLimits.minDelayMs, sourceMs) };
    const next = (state: HostState): HostState => ({ ...adaptDelay(state, observed.observation, limits), host });
    const cached = await cache.get(host, CACHE_MS);
    const expected = next(cached);
    // While a breaker is not closed, only the database knows whether its pause is over: the answer to a probe must count.
    const isClosed = cached.breaker === 'closed';
    if (isClosed && rateChange(cached, expected) === null && hasSameCounters(cached, expected)) return;
    let before = cached;
    const after = cache.set(
      await store.hosts.adjust(host, (state) => {
        before = state;
        return next(state);
      }),
    );
    const change = rateChange(before, after);
    if (request.run === null || change === null) return;
    await recordChange(request.run, { before, after, change, reason: observed.reason }, deps);
  }

  return {
    async observe(request, outcome) {
      const observation = toObservation(outcome, request.isRetry ?? false);
      if (observation !== null) await adjust(request, { observation, reason: reasonOf(outcome) });
    },
    async crawlDelay(request, crawlDelayMs) {
      const reason = crawlDelayMs === null ? 'robots.txt has no Crawl-delay' : `Crawl-delay ${crawlDelayMs / 1000}`;
      await adjust(request, { observation: { kind: 'crawl-delay', crawlDelayMs }, reason });
    },
    visit: (request) => adjust(request, { observation: { kind: 'visited' }, reason: 'rate limit of the source' }),
    async pausedForMs(host, delayMs) {
      const cached = await cache.get(host, delayMs === 0 ? CACHE_MS : PAUSE_CACHE_MS);
      // A cached pause ends some milliseconds after the stored one. A probe that is given back for that blocks its host for
      // a whole lease.
      return cached.pausedForMs > 0 ? (await cache.read(host)).pausedForMs : 0;
    },
  };
}

interface HostStateCache {
  get(host: string, freshMs: number): Promise<HostState>;
  /** From the store. */
  read(host: string): Promise<HostState>;
  set(state: HostState): HostState;
}

/** Host state as the store last returned it. */
function createHostStateCache(hosts: Hosts, nowMs: () => number): HostStateCache {
  const cache = createLruCache<string, { readonly state: HostState; readonly atMs: number }>(MAX_CACHE_ENTRIES);
  const set = (state: HostState): HostState => {
    cache.set(state.host, { state, atMs: nowMs() });
    return state;
  };
  const read = async (host: string): Promise<HostState> => set(await hosts.get(host));
  return {
    set,
    read,
    async get(host, freshMs) {
      const cached = cache.get(host);
      const ageMs = cached === undefined ? Infinity : nowMs() - cached.atMs;
      if (cached === undefined || ageMs > freshMs) return read(host);
      // The pause is reduced by the age of the entry.
      return { ...cached.state, pausedForMs: Math.max(0, cached.state.pausedForMs - ageMs) };
    },
  };
}

async function recordChange(
  run: RunId,
  record: RateChangeRecord,
  { store, report }: HostRateTrackerDeps,
): Promise<void> {
  const { before, after, change, reason } = record;
  const { host, delayMs, pausedForMs, failures } = after;
  const probe = { host, change: 'breaker-half-open', reason: 'its pause is over' };
  const wasProbed = before.breaker !== 'closed' && currentBreaker(before) === 'half-open';
  await store.journal.append(run, [
    ...(wasProbed ? [{ kind: 'rate-changed', url: null, detail: probe }] : []),
    {
      kind: 'rate-changed',
      url: null,
      detail: { host, change, reason, delayMs, wasMs: before.delayMs, pausedForMs },
    },
  ]);
  if (change !== 'breaker-opened' && change !== 'paused') return;
  const pause = `is paused for ${Math.ceil(pausedForMs / 1000)} s`;
  const isFailing = change === 'breaker-opened';
  await report({
    run,
    kind: isFailing ? 'host-failing' : 'host-throttled',
    severity: 'warning',
    scope: 'host',
    target: host,
    message: isFailing
      ? `It failed ${failures} times in a row (${reason}) and ${pause}`
      : `It asked for a slower rate (${reason}) and ${pause}`,
    details: { delayMs, pausedForMs, reason },
  });
}

interface Observed {
  readonly observation: Observation;
  readonly reason: string;
}

interface RateChangeRecord {
  readonly before: HostState;
  readonly after: HostState;
  readonly change: RateChange;
  readonly reason: string;
}

function hasSameCounters(a: HostState, b: HostState): boolean {
  return a.failures === b.failures && a.crawlDelayMs === b.crawlDelayMs && a.throttles === b.throttles;
}

function reasonOf(outcome: FetchOutcome): string {
  switch (outcome.kind) {
    case 'throttled':
      return outcome.retryAfterMs === null
        ? `status ${outcome.status}`
        : `status ${outcome.status}, Retry-After ${Math.round(outcome.retryAfterMs / 1000)} s`;
    case 'failed':
      return outcome.reason === '' ? outcome.code : outcome.reason;
    case 'fetched':
    case 'unchanged':
    case 'not-found':
      return `response within ${Math.round(outcome.firstByteMs)} ms`;
    case 'redirected':
      return 'response received';
  }
}
