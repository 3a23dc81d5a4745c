// Keeps what robots.txt of each authority says: asked once, at the host's pace, and shared through the store.

import { parseRobots, type Robots } from '../core/discover/robots.ts';
import {
  ROBOTS_MAX_REDIRECTS,
  robotsFromFetch,
  robotsUrl,
  type KnownRobots,
  type RobotsAccess,
  type RobotsAttempt,
} from '../core/discover/robots-fetch.ts';
import { decodeUtf8 } from '../core/model/text.ts';
import { hostOf, type PageUrl } from '../core/model/page-url.ts';
import type { RobotsFile } from '../store/port.ts';
import type { CrawlStages } from './stages.ts';
import { waitFor } from './wait-for.ts';

export interface RobotsKeeper {
  /** Asks the server where nothing fresh is known. */
  accessFor(page: PageUrl, signal: AbortSignal): Promise<RobotsAccess>;
  /** What is known without asking; null where nothing is. */
  known(page: PageUrl): RobotsAccess | null;
}

const MAX_ROBOTS_BYTES = 512_000;

interface Kept {
  readonly access: RobotsAccess;
  readonly until: number;
}

export function createRobotsKeeper(stages: CrawlStages, now: () => number): RobotsKeeper {
  const kept = new Map<string, Kept>();
  const asking = new Map<string, Promise<RobotsAccess>>();

  async function learn(page: PageUrl, signal: AbortSignal): Promise<RobotsAccess> {
    const { origin } = new URL(page);
    const file = await stages.store.hosts.robots(origin);
    const access = file?.fresh ? accessOf(file) : await ask(stages, page, file, signal);
    kept.set(origin, { access, until: now() + freshFor(access) });
    return access;
  }

  return {
    known: (page) => kept.get(new URL(page).origin)?.access ?? null,
    async accessFor(page, signal) {
      const { origin } = new URL(page);
      const before = kept.get(origin);
      if (before !== undefined && before.until > now()) return before.access;
      const running = asking.get(origin) ?? learn(page, signal).finally(() => asking.delete(origin));
      asking.set(origin, running);
      return running;
    },
  };
}

async function ask(
  stages: CrawlStages,
  page: PageUrl,
  file: RobotsFile | null,
  signal: AbortSignal,
): Promise<RobotsAccess> {
  const { attempt, body } = await fetchRobots(stages, robotsUrl(page), signal);
  const before = file?.body == null ? null : { robots: parseRobots(file.body), ageMs: file.ageMs };
  const access = robotsFromFetch(attempt, before satisfies KnownRobots | null);
  // What our guard refuses, or a network that is away, says nothing about the site: another process asks for itself.
  if (attempt.kind === 'blocked-address' || attempt.kind === 'failed') return access;
  const kept = access.kind === 'rules' ? body : (file?.body ?? null);
  await stages.store.hosts.keepRobots(new URL(page).origin, facts(access), kept, freshFor(access));
  return access;
}

async function fetchRobots(
  stages: CrawlStages,
  start: PageUrl,
  signal: AbortSignal,
): Promise<{ attempt: RobotsAttempt; body: string | null }> {
  let url = start;
  for (let hops = 0; hops <= ROBOTS_MAX_REDIRECTS; hops += 1) {
    await waitFor(await stages.store.hosts.reserve(hostOf(url)), signal);
    const outcome = await stages.fetcher.fetch(
      { url, accept: 'text/plain, */*;q=0.5', cutAtBytes: MAX_ROBOTS_BYTES },
      signal,
    );
    switch (outcome.kind) {
      case 'redirected':
        if (outcome.to === null) return { attempt: { kind: 'failed', why: 'redirected to nowhere' }, body: null };
        url = outcome.to;
        break;
      case 'fetched':
        return { attempt: answered(outcome.status, outcome), body: decodeUtf8(outcome.body) };
      case 'gone':
        return { attempt: answered(outcome.status, null), body: null };
      case 'throttled':
        return { attempt: { ...answered(outcome.status, null), retryAfterMs: outcome.retryAfterMs }, body: null };
      case 'unchanged':
        return { attempt: { kind: 'failed', why: 'an answer of 304 to a question without validators' }, body: null };
      case 'failed':
        return { attempt: failedAttempt(outcome), body: null };
    }
  }
  return { attempt: { kind: 'too-many-redirects' }, body: null };
}

type Answer = Extract<RobotsAttempt, { kind: 'answered' }>;

function answered(
  status: number,
  page: {
    body: Uint8Array;
    mediaType: string | null;
    truncated: boolean;
    headers: Readonly<Record<string, string>>;
  } | null,
): Answer {
  const maxAge = /max-age=(\d{1,9})/.exec(page?.headers['cache-control'] ?? '')?.[1];
  return {
    kind: 'answered',
    status,
    body: page?.body ?? new Uint8Array(),
    mediaType: page?.mediaType ?? null,
    cut: page?.truncated ?? false,
    retryAfterMs: null,
    maxAgeMs: maxAge === undefined ? null : Number(maxAge) * 1000,
  };
}

function failedAttempt(outcome: { code: string; reason: string; status: number | null }): RobotsAttempt {
  if (outcome.code === 'fetch.blocked-address') return { kind: 'blocked-address', rule: outcome.reason };
  return outcome.status === null ? { kind: 'failed', why: outcome.reason } : answered(outcome.status, null);
}

/** Everything of the verdict but the parsed file, which is read again from its text. */
function facts(access: RobotsAccess): Record<string, string> {
  return access.kind === 'rules' ? { kind: 'rules' } : { kind: access.kind, because: access.because };
}

function freshFor(access: RobotsAccess): number {
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
