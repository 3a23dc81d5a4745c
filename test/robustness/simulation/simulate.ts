// One simulation: some runs of one or two sites by a few processes, with the faults of its seed, and the checks after each run.

import { readFeed } from '../../../src/library/change-feed.ts';
import type { RunId, VersionId } from '../../../src/core/model/run.ts';
import { createFeedFollower, createWebhookReceiver } from './consumers.ts';
import { NO_FAULTS, randomFaults, type Conditions, type Faults } from './faults.ts';
import { createFenceLedger } from './fence-ledger.ts';
import { compareWithSite, HELD, politenessProblems, runProblems, storedPaths, verifyProblems } from './invariants.ts';
import { openSimulatedDatabase, type SimulatedDatabase, type SingleFault } from './simulated-database.ts';
import { createSite, START_PATH, type SimulatedSite } from './simulated-site.ts';
import { lastLines, resetTrace, trace, traceHash } from './trace.ts';
import { chance, delay, drive, integer, pick, resetTime, stepsTaken, virtualMs } from './virtual-time.ts';
import { crawlLimits, createWorkerProcesses, type WorkerProcesses } from './worker-processes.ts';
import type { Fetcher } from '../../../src/fetch/port.ts';

export interface SimulationOptions {
  readonly faults?: Faults;
  readonly pages?: number;
  readonly runs?: number;
  readonly singleFault?: SingleFault;
  /** The longest time of each run in which faults happen. */
  readonly disturbMs?: number;
  /** Share of sources with a maximum depth. */
  readonly limitedShare?: number;
}

export interface SimulationResult {
  readonly seed: number;
  /** Empty if everything held. */
  readonly problems: readonly string[];
  readonly hash: string;
  readonly faults: Faults;
  readonly virtualMs: number;
  readonly calls: number;
  readonly steps: number;
  /** The last things that happened, and the last lines of the log. */
  readonly lines: readonly string[];
}

/** After the faults stop, everything is done within this virtual time. */
const BOUND_MS = 4 * 60_000;
/** Many times what a seed takes: a loop that makes no progress in virtual time ends here. */
const MAX_STEPS = 200_000;
const MAX_LOG_LINES = 30;

interface World {
  readonly conditions: Conditions;
  readonly database: SimulatedDatabase;
  readonly workers: WorkerProcesses;
  readonly sources: readonly SimulatedSource[];
  readonly onRollback: () => void;
  readonly disturbMs: number;
}

interface SimulatedSource {
  readonly site: SimulatedSite;
  readonly version: VersionId;
  readonly maxDepth: number | null;
}

/**
 * Every third seed has one fault at one call, and little else: a walk with many faults rarely has the one that matters at the one
 * moment that matters, and repairs much of what it broke.
 */
function singleFaultOptions(): SimulationOptions {
  const kind = pick(['lost', 'answer-lost', 'death'] as const);
  const faults = { ...NO_FAULTS, flakyPages: pick([0, 0.3]), slowPages: true };
  const call = pick([integer(1, 12), integer(1, 40), integer(1, 300)]);
  return {
    faults,
    runs: 1,
    disturbMs: 4000,
    limitedShare: 0.7,
    singleFault: { kind, call },
  };
}

