// Keeps what robots.txt of each authority says: asked once, at the host's pace, and shared through the store.

import { crawlDelayMs, parseRobots, type Robots } from '../../core/discover/robots/robots.ts';
import {
  ROBOTS_MAX_REDIRECTS,
  robotsFromFetch,
  robotsUrl,
  type KnownRobots,
  type RobotsAccess,
  type RobotsAttempt,
} from '../../core/discover/robots/robots-access.ts';
import { decodeUtf8 } from '../../core/model/decode-utf8.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { RunId } from '../../core/model/run.ts';
import { retryDelay } from '../../core/rate/retry-delay.ts';
import type { RobotsFile } from '../../store/port.ts';
import { createAskHost, NOBODY, type AskDeps } from './polite-fetch.ts';
import { askFollowing, type Followed } from './follow-redirects.ts';
import type { CrawlLimits, CrawlStages } from '../context/ports.ts';
import type { TurnClock } from './host-rate-limiter.ts';
import { waitFor } from '../../operate/wait-for.ts';

export interface RobotsKeeper {
  /** Asks the server where nothing fresh is known; `run` is told of what changes by it. */
  accessFor(page: PageUrl, run: RunId | null, signal: AbortSignal): Promise<RobotsAccess>;
  /** What is known without asking; null where nothing is. */
  known(page: PageUrl): RobotsAccess | null;
}

const MAX_ROBOTS_BYTES = 512_000;

interface Kept {
  readonly access: RobotsAccess;
  readonly until: number;
}

export interface RobotsDeps extends AskDeps {
  readonly stages: Pick<CrawlStages, 'store' | 'fetcher'>;
  readonly clock: TurnClock;
  readonly limits: Pick<CrawlLimits, 'retryBaseMs'>;
  readonly now: () => number;
}

interface AskedBy {
  readonly page: PageUrl;
  readonly run: RunId | null;
}

export function createRobotsKeeper(deps: RobotsDeps): RobotsKeeper {
  const { stages, now } = deps;
  const kept = new Map<string, Kept>();
  const asking = new Map<string, Promise<RobotsAccess>>();

  async function learn({ page, run }: AskedBy, signal: AbortSignal): Promise<RobotsAccess> {
    const { origin } = new URL(page);
    const file = await stages.store.hosts.robots(origin);
    const access = file?.fresh ? accessOf(file) : await ask(deps, { page, run }, file, signal);
    kept.set(origin, { access, until: now() + freshFor(access) });
    return access;
  }

  return {
    known: (page) => kept.get(new URL(page).origin)?.access ?? null,
    async accessFor(page, run, signal) {
      const { origin } = new URL(page);
      const before = kept.get(origin);
      if (before !== undefined && before.until > now()) return before.access;
      const running = asking.get(origin) ?? learn({ page, run }, signal).finally(() => asking.delete(origin));
      asking.set(origin, running);
      return running;
    },
  };
}

async function ask(
  deps: RobotsDeps,
  { page, run }: AskedBy,
  file: RobotsFile | null,
  signal: AbortSignal,
): Promise<RobotsAccess> {
  const { stages, watch } = deps;
  const { attempt, body } = await fetchRobots(deps, { page, run }, signal);
  const before = file?.body == null ? null : { robots: parseRobots(file.body), ageMs: file.ageMs };
  const access = robotsFromFetch(attempt, before satisfies KnownRobots | null);
  // What our guard refuses, or a network that is away, says nothing about the site: another process asks for itself.
  if (attempt.kind === 'blocked-address' || attempt.kind === 'failed') return access;
  const kept = access.kind === 'rules' ? body : (file?.body ?? null);
  await stages.store.hosts.keepRobots(new URL(page).origin, facts(access), kept, freshFor(access));
  if (access.kind === 'rules' || access.kind === 'allow-all') {
    await watch.crawlDelay({ run, url: page }, access.kind === 'rules' ? crawlDelayMs(access.robots) : null);
  }
  return access;
}

/** A server that stumbles closes its whole site to us, so it is asked again before that is believed. */
const TRIES = 3;

async function fetchRobots(deps: RobotsDeps, { page, run }: AskedBy, signal: AbortSignal): Promise<Asked> {
  const askHost = createAskHost(deps, { ...NOBODY, run }, signal);
  const following = {
    ask: (url: PageUrl) => askHost({ url, accept: 'text/plain, */*;q=0.5', cutAtBytes: MAX_ROBOTS_BYTES }),
    maxRedirects: ROBOTS_MAX_REDIRECTS,
  };
  for (let tries = 1; ; tries += 1) {
    const asked = askedOf(await askFollowing(robotsUrl(page), following));
    if (tries === TRIES || !isPassing(asked.attempt)) return asked;
    await waitFor(retryDelay(tries, deps.clock.random(), deps.limits.retryBaseMs), signal);
  }
}

function isPassing(attempt: RobotsAttempt): boolean {
  if (attempt.kind === 'failed') return true;
  return attempt.kind === 'answered' && attempt.status >= 500 && attempt.retryAfterMs === null;
}

interface Asked {
  readonly attempt: RobotsAttempt;
  readonly body: string | null;
}

function askedOf({ end }: Followed): Asked {
  if (end.kind !== 'answered') {
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
      return { attempt: { kind: 'failed', why: 'an answer of 304 to a question without validators' }, body: null };
    case 'failed':
      return { attempt: failedAttempt(outcome), body: null };
  }
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
