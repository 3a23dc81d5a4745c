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
import { decodeUtf8 } from '../../core/model/decode-utf8.ts';
import { createLruCache } from '../../core/model/lru-cache.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { RunId } from '../../core/model/run.ts';
import { retryDelay } from '../../core/rate/retry-delay.ts';
import type { RobotsFile } from '../../store/port.ts';
import { createPoliteFetch, ANONYMOUS, type PoliteFetchDeps } from './polite-fetch.ts';
import { fetchFollowingRedirects, type FollowedRequest } from './follow-redirects.ts';
import type { CrawlLimits, CrawlPorts } from '../context/ports.ts';
import type { CrawlClock } from './host-rate-limiter.ts';
import { sleep } from '../context/retry.ts';

export interface RobotsCache {
  /** Fetches the file if there is no fresh copy; rate changes are recorded for `run`. */
  accessFor(page: PageUrl, run: RunId | null, signal: AbortSignal): Promise<RobotsAccess>;
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
  const cache = createLruCache<string, CachedAccess>(MAX_CACHE_ENTRIES);
  const pending = new Map<string, Promise<RobotsAccess>>();

  async function load({ page, run }: RobotsRequest, signal: AbortSignal): Promise<RobotsAccess> {
    const { origin } = new URL(page);
    const file = await ports.store.hosts.robots(origin);
    const access = file?.isFresh ? accessOf(file) : await fetchAndStore(deps, { page, run }, file, signal);
    cache.set(origin, { access, until: now() + freshForMs(access) });
    return access;
  }

  return {
    cached: (page) => cache.get(new URL(page).origin)?.access ?? null,
    async accessFor(page, run, signal) {
      const { origin } = new URL(page);
      for (;;) {
        const cached = cache.get(origin);
        if (cached !== undefined && cached.until > now()) return cached.access;
        const shared = pending.get(origin);
        const loading = shared ?? load({ page, run }, signal).finally(() => pending.delete(origin));
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

async function fetchAndStore(
  deps: RobotsDeps,
  { page, run }: RobotsRequest,
  file: RobotsFile | null,
  signal: AbortSignal,
): Promise<RobotsAccess> {
  const { ports, rateTracker } = deps;
  const { attempt, body } = await fetchRobots(deps, { page, run }, signal);
  const stored = file?.body == null ? null : { robots: parseRobots(file.body), ageMs: file.ageMs };
  const access = robotsFromFetch(attempt, stored satisfies CachedRobots | null);
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
  const politeFetch = createPoliteFetch(deps, { ...ANONYMOUS, run }, signal);
  const options = {
    request: (url: PageUrl) => politeFetch({ url, accept: 'text/plain, */*;q=0.5', cutAtBytes: MAX_ROBOTS_BYTES }),
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
    const tooMany = end.kind === 'broken' && end.verdict.because !== 'downgrade' && end.verdict.because !== 'no-target';
    const why = end.kind === 'broken' ? `redirect: ${end.verdict.rule}` : end.rule;
    return { attempt: tooMany ? { kind: 'too-many-redirects' } : { kind: 'failed', why }, body: null };
  }
  const { outcome } = end;
  switch (outcome.kind) {
    case 'fetched':
      return { attempt: answered(outcome.status, outcome), body: decodeUtf8(outcome.body) };
    case 'gone':
      return { attempt: answered(outcome.status, null), body: null };
    case 'throttled':
      return { attempt: { ...answered(outcome.status, null), retryAfterMs: outcome.retryAfterMs }, body: null };
    case 'unchanged':
      return { attempt: { kind: 'failed', why: 'status 304 for a request without validators' }, body: null };
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
  return outcome.status === null ? { kind: 'failed', why: outcome.reason } : answered(outcome.status, null);
}

/** The verdict without the parsed file, which is parsed again from its text. */
function storedAccess(access: RobotsAccess): Record<string, string> {
  return access.kind === 'rules' ? { kind: 'rules' } : { kind: access.kind, because: access.because };
}

function freshForMs(access: RobotsAccess): number {
  return 'freshForMs' in access ? access.freshForMs : access.retryAfterMs;
}

function accessOf(file: RobotsFile): RobotsAccess {
  const stated = file.access['because'];
  const because = typeof stated === 'string' ? stated : '';
  const robots: Robots | null = file.body === null ? null : parseRobots(file.body);
  const hour = 3_600_000;
  if (file.access['kind'] === 'allow-all') return { kind: 'allow-all', because, freshForMs: hour };
  if (robots === null) return { kind: 'disallow-all', because, retryAfterMs: 60_000 };
  return file.access['kind'] === 'stale'
    ? { kind: 'stale', robots, because, ageMs: file.ageMs, retryAfterMs: 60_000 }
    : { kind: 'rules', robots, warnings: [], freshForMs: hour };
}
