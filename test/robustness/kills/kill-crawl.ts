// Crawls a site with the real program and kills its workers without warning, again and again. After each kill the store
// is checked; at the end the pages must be exactly those of the site, and nothing may have been fetched needlessly.

import { setTimeout as wait } from 'node:timers/promises';
import type { Store } from '../../../src/store/port.ts';
import type { JournalEvent } from '../../../src/store/port/journal.ts';
import { historyFaults } from './history-faults.ts';
import { createRandom } from '../../support/random.ts';
import { createSiteServer, type SiteServer } from '../../support/generated-site.ts';
import { createLibrary, storedUrls, type EngineName, type Library } from '../../support/library.ts';
import type { RunningProgram } from '../../support/program.ts';

export interface KillCrawlOrder {
  readonly engine: EngineName;
  readonly kills: number;
  readonly seed: number;
  /** `llms-first` by default. */
  readonly preset?: 'intelligent';
}

export interface KillCrawlResult {
  readonly engine: EngineName;
  readonly kills: number;
  /** Kills before the first request of the worker. */
  readonly killsWhileStarting: number;
  /** Completed crawls. */
  readonly crawls: number;
  readonly pages: number;
  /** Stored but not on the site, or on the site but not stored. */
  readonly wrongPages: number;
  /** Repeated events that a page is new: a fencing token that lets a dead worker commit would show here. */
  readonly doubled: number;
  /** Events that are missing or repeated in the history of a run, in words. */
  readonly brokenHistory: readonly string[];
  readonly violations: readonly string[];
  readonly requests: number;
  /**
   * Requests beyond the first of a URL and those for redirects, and how many are allowed: what a killed worker had claimed
   * is fetched again, and as much once more if leases of live workers expire on a busy machine.
   */
  readonly requestedAgain: number;
  readonly requestedAgainAllowed: number;
  /** URLs fetched more often than once, plus once per redirect to them and once per kill of their crawl. */
  readonly requestedTooOften: readonly string[];
  /** Runs that ended in a state other than completed. */
  readonly notCompleted: readonly string[];
  readonly seconds: number;
}

const SIZE = 90;
const KILLS_PER_CRAWL = 12;
const CONCURRENCY = 6;
const LEASE_MS = 1000;
/** No measure: on a machine that does other work, leases expire while their holders wait for a processor. */
const ENDS_WITHIN_MS = 600_000;

/** No attempt limit applies: the test kills the workers, and no page is to blame. */
const SETTINGS = {
  PINAKES_CRAWL_LEASE_MS: String(LEASE_MS),
  PINAKES_CRAWL_RENEW_MS: '300',
  PINAKES_CRAWL_CONCURRENCY: String(CONCURRENCY),
  PINAKES_CRAWL_QUARANTINE_AFTER_CRASHES: '100',
  PINAKES_CRAWL_MAX_ATTEMPTS: '100',
  PINAKES_CRAWL_MAX_RUN_CRASHES: '1000',
  PINAKES_LOG_LEVEL: 'error',
} as const;

type Tally = { -readonly [Name in keyof KillCrawlResult]: KillCrawlResult[Name] };

export async function killCrawl(order: KillCrawlOrder): Promise<KillCrawlResult> {
  const startedAt = Date.now();
  const tally: Tally = {
    engine: order.engine,
    kills: 0,
    killsWhileStarting: 0,
    crawls: 0,
    pages: 0,
    wrongPages: 0,
    doubled: 0,
    brokenHistory: [],
    violations: [],
    requests: 0,
    requestedAgain: 0,
    requestedAgainAllowed: 0,
    requestedTooOften: [],
    notCompleted: [],
    seconds: 0,
  };
  while (tally.kills < order.kills) await oneCrawl(order, tally);
  return { ...tally, seconds: Math.round((Date.now() - startedAt) / 1000) };
}

