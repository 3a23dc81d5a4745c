// One trial: a library with a run that waits, workers of the real program, a fault, and the judgement at the end.

import { addSource } from '../../src/actions/add-source.ts';
import type { Store } from '../../src/store/port.ts';
import type { Ended, Running, Settings } from '../e2e/program.ts';
import { createRandom } from '../support/site-server-pages.ts';
import { differences, fingerprintOf, type FaultSite, type Fingerprint } from './fault-site.ts';
import { MAX_ATTEMPTS, type FaultPlace } from './fault-library.ts';
import { startUnderFault, type Around } from './program-under-fault.ts';
import { until } from '../support/until.ts';

export const LEASE_MS = 1000;

/** Nothing is given up here: every death is ours, and no page is to blame for it. */
const SETTINGS: Settings = {
  PINAKES_CRAWL_LEASE_MS: String(LEASE_MS),
  PINAKES_CRAWL_RENEW_MS: '300',
  PINAKES_CRAWL_CONCURRENCY: '6',
  PINAKES_CRAWL_POISON_AFTER_CRASHES: '100',
  PINAKES_CRAWL_MAX_ATTEMPTS: String(MAX_ATTEMPTS),
  PINAKES_CRAWL_START_DELAY_MS: '0',
  PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
  PINAKES_PARSE_THREADS: '1',
  PINAKES_LOG_LEVEL: 'warn',
};

export interface TrialResult {
  readonly violations: readonly string[];
  /** Pages of the twin that are not stored. */
  readonly lost: number;
  /** Stored pages that the twin has not, or has with other content. */
  readonly different: number;
  /** Events that a page is new or changed, beyond its first. */
  readonly doubled: number;
  /** From the end of the fault, or from the kill, until all that was held is claimed or settled anew and more is settled. */
  readonly resumedInMs: number | null;
  /** Times that the fault itself wants known, in ms. */
  readonly measured: Readonly<Record<string, number>>;
  /** What the fault's own expectation found wanting. */
  readonly unmet: readonly string[];
}

export interface Mark {
  readonly settled: number;
  readonly held: ReadonlyMap<string, number>;
}

export interface Scene {
  readonly site: FaultSite;
  readonly place: FaultPlace;
  readonly random: () => number;
  /** A worker of the program. It is ended with the trial, if it still lives. */
  worker(around?: Around, more?: Settings): Running;
  /** A server of the program on this port. It works on the run as well, and is ended like a worker. */
  server(port: number, around?: Around, more?: Settings): Running;
  run(args: readonly string[], around?: Around, more?: Settings): Promise<Ended>;
  /** One page is not answered until the returned function is called, so that the crawl is under way till then. */
  holdPage(): () => void;
  /** Waits until the site was asked for this many pages since the trial began. */
  untilAsked(pages: number): Promise<void>;
  untilEnded(withinMs?: number): Promise<void>;
  mark(): Promise<Mark>;
  /** Waits until the crawl goes on after the mark, and keeps how long that took since `from`. */
  resumed(mark: Mark, from: number): Promise<void>;
  /** Keeps a time that the fault wants known. */
  measure(what: string, ms: number): void;
  /** Notes an expectation that does not hold. */
  expect(what: string, holds: boolean): void;
  /** Deaths that the trial wanted; any other death of a worker is unmet. */
  forgive(worker: Running): void;
}

export interface SceneOrder {
  readonly site: FaultSite;
  readonly twin: Fingerprint | null;
  readonly place: FaultPlace;
  readonly seed: number;
  readonly settings?: Settings;
  /** The state that the run must end in; completed unless given. */
  readonly endsAs?: readonly string[];
}