export async function simulate(seed: number, provided: SimulationOptions = {}): Promise<SimulationResult> {
  resetTime(seed);
  resetTrace();
  const options = { ...(seed % 3 === 0 ? singleFaultOptions() : {}), ...provided };
  const conditions: Conditions = { faults: options.faults ?? randomFaults(), isCalm: false };
  const minDelayMs = pick([0, 0, 50, 600]);
  const { singleFault = null } = options;
  const database = openSimulatedDatabase({ conditions, startDelayMs: minDelayMs, singleFault });
  const logLines: string[] = [];
  const problems: string[] = [];
  let isDone = false;
  const run = simulateRuns(conditions, { database, minDelayMs, logLines, problems, ...options }).catch(
    (error: unknown) => {
      problems.push(
        `the simulation failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    },
  );
  void run.then(() => (isDone = true));
  const outcome = await drive(() => isDone, { untilMs: 100 * BOUND_MS, maxSteps: MAX_STEPS });
  const calls = database.calls();
  if (outcome === 'done') await database.close();
  else {
    // A transaction may be under way that never ends.
    problems.push(`the simulation did not end: ${outcome}`, ...new Set(database.problems));
    database.remove();
  }
  return {
    seed,
    problems,
    hash: traceHash(),
    faults: conditions.faults,
    virtualMs: Math.round(virtualMs()),
    calls,
    steps: stepsTaken(),
    lines: [...lastLines(), ...logLines],
  };
}

interface Parts extends SimulationOptions {
  readonly database: SimulatedDatabase;
  readonly minDelayMs: number;
  readonly logLines: string[];
  readonly problems: string[];
}

async function simulateRuns(conditions: Conditions, parts: Parts): Promise<void> {
  const { database, minDelayMs, problems, logLines } = parts;
  const sources = await createSources(conditions, parts);
  const fences = createFenceLedger();
  const receiver = createWebhookReceiver(conditions);
  await database.truth.webhooks.add({ name: 'hook', url: 'http://hook.test/', source: null, secret: 'x', position: 0 });
  const workers = createWorkerProcesses({
    database,
    conditions,
    fetcher: fetcherOf(sources),
    send: receiver.send,
    limits: crawlLimits(minDelayMs),
    fences,
    onLog(line) {
      logLines.push(line);
      if (logLines.length > MAX_LOG_LINES) logLines.shift();
    },
  });
  let hasGoneBack = false;
  const onRollback = (): void => {
    hasGoneBack = true;
  };
  const follower = createFeedFollower();
  const end = new AbortController();
  const following = follower.run(database.truth, end.signal);
  for (let started = integer(1, 3); started > 0; started -= 1) workers.start();
  const { disturbMs = 12_000 } = parts;
  const world: World = { conditions, database, workers, sources, onRollback, disturbMs };
  for (let nth = 0; nth < (parts.runs ?? 2) && problems.length === 0; nth += 1) {
    if (nth > 0) for (const { site } of sources) site.edit();
    problems.push(...(await simulateRun(world)).map((problem) => `run ${nth + 1}: ${problem}`));
    problems.push(...(await follower.compare(database.truth.changes)));
    problems.push(...workers.failures, ...new Set(database.problems));
    // A database that went back gives out its tokens and positions again.
    if (hasGoneBack) continue;
    problems.push(...fences.problems(), ...receiver.problems);
    problems.push(...(await webhookProblems(database, receiver.received)));
  }
  end.abort();
  await following;
  const left = await shutDown(workers);
  if (left.length > 0) problems.push(`still running after a shutdown: ${left.join(', ')}`);
  for (const { site } of sources)
    problems.push(...politenessProblems(site, minDelayMs, maxAnswerMs(conditions.faults, minDelayMs)));
}

async function createSources(
  conditions: Conditions,
  { database, pages, limitedShare = 0.35 }: Parts,
): Promise<readonly SimulatedSource[]> {
  const sources: SimulatedSource[] = [];
  for (let left = chance(0.3) ? 2 : 1; left > 0; left -= 1) {
    const host = `site${left}.test`;
    const site = createSite(host, pages ?? integer(3, 18), conditions);
    const maxDepth = chance(limitedShare) ? integer(1, 3) : null;
    const settings = { preset: 'basic', scope: 'host', confirmRemovals: true, maxDepth };
    const definition = { name: host, kind: 'web', startUrl: `${site.origin}${START_PATH}`, settings } as const;
    const source = await database.truth.sources.add(definition, '');
    sources.push({ site, version: source.versions[0]!.id, maxDepth });
  }
  return sources;
}

function fetcherOf(sources: readonly SimulatedSource[]): Fetcher {
  return {
    fetch(request, signal) {
      const found = sources.find(({ site }) => request.url.startsWith(`${site.origin}/`));
      if (found === undefined) throw new Error(`no site has ${request.url}`);
      return found.site.fetcher.fetch(request, signal);
    },
    close: async () => undefined,
  };
}

/** Runs of all sources, with faults at first and then without, and the checks. */
async function simulateRun(world: World): Promise<readonly string[]> {
  const { database, conditions, sources } = world;
  const { truth } = database;
  const before = new Map<SimulatedSource, readonly string[]>();
  const runs: RunId[] = [];
  for (const source of sources) {
    before.set(source, await storedPaths(truth, source.version));
    runs.push((await truth.runs.start(source.version, 'incremental', {})).id);
  }
  conditions.isCalm = false;
  await disturb(world, runs);
  conditions.isCalm = true;
  database.outage = null;
  const calmSince = virtualMs();
  const waitsFor = async (): Promise<string | null> => unfinished(world, runs);
  for (let left = await waitsFor(); left !== null; left = await waitsFor()) {
    if (virtualMs() - calmSince > BOUND_MS) return [`${left} long after the faults stopped`];
    await delay(500);
  }
  trace('checks');
  const problems: string[] = [];
  for (const run of runs) problems.push(...(await runProblems(truth, run)));
  for (const source of sources) {
    const expected = source.site.expected(before.get(source) ?? [], source.maxDepth);
    problems.push(...(await compareWithSite(truth, source.site, source.version, expected)));
  }
  return [...problems, ...(await verifyProblems(truth))];
}

/** What is not done yet; null if everything is. */
async function unfinished({ database, sources }: World, runs: readonly RunId[]): Promise<string | null> {
  const { truth } = database;
  for (const run of runs) if ((await truth.runs.byId(run))?.endedAt === null) return `run ${run} has not ended`;
  for (const { version } of sources) if (!(await truth.segments.isIndexed(version))) return 'the index is behind';
  const latest = await truth.changes.latest();
  for (const { name, position } of await truth.webhooks.list())
    if (position < latest) return `webhook ${name} is at ${position} of ${latest}`;
  for (const [what, sql] of Object.entries(HELD)) {
    const [row] = database.rows(sql);
    if (row !== undefined) return `${what}: ${String(row['held'])}`;
  }
  return null;
}

/** Faults for some seconds. */
async function disturb(world: World, runs: readonly RunId[]): Promise<void> {
  const { conditions, database, workers } = world;
  const { faults } = conditions;
  const untilMs = virtualMs() + integer(0, world.disturbMs);
  let hasCopy = false;
  while (virtualMs() < untilMs) {
    await delay(integer(20, 1500));
    if (chance(0.6)) workers.disturb();
    if (faults.outages && chance(0.15)) await outage(database);
    if (faults.pauses && chance(0.2)) await pause(database, pick(runs));
    if (!faults.rollbacks) continue;
    if (hasCopy && chance(0.3)) {
      await database.goBack();
      world.onRollback();
      hasCopy = false;
    } else if (chance(0.3)) {
      database.keepCopy();
      hasCopy = true;
    }
  }
}

async function outage(database: SimulatedDatabase): Promise<void> {
  database.outage = pick(['unreachable', 'readonly', 'full'] as const);
  trace(`outage: ${database.outage}`);
  await delay(integer(10, 8000));
  database.outage = null;
  trace('the outage is over');
}

async function pause({ truth }: SimulatedDatabase, run: RunId): Promise<void> {
  if (!(await truth.runs.control(run, 'pause'))) return;
  trace(`run ${run} is paused`);
  await delay(integer(10, 4000));
  await truth.runs.control(run, 'resume');
  trace(`run ${run} is resumed`);
}

/** Every change of the library reached the receiver. */
async function webhookProblems(
  { truth }: SimulatedDatabase,
  received: ReadonlySet<number>,
): Promise<readonly string[]> {
  const { items } = await readFeed(truth.changes, { since: '0', source: null, limit: 10_000 });
  const lost = items.filter((item) => 'revision' in item && !received.has(item.revision));
  return lost.length === 0 ? [] : [`the webhook receiver lacks ${lost.length} of ${items.length} changes`];
}

/** A process that stops in the meantime gives up a slot whose answer took longer. With the database, its slots go back. */
function maxAnswerMs({ stops, maxDelayMs, rollbacks }: Faults, minDelayMs: number): number {
  if (rollbacks) return Infinity;
  return stops ? Math.max(100, minDelayMs / 2) : 2 * maxDelayMs;
}

/** The names of processes that did not end. */
async function shutDown(workers: WorkerProcesses): Promise<readonly string[]> {
  workers.shutDown();
  for (let waits = 0; waits < 120 && workers.running().length > 0; waits += 1) await delay(500);
  return workers.running().map(({ name }) => name);
}