async function oneCrawl({ engine, kills, seed, preset }: KillCrawlOrder, tally: Tally): Promise<void> {
  const crawl = seed * 1000 + tally.crawls;
  const random = createRandom(crawl);
  const site = await createSiteServer({ size: SIZE, seed: crawl, answerMs: 15, slowMs: 60 });
  const library = await createLibrary(engine, SETTINGS);
  const before = tally.kills;
  const upTo = Math.min(kills, before + KILLS_PER_CRAWL);
  await library.run('add', site.start, ...(preset === undefined ? [] : ['--preset', preset]));
  // A data directory has one owner; PostgreSQL is shared, and the surviving worker continues while the other one is dead.
  const workers = Array.from({ length: engine === 'sqlite' ? 1 : 2 }, () => library.start('worker'));
  try {
    while (tally.kills < upTo && !(await isEnded(library))) {
      const victim = Math.floor(random() * workers.length);
      await killOne({ worker: workers[victim]!, site, random, tally });
      const found = await library.read((store) => store.verify());
      tally.violations = [
        ...tally.violations,
        ...found.map(
          ({ invariant, row }) => `crawl ${tally.crawls}, kill ${tally.kills - before}: ${invariant}: ${row}`,
        ),
      ];
      workers[victim] = library.start('worker');
    }
    await untilEnded(library);
  } finally {
    for (const worker of workers) worker.kill('SIGKILL');
    await Promise.all(workers.map(({ ended }) => ended));
  }
  await verifyCrawl(site, library, tally, tally.kills - before);
  await site.close();
  await library.remove();
}

interface Scene {
  readonly worker: RunningProgram;
  readonly site: SiteServer;
  readonly random: () => number;
  readonly tally: Tally;
}

/** One in six is killed while it starts; the others soon after one of their first requests. */
async function killOne({ worker, site, random, tally }: Scene): Promise<void> {
  const requestsBefore = site.requests.length;
  if (random() < 1 / 6) await wait(random() * 500);
  else {
    const enough = requestsBefore + 1 + Math.floor(random() * 10);
    const deadline = Date.now() + 3000 + 2 * LEASE_MS;
    while (site.requests.length < enough && Date.now() < deadline) await wait(2);
    await wait(random() * 40);
  }
  worker.kill('SIGKILL');
  const { signal, stderr } = await worker.ended;
  if (signal !== 'SIGKILL') throw new Error(`the worker ended by itself: ${stderr}`);
  tally.kills += 1;
  if (site.requests.length === requestsBefore) tally.killsWhileStarting += 1;
}

async function isEnded(library: Library): Promise<boolean> {
  return library.read(async (store) => (await store.runs.list(1))[0]?.endedAt !== null);
}

async function untilEnded(library: Library): Promise<void> {
  const deadline = Date.now() + ENDS_WITHIN_MS;
  while (!(await isEnded(library))) {
    if (Date.now() > deadline) throw new Error('the crawl does not end');
    await wait(100);
  }
}

async function verifyCrawl(site: SiteServer, library: Library, tally: Tally, kills: number): Promise<void> {
  const { oracle, origin } = site;
  const [run] = await library.read((store) => store.runs.list(1));
  const violations = await library.read((store) => store.verify());
  const stored = new Set(await storedUrls(library));
  const expected = new Set([...oracle.stored.keys()].map((path) => `${origin}${path}`));
  const requestCounts = [...site.requestCounts()];
  const again = requestCounts.map(([path, times]) => [path, times - 1 - oracle.hops(path)] as const);

  tally.crawls += 1;
  tally.pages += stored.size;
  tally.wrongPages += [...stored].filter((url) => !expected.has(url)).length;
  tally.wrongPages += [...expected].filter((url) => !stored.has(url)).length;
  const events = await library.read(readEvents);
  tally.doubled += countDuplicates(events);
  tally.brokenHistory = [...tally.brokenHistory, ...(await library.read((store) => historyFaults(store, events)))];
  tally.violations = [...tally.violations, ...violations.map(({ invariant, row }) => `end: ${invariant}: ${row}`)];
  tally.requests += requestCounts.reduce((sum, [, times]) => sum + times, 0);
  tally.requestedAgain += again.reduce((sum, [, times]) => sum + Math.max(0, times), 0);
  tally.requestedAgainAllowed += kills * CONCURRENCY * 2;
  tally.requestedTooOften = [
    ...tally.requestedTooOften,
    ...again.filter(([, times]) => times > kills).map(([path, times]) => `${path}: ${times} more than needed`),
  ];
  if (run?.state !== 'completed') tally.notCompleted = [...tally.notCompleted, `${run?.state}: ${run?.reason}`];
}

async function readEvents(store: Store): Promise<readonly JournalEvent[]> {
  const events: JournalEvent[] = [];
  for (;;) {
    const more = await store.journal.after(events.at(-1)?.seq ?? 0, 1000);
    if (more.length === 0) return events;
    events.push(...more);
  }
}

function countDuplicates(events: readonly JournalEvent[]): number {
  const writes = events.flatMap(({ kind, url }) =>
    url !== null && (kind === 'new' || kind === 'changed') ? [url] : [],
  );
  if (writes.length === 0) throw new Error('the journal contains no page');
  return writes.length - new Set(writes).size;
}
