// One trial: a library with a queued run, workers of the real program, a fault, and the checks at the end.

import { addSource } from '../../../src/actions/add-source.ts';
import { createSegmentIndex } from '../../../src/index/segments/segment-index.ts';
import type { Store } from '../../../src/store/port.ts';
import { URL_STATE } from '../../../src/store/sql/engine/states.ts';
import type { ProgramResult, RunningProgram, Settings } from '../../support/program.ts';
import { createRandom } from '../../support/random.ts';
import { differences, fingerprintOf, type FaultSite, type Fingerprint } from './fault-site.ts';
import { MAX_ATTEMPTS, type FaultLibrary } from './fault-library.ts';
import { startUnderFault, type FaultOptions } from './program-under-fault.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { NO_CATALOGS, NO_SYSTEM } from '../../support/run-worker.ts';

export const LEASE_MS = 1000;

/** No attempt limit applies here: every crash is ours, and no page is to blame for it. */
/** No limit of attempts applies: the trials kill the workers, often before a page can settle, and no page or run is to blame. */
const SETTINGS: Settings = {
  PINAKES_CRAWL_LEASE_MS: String(LEASE_MS),
  PINAKES_CRAWL_RENEW_MS: '300',
  PINAKES_CRAWL_CONCURRENCY: '6',
  PINAKES_CRAWL_QUARANTINE_AFTER_CRASHES: '100',
  PINAKES_CRAWL_MAX_RUN_CRASHES: '1000',
  PINAKES_CRAWL_MAX_ATTEMPTS: String(MAX_ATTEMPTS),
  PINAKES_CRAWL_START_DELAY_MS: '0',
  PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
  PINAKES_PARSE_THREADS: '1',
  PINAKES_LOG_LEVEL: 'warn',
};

export interface TrialResult {
  readonly violations: readonly string[];
  /** Pages of the control crawl that are not stored. */
  readonly lost: number;
  /** Stored pages that the control crawl does not have, or has with other content. */
  readonly different: number;
  /** Events that a page is new or changed, beyond its first. */
  readonly doubled: number;
  /**
   * From the end of the fault, or from the kill, until everything that was claimed is claimed or settled again and more
   * is settled.
   */
  readonly resumedInMs: number | null;
  /** The fault's own measurements, in ms. */
  readonly measured: Readonly<Record<string, number>>;
  /** The fault's own expectations that were not met. */
  readonly unmet: readonly string[];
}

export interface Checkpoint {
  readonly settled: number;
  readonly claimed: ReadonlyMap<string, number>;
}

export interface Trial {
  readonly site: FaultSite;
  readonly library: FaultLibrary;
  readonly random: () => number;
  /** A worker of the program. It is killed at the end of the trial, if it still runs. */
  worker(fault?: FaultOptions, more?: Settings): RunningProgram;
  /** A server of the program on this port. It also works on the run, and is killed like a worker. */
  server(port: number, fault?: FaultOptions, more?: Settings): RunningProgram;
  run(args: readonly string[], fault?: FaultOptions, more?: Settings): Promise<ProgramResult>;
  /** One page is not served until the returned function is called, so that the crawl stays in progress. */
  holdPage(): () => void;
  /** Waits until the site received this many page requests since the trial began. */
  untilRequested(pages: number): Promise<void>;
  untilEnded(withinMs?: number): Promise<void>;
  checkpoint(): Promise<Checkpoint>;
  /** Waits until the crawl has made progress since the checkpoint, and records how long that took since `from`. */
  resumed(checkpoint: Checkpoint, from: number): Promise<void>;
  /** Records a measurement of the fault. */
  measure(what: string, ms: number): void;
  /** Records an expectation that is not met. */
  expect(what: string, holds: boolean): void;
  /** Deaths that the trial caused; any other death of a worker is unmet. */
  forgive(worker: RunningProgram): void;
}

export interface TrialOptions {
  readonly site: FaultSite;
  readonly control: Fingerprint | null;
  readonly library: FaultLibrary;
  readonly seed: number;
  readonly settings?: Settings;
  /** The state that the run must end in; completed by default. */
  readonly endsAs?: readonly string[];
}

