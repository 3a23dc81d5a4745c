// Cache of robots.txt per origin: fetched once, within the host's rate limit, and shared through the store.

import { crawlDelayMs, parseRobots, type Robots } from '../../core/discover/robots/robots.ts';
import {
  ROBOTS_MAX_REDIRECTS,
  robotsFromFetch,
  robotsUrl,
  type CachedRobots,
  type RobotsAccess,
  type RobotsAttempt,
} from '../../core/discover/robots/robots-access.ts';
import { decodeUtf8 } from '../../core/text/decode-utf8.ts';
import { createLruCache } from '../../core/lru-cache.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { RunId } from '../../core/model/run.ts';
import { retryDelay } from '../../core/rate/retry-delay.ts';
import type { RobotsFile } from '../../store/port/hosts.ts';
import { createPoliteFetch, NO_RUN, type PoliteFetchDeps } from './polite-fetch.ts';
import { fetchFollowingRedirects, type FollowedRequest } from '../../fetch/follow-redirects.ts';
import type { FetchOutcome, FetchRequest } from '../../fetch/port.ts';
import type { CrawlLimits, CrawlPorts } from '../context/ports.ts';
import type { CrawlClock } from './host-rate-limiter.ts';
import { sleep } from '../../platform/clock.ts';

export interface RobotsCache {
  /** Fetches the file if there is no fresh copy; rate changes are recorded for `run`. */
  accessFor(page: PageUrl, run: RunId | null, signal: AbortSignal): Promise<RobotsAccess>;
  /**
   * For data that a page in a browser asks of another host. The file is requested once, without a slot of that host, and
   * nothing is written: a page must not slow down the crawl of others, or fill the store with hosts that it made up.
   */
  accessForData(url: PageUrl, signal: AbortSignal): Promise<RobotsAccess>;
  /** Without a request; null if nothing is cached. */
  cached(page: PageUrl): RobotsAccess | null;
}

const MAX_ROBOTS_BYTES = 512_000;
/** Origins; the store has the files of all of them. */
const MAX_CACHE_ENTRIES = 1000;

interface CachedAccess {
  readonly access: RobotsAccess;
  readonly until: number;
}

export interface RobotsDeps extends PoliteFetchDeps {
  readonly ports: Pick<CrawlPorts, 'store' | 'fetcher'>;
  readonly clock: CrawlClock;
  readonly limits: Pick<CrawlLimits, 'retryBaseMs'>;
  readonly now: () => number;
}

interface RobotsRequest {
  readonly page: PageUrl;
  readonly run: RunId | null;
}

export function createRobotsCache(deps: RobotsDeps): RobotsCache {
  const { ports, now } = deps;
  const crawled = createAccessCache<RunId | null>(now, async (page, run, signal) => {
    const file = await ports.store.hosts.robots(new URL(page).origin);
    return file?.isFresh ? accessOf(file) : fetchAndStore(deps, { page, run }, file, signal);
  });
  const forData = createAccessCache<null>(now, async (page, _, signal) => {
    const file = await ports.store.hosts.robots(new URL(page).origin);
    return file?.isFresh ? accessOf(file) : fetchOnce(deps, page, file, signal);
  });
  return {
    ...crawled,
    accessForData: async (url, signal) => crawled.fresh(url) ?? forData.accessFor(url, null, signal),
  };
}

interface AccessCache<Context> {
  cached(page: PageUrl): RobotsAccess | null;
  fresh(page: PageUrl): RobotsAccess | null;
  accessFor(page: PageUrl, context: Context, signal: AbortSignal): Promise<RobotsAccess>;
}