export async function playTrial(order: SceneOrder, act: (scene: Scene) => Promise<void>): Promise<TrialResult> {
  const { site, place, twin } = order;
  const workers: Running[] = [];
  const forgiven = new Set<Running>();
  const deaths: string[] = [];
  const unmet: string[] = [];
  const measured: Record<string, number> = {};
  let alive = 0;
  let resumedInMs: number | null = null;
  let over = false;
  let answer = (): void => undefined;
  const askedBefore = site.requests.length;
  await place.write((store) => startCrawl(store, site.start));

  const noteDeath = async (worker: Running): Promise<void> => {
    alive += 1;
    const { code, signal, stderr } = await worker.ended;
    alive -= 1;
    if (!over && !forgiven.has(worker))
      deaths.push(`a worker ended by itself (${code ?? signal}): ${stderr.slice(-500)}`);
  };

  const startProgram = (args: readonly string[], around?: Around, more: Settings = {}): Running =>
    startUnderFault({ ...SETTINGS, ...order.settings, ...place.settings, ...more }, args, around);
  const keep = (worker: Running): Running => {
    workers.push(worker);
    void noteDeath(worker);
    return worker;
  };

  const scene: Scene = {
    site,
    place,
    random: createRandom(order.seed),
    worker: (around, more) => keep(startProgram(['worker'], around, more)),
    server: (port, around, more) =>
      keep(startProgram(['serve'], around, { ...more, PINAKES_SERVE_PORT: String(port) })),
    run: (args, around, more) => startProgram(args, around, more).ended,
    holdPage: () => (answer = site.holdSlowPage()),
    untilAsked: (pages) => until('the site is asked', async () => site.requests.length - askedBefore >= pages),
    untilEnded: (withinMs) => until('the run ends', () => hasEnded(place), withinMs),
    mark: () => markOf(place),
    async resumed(mark, from) {
      await until('the crawl goes on', () => goesOn(place, mark));
      resumedInMs = Math.max(resumedInMs ?? 0, performance.now() - from);
    },
    measure: (what, ms) => void (measured[what] = Math.round(ms)),
    expect: (what, holds) => void (holds || unmet.push(what)),
    forgive: (worker) => void forgiven.add(worker),
  };

  try {
    await act(scene);
    // What the trial left is finished by someone.
    if (workers.length > 0 && alive === 0) scene.worker();
    if (workers.length > 0) await scene.untilEnded();
    await until('search rows follow', () => place.read(async (store) => (await store.searchRows.lag()) === 0));
  } catch (error) {
    unmet.push(error instanceof Error ? error.message : String(error));
  } finally {
    over = true;
    answer();
    for (const worker of workers) worker.kill('SIGKILL');
    await Promise.all(workers.map(({ ended }) => ended));
  }
  const judged = await place.read((store) => judge(store, twin, order.endsAs ?? ['completed']));
  return { ...judged, resumedInMs, measured, unmet: [...unmet, ...deaths, ...judged.unmet] };
}

/** As `pinakes add` does it. */
async function startCrawl(store: Store, start: string): Promise<void> {
  const input = addSource.input.parse({ url: start, name: 'site' });
  const unused = {
    search: never,
    preview: never,
    plan: never,
    settings: () => [],
    presets: {},
    local: null,
    sink: null,
    tell: () => undefined,
    signal: new AbortController().signal,
  };
  await addSource.run(input, { store, ...unused });
}

function never(): never {
  throw new Error('not needed to add a source');
}

async function hasEnded(place: FaultPlace): Promise<boolean> {
  const rows = await place
    .sql<{ n: number | string }>('select count(*) as n from runs where ended_at is null')
    .catch(() => []);
  return rows.length > 0 && Number(rows[0]!.n) === 0;
}

async function markOf(place: FaultPlace): Promise<Mark> {
  const claimed = await place.sql<{ url: string; fence: number | string }>(
    'select url, fence from frontier where state = 1',
  );
  const [row] = await place.sql<{ n: number | string }>('select count(*) as n from frontier where state = 3');
  return { settled: Number(row?.n), held: new Map(claimed.map(({ url, fence }) => [url, Number(fence)])) };
}

/** What was held is settled, or was claimed anew; and something was settled since, unless nothing is left. */
async function goesOn(place: FaultPlace, mark: Mark): Promise<boolean> {
  const now = await markOf(place).catch(() => null);
  if (now === null) return false;
  const stuck = [...mark.held].some(([url, fence]) => now.held.get(url) === fence);
  return !stuck && (now.settled > mark.settled || (await hasEnded(place)));
}

async function judge(
  store: Store,
  twin: Fingerprint | null,
  endsAs: readonly string[],
): Promise<Omit<TrialResult, 'resumedInMs' | 'measured'>> {
  const violations = (await store.verify()).map(({ invariant, row }) => `${invariant}: ${row}`);
  const found = await fingerprintOf(store);
  const { lost, other } = twin === null ? { lost: [], other: [] } : differences(found, twin);
  const [run] = await store.runs.list(1);
  const wrongEnd =
    run !== undefined && !endsAs.includes(run.state) ? [`the run ended as ${run.state}: ${run.reason}`] : [];
  return {
    violations,
    lost: lost.length,
    different: other.length,
    doubled: await countDoubled(store),
    unmet: wrongEnd,
  };
}

async function countDoubled(store: Store): Promise<number> {
  const writes: string[] = [];
  for (let seq = 0; ;) {
    const events = await store.journal.after(seq, 1000);
    if (events.length === 0) break;
    seq = events.at(-1)!.seq;
    for (const { kind, url } of events) if (url !== null && (kind === 'new' || kind === 'changed')) writes.push(url);
  }
  return writes.length - new Set(writes).size;
}