export async function runTrial(options: TrialOptions, act: (trial: Trial) => Promise<void>): Promise<TrialResult> {
  const { site, library, control } = options;
  const workers: RunningProgram[] = [];
  const forgiven = new Set<RunningProgram>();
  const deaths: string[] = [];
  const unmet: string[] = [];
  const measured: Record<string, number> = {};
  let alive = 0;
  let resumedInMs: number | null = null;
  let over = false;
  let answer = (): void => undefined;
  const requestedBefore = site.requests.length;
  await library.write((store) => startCrawl(store, site.start));

  const noteDeath = async (worker: RunningProgram): Promise<void> => {
    alive += 1;
    const { code, signal, stderr } = await worker.ended;
    alive -= 1;
    if (!over && !forgiven.has(worker))
      deaths.push(`a worker ended by itself (${code ?? signal}): ${stderr.slice(-500)}`);
  };

  const startProgram = (args: readonly string[], fault?: FaultOptions, more: Settings = {}): RunningProgram =>
    startUnderFault({ ...SETTINGS, ...options.settings, ...library.settings, ...more }, args, fault);
  const keep = (worker: RunningProgram): RunningProgram => {
    workers.push(worker);
    void noteDeath(worker);
    return worker;
  };

  const trial: Trial = {
    site,
    library,
    random: createRandom(options.seed),
    worker: (fault, more) => keep(startProgram(['worker'], fault, more)),
    server: (port, fault, more) => keep(startProgram(['serve'], fault, { ...more, PINAKES_SERVE_PORT: String(port) })),
    run: (args, fault, more) => startProgram(args, fault, more).ended,
    holdPage: () => (answer = site.holdSlowPage()),
    untilRequested: (pages) =>
      waitUntil('the site receives requests', async () => site.requests.length - requestedBefore >= pages),
    untilEnded: (withinMs) => waitUntil('the run ends', () => hasEnded(library), withinMs),
    checkpoint: () => checkpointOf(library),
    async resumed(checkpoint, from) {
      await waitUntil('the crawl resumes', () => hasResumed(library, checkpoint));
      resumedInMs = Math.max(resumedInMs ?? 0, performance.now() - from);
    },
    measure: (what, ms) => void (measured[what] = Math.round(ms)),
    expect: (what, holds) => void (holds || unmet.push(what)),
    forgive: (worker) => void forgiven.add(worker),
  };

  try {
    await act(trial);
    // A fresh worker finishes what the trial left.
    if (workers.length > 0 && alive === 0) trial.worker();
    if (workers.length > 0) await trial.untilEnded();
    await waitUntil('the search index is up to date', () =>
      library.read(async (store) => (await store.segments.queueLength()) === 0),
    );
  } catch (error) {
    unmet.push(error instanceof Error ? error.message : String(error));
  } finally {
    over = true;
    answer();
    for (const worker of workers) worker.kill('SIGKILL');
    await Promise.all(workers.map(({ ended }) => ended));
  }
  const checked = await library.read((store) => verifyResult(store, control, options.endsAs ?? ['completed']));
  return { ...checked, resumedInMs, measured, unmet: [...unmet, ...deaths, ...checked.unmet] };
}

/** As `pinakes add` does it. */
async function startCrawl(store: Store, start: string): Promise<void> {
  const input = addSource.input.parse({ url: start, name: 'site' });
  const unused = {
    search: notNeeded,
    preview: notNeeded,
    plan: notNeeded,
    settings: () => [],
    release: notNeeded,
    presets: {},
    bounds: { concurrency: 16, requestTimeoutMs: 60_000, stopGraceMs: 5000 },
    system: NO_SYSTEM,
    catalogs: NO_CATALOGS,
    webhooks: { requireAdmitted: () => undefined, send: () => Promise.reject(new Error('not sent')) },
    localAccess: null,
    writer: null,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  };
  await addSource.run(input, { store, index: createSegmentIndex(store.segments), ...unused });
}

function notNeeded(): never {
  throw new Error('not needed to add a source');
}

async function hasEnded(library: FaultLibrary): Promise<boolean> {
  const rows = await library
    .sql<{ n: number | string }>('select count(*) as n from runs where ended_at is null')
    .catch(() => []);
  return rows.length > 0 && Number(rows[0]!.n) === 0;
}

async function checkpointOf(library: FaultLibrary): Promise<Checkpoint> {
  const claimed = await library.sql<{ url: string; fence: number | string }>(
    `select url, fence from frontier where state = ${URL_STATE.claimed}`,
  );
  const [row] = await library.sql<{ n: number | string }>(
    `select count(*) as n from frontier where state = ${URL_STATE.settled}`,
  );
  return { settled: Number(row?.n), claimed: new Map(claimed.map(({ url, fence }) => [url, Number(fence)])) };
}

/** What was claimed is settled or claimed again; and something was settled since, unless nothing is left. */
async function hasResumed(library: FaultLibrary, checkpoint: Checkpoint): Promise<boolean> {
  const now = await checkpointOf(library).catch(() => null);
  if (now === null) return false;
  const stuck = [...checkpoint.claimed].some(([url, fence]) => now.claimed.get(url) === fence);
  return !stuck && (now.settled > checkpoint.settled || (await hasEnded(library)));
}

async function verifyResult(
  store: Store,
  control: Fingerprint | null,
  endsAs: readonly string[],
): Promise<Omit<TrialResult, 'resumedInMs' | 'measured'>> {
  const violations = (await store.verify()).map(({ invariant, row }) => `${invariant}: ${row}`);
  const found = await fingerprintOf(store);
  const { lost, other } = control === null ? { lost: [], other: [] } : differences(found, control);
  const [run] = await store.runs.list(1);
  const wrongEnd =
    run !== undefined && !endsAs.includes(run.state) ? [`the run ended as ${run.state}: ${run.reason}`] : [];
  return {
    violations,
    lost: lost.length,
    different: other.length,
    doubled: await countDuplicates(store),
    unmet: wrongEnd,
  };
}

async function countDuplicates(store: Store): Promise<number> {
  const writes: string[] = [];
  for (let seq = 0; ;) {
    const events = await store.journal.after(seq, 1000);
    if (events.length === 0) break;
    seq = events.at(-1)!.seq;
    for (const { kind, url } of events) if (url !== null && (kind === 'new' || kind === 'changed')) writes.push(url);
  }
  return writes.length - new Set(writes).size;
}