/** By origin; each is loaded once, however many pages wait for it. */
function createAccessCache<Context>(
  now: () => number,
  load: (page: PageUrl, context: Context, signal: AbortSignal) => Promise<RobotsAccess>,
): AccessCache<Context> {
  const cache = createLruCache<string, CachedAccess>(MAX_CACHE_ENTRIES);
  const pending = new Map<string, Promise<RobotsAccess>>();

  async function loadAndCache(page: PageUrl, context: Context, signal: AbortSignal): Promise<RobotsAccess> {
    const access = await load(page, context, signal);
    cache.set(new URL(page).origin, { access, until: now() + freshForMs(access) });
    return access;
  }

  function fresh(page: PageUrl): RobotsAccess | null {
    const cached = cache.get(new URL(page).origin);
    return cached !== undefined && cached.until > now() ? cached.access : null;
  }

  return {
    cached: (page) => cache.get(new URL(page).origin)?.access ?? null,
    fresh,
    async accessFor(page, context, signal) {
      const { origin } = new URL(page);
      for (;;) {
        const cached = fresh(page);
        if (cached !== null) return cached;
        const shared = pending.get(origin);
        const loading = shared ?? loadAndCache(page, context, signal).finally(() => pending.delete(origin));
        pending.set(origin, loading);
        try {
          return await loading;
        } catch (error) {
          // It may have ended with the page that it was loaded for, which was aborted.
          if (shared === undefined || signal.aborted) throw error;
        }
      }
    },
  };
}

/** How long the data of a page may wait for the robots.txt of its host. */
const DATA_TIMEOUT_MS = 5000;

async function fetchOnce(
  { ports }: RobotsDeps,
  page: PageUrl,
  file: RobotsFile | null,
  signal: AbortSignal,
): Promise<RobotsAccess> {
  const request = (url: PageUrl): Promise<FetchOutcome> =>
    ports.fetcher.fetch({ ...robotsRequest(url), timeoutMs: DATA_TIMEOUT_MS }, signal);
  const maxRedirects = ROBOTS_MAX_REDIRECTS;
  const { attempt } = robotsFetchOf(await fetchFollowingRedirects(robotsUrl(page), { request, maxRedirects }));
  return robotsFromFetch(attempt, cachedRobots(file));
}

function robotsRequest(url: PageUrl): FetchRequest {
  return { url, accept: 'text/plain, */*;q=0.5', cutAtBytes: MAX_ROBOTS_BYTES };
}

function cachedRobots(file: RobotsFile | null): CachedRobots | null {
  return file?.body == null ? null : { robots: parseRobots(file.body), ageMs: file.ageMs };
}

async function fetchAndStore(
  deps: RobotsDeps,
  { page, run }: RobotsRequest,
  file: RobotsFile | null,
  signal: AbortSignal,
): Promise<RobotsAccess> {
  const { ports, rateTracker } = deps;
  const { attempt, body } = await fetchRobots(deps, { page, run }, signal);
  const access = robotsFromFetch(attempt, cachedRobots(file));
  // An address blocked by our guard or a network failure says nothing about the site: another process fetches for
  // itself.
  if (attempt.kind === 'blocked-address' || attempt.kind === 'failed') return access;
  const storedBody = access.kind === 'rules' ? body : (file?.body ?? null);
  await ports.store.hosts.saveRobots(new URL(page).origin, storedAccess(access), storedBody, freshForMs(access));
  if (access.kind === 'rules' || access.kind === 'allow-all') {
    await rateTracker.crawlDelay({ run, url: page }, access.kind === 'rules' ? crawlDelayMs(access.robots) : null);
  }
  return access;
}

/** A failing robots.txt closes the whole site, so it is retried before that is accepted. */
const MAX_TRIES = 3;

async function fetchRobots(deps: RobotsDeps, { page, run }: RobotsRequest, signal: AbortSignal): Promise<RobotsFetch> {
  const politeFetch = createPoliteFetch(deps, { ...NO_RUN, run }, signal);
  const options = {
    request: (url: PageUrl) => politeFetch(robotsRequest(url)),
    maxRedirects: ROBOTS_MAX_REDIRECTS,
  };
  for (let tries = 1; ; tries += 1) {
    const result = robotsFetchOf(await fetchFollowingRedirects(robotsUrl(page), options));
    if (tries === MAX_TRIES || !isTransientAttempt(result.attempt)) return result;
    await sleep(retryDelay(tries, deps.clock.random(), deps.limits.retryBaseMs), signal);
  }
}

