// Many workers in many processes on one PostgreSQL, against two hosts. The servers' own logs show whether a request
// came too early.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { createLibrary } from '../../support/library.ts';
import type { RunningProgram } from '../../support/program.ts';
import { docPage, startDocSite, type DocSite } from '../../support/scripted-site.ts';

export interface PolitenessOptions {
  readonly processes: number;
  /** URLs that each process has in flight. */
  readonly concurrency: number;
  readonly seconds: number;
}

export interface HostStats {
  readonly host: string;
  readonly allowed: string;
  readonly requests: number;
  /** Requests beyond what any window of the allowed length may hold, considering the log's uncertainty. */
  readonly violations: number;
  /** By how much of its window the earliest of them came too early: a busy machine delays the request before it. */
  readonly earlyBy: number;
  /** Requests that a busy machine may have moved together in the log. */
  readonly unsure: number;
  readonly smallestGapMs: number;
  readonly ratePerSecond: { readonly firstFiveSeconds: number; readonly lastFiveSeconds: number };
  /** Processes that sent requests. */
  readonly askers: number;
}

export interface PolitenessStats extends PolitenessOptions {
  readonly hosts: readonly HostStats[];
  /** The rate changes in the run's events, by kind of change. */
  readonly rateEvents: Readonly<Record<string, number>>;
  /** How late this process, which keeps the logs, may have been. */
  readonly longestStallMs: number;
}

interface Allowance {
  readonly name: string;
  readonly requests: number;
  readonly withinMs: number;
}

const FIVE_A_SECOND: Allowance = { name: '5 requests/s', requests: 5, withinMs: 1000 };
const ONE_IN_TWO_SECONDS: Allowance = { name: 'Crawl-delay 2', requests: 1, withinMs: 2000 };

interface Logged {
  /** When the request was seen. */
  readonly atMs: number;
  /** When this process last checked for requests before: the request may have come at any time since. */
  readonly sinceMs: number;
  readonly asker: string;
}

/** A busy machine lets this process sleep. What it finds when it wakes up came some time before. */
function createHeartbeat(): { readonly lastMs: () => number; readonly stop: () => void } {
  let lastMs = performance.now();
  const timer = setInterval(() => (lastMs = performance.now()), 2);
  return { lastMs: () => lastMs, stop: () => clearInterval(timer) };
}

/** Every page links to ten others, so there is always more to fetch than the rate allows. */
async function endlessSite(robots: string, log: Logged[], lastMs: () => number): Promise<DocSite> {
  return startDocSite({}, (request, response) => {
    log.push({ atMs: performance.now(), sinceMs: lastMs(), asker: request.headers['user-agent'] ?? '' });
    const path = request.url ?? '';
    if (path === '/robots.txt') return void response.setHeader('content-type', 'text/plain').end(robots);
    const nth = /^\/docs\/(\d*)$/.exec(path)?.[1];
    if (nth === undefined) return void response.writeHead(404).end();
    const more = Array.from({ length: 10 }, (_, i) => `/docs/${Number(nth) * 10 + i + 1}`);
    response.setHeader('content-type', 'text/html').end(docPage(`page ${nth}`, more));
  });
}

export async function measurePoliteness(options: PolitenessOptions): Promise<PolitenessStats> {
  const logs: [Logged[], Logged[]] = [[], []];
  const heartbeat = createHeartbeat();
  const sites = [
    await endlessSite('User-agent: *\nAllow: /\n', logs[0], heartbeat.lastMs),
    await endlessSite('User-agent: *\nCrawl-delay: 2\n', logs[1], heartbeat.lastMs),
  ];
  const library = await createLibrary('postgres', {
    PINAKES_CRAWL_START_DELAY_MS: '1000',
    PINAKES_CRAWL_CONCURRENCY: String(options.concurrency),
    PINAKES_PARSE_THREADS: '1',
  });
  const stalls = monitorEventLoopDelay({ resolution: 5 });
  try {
    for (const [i, { origin }] of sites.entries()) {
      const added = await library.run('add', `${origin}/docs/`, '--name', `site-${i}`, '--preset', 'basic');
      if (added.code !== 0) throw new Error(added.stderr);
    }
    stalls.enable();
    const workers = Array.from({ length: options.processes }, (_, i) =>
      library.startAs({ PINAKES_FETCH_USER_AGENT: `pinakes-${i} (+https://example.org)` }, 'worker'),
    );
    for (let waited = 0; waited < 600 && logs.some((log) => log.length === 0); waited++) await wait(50);
    await wait(options.seconds * 1000);
    stalls.disable();
    const until = performance.now();
    await stop(workers);
    const hosts = [FIVE_A_SECOND, ONE_IN_TWO_SECONDS].map((allowed, i) =>
      hostStats(sites[i]!.origin.slice(7), allowed, logs[i]!, until),
    );
    return {
      ...options,
      hosts,
      rateEvents: await library.read(rateEvents),
      longestStallMs: Math.round(stalls.max / 1e6),
    };
  } finally {
    heartbeat.stop();
    await Promise.all(sites.map((site) => site.close()));
    await library.remove();
  }
}

async function stop(workers: readonly RunningProgram[]): Promise<void> {
  for (const worker of workers) worker.kill('SIGTERM');
  await Promise.all(workers.map(({ ended }) => ended));
}

async function rateEvents(
  store: Parameters<Parameters<Awaited<ReturnType<typeof createLibrary>>['read']>[0]>[0],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind, detail } of await store.journal.after(0, 100_000)) {
    const change = detail['change'];
    if (kind === 'rate-changed' && typeof change === 'string') counts[change] = (counts[change] ?? 0) + 1;
  }
  return counts;
}

function hostStats(host: string, allowed: Allowance, log: readonly Logged[], until: number): HostStats {
  const times = log.map(({ atMs }) => atMs);
  const first = times[0] ?? 0;
  /** Requests that came within the allowed window of the one that many before. */
  const together = (before: (one: Logged) => number): readonly number[] =>
    log.flatMap(({ atMs }, i) => {
      const earlyMs = i < allowed.requests ? 0 : allowed.withinMs - (atMs - before(log[i - allowed.requests]!));
      return earlyMs > 0 ? [earlyMs / allowed.withinMs] : [];
    });
  const early = together((one) => one.sinceMs);
  const rate = (from: number, to: number): number =>
    Math.round((times.filter((at) => at >= from && at < to).length / 5) * 10) / 10;
  return {
    host,
    allowed: allowed.name,
    requests: times.length,
    violations: early.length,
    earlyBy: Math.round(1000 * Math.max(0, ...early)) / 1000,
    unsure: together((one) => one.atMs).length - early.length,
    smallestGapMs: Math.round(Math.min(...times.slice(1).map((at, i) => at - times[i]!))),
    ratePerSecond: { firstFiveSeconds: rate(first, first + 5000), lastFiveSeconds: rate(until - 5000, until) },
    askers: new Set(log.map(({ asker }) => asker)).size,
  };
}