function isTransientAttempt(attempt: RobotsAttempt): boolean {
  if (attempt.kind === 'failed') return true;
  return attempt.kind === 'answered' && attempt.status >= 500 && attempt.retryAfterMs === null;
}

interface RobotsFetch {
  readonly attempt: RobotsAttempt;
  readonly body: string | null;
}

function robotsFetchOf({ end }: FollowedRequest): RobotsFetch {
  if (end.kind !== 'response') {
    const tooMany = end.kind === 'broken' && end.verdict.reason !== 'downgrade' && end.verdict.reason !== 'no-target';
    const reason = end.kind === 'broken' ? `redirect: ${end.verdict.rule}` : end.rule;
    return { attempt: tooMany ? { kind: 'too-many-redirects' } : { kind: 'failed', reason }, body: null };
  }
  const { outcome } = end;
  switch (outcome.kind) {
    case 'fetched':
      return { attempt: answered(outcome.status, outcome), body: decodeUtf8(outcome.body) };
    case 'not-found':
      return { attempt: answered(outcome.status, null), body: null };
    case 'throttled':
      return { attempt: { ...answered(outcome.status, null), retryAfterMs: outcome.retryAfterMs }, body: null };
    case 'unchanged':
      return { attempt: { kind: 'failed', reason: 'status 304 for a request without validators' }, body: null };
    case 'failed':
      return { attempt: failedAttempt(outcome), body: null };
  }
}

type RobotsResponse = Extract<RobotsAttempt, { kind: 'answered' }>;

function answered(
  status: number,
  page: {
    body: Uint8Array;
    mediaType: string | null;
    truncated: boolean;
    headers: Readonly<Record<string, string>>;
  } | null,
): RobotsResponse {
  const maxAge = /max-age=(\d{1,9})/.exec(page?.headers['cache-control'] ?? '')?.[1];
  return {
    kind: 'answered',
    status,
    body: page?.body ?? new Uint8Array(),
    mediaType: page?.mediaType ?? null,
    truncated: page?.truncated ?? false,
    retryAfterMs: null,
    maxAgeMs: maxAge === undefined ? null : Number(maxAge) * 1000,
  };
}

function failedAttempt(outcome: { code: string; reason: string; status: number | null }): RobotsAttempt {
  if (outcome.code === 'fetch.blocked-address') return { kind: 'blocked-address', rule: outcome.reason };
  return outcome.status === null ? { kind: 'failed', reason: outcome.reason } : answered(outcome.status, null);
}

/** The verdict without the parsed file, which is parsed again from its text. */
function storedAccess(access: RobotsAccess): Record<string, string> {
  return access.kind === 'rules' ? { kind: 'rules' } : { kind: access.kind, reason: access.reason };
}

function freshForMs(access: RobotsAccess): number {
  return 'freshForMs' in access ? access.freshForMs : access.retryAfterMs;
}

function accessOf(file: RobotsFile): RobotsAccess {
  const stated = file.access['reason'];
  const reason = typeof stated === 'string' ? stated : '';
  const robots: Robots | null = file.body === null ? null : parseRobots(file.body);
  const hour = 3_600_000;
  if (file.access['kind'] === 'allow-all') return { kind: 'allow-all', reason, freshForMs: hour };
  if (robots === null) return { kind: 'disallow-all', reason, retryAfterMs: 60_000 };
  return file.access['kind'] === 'stale'
    ? { kind: 'stale', robots, reason, ageMs: file.ageMs, retryAfterMs: 60_000 }
    : { kind: 'rules', robots, warnings: [], freshForMs: hour };
}
