// One simulation: some runs of one or two sites by a few processes, with the faults of its seed, and the checks after each run.

import { readFeed } from '../../../src/library/change-feed.ts';
import type { RunId, VersionId } from '../../../src/core/model/run.ts';
import { createFeedFollower, createWebhookReceiver } from './consumers.ts';
import { randomFaults, type Conditions, type Faults } from './faults.ts';
import { createFenceLedger } from './fence-ledger.ts';
import {
  compareWithSite,
  politenessProblems,
  runProblems,
  RUNNING,
  storedPaths,
  UNFINISHED,
  verifyProblems,
} from './invariants.ts';
import { optionsOf, type SimulationOptions } from './scenarios.ts';
import { openSimulatedDatabase, type SimulatedDatabase } from './simulated-database.ts';
import { createSite, START_PATH, type SimulatedSite } from './simulated-site.ts';
import { lastLines, resetTrace, trace, traceHash } from './trace.ts';
import { chance, delay, drive, integer, pick, resetTime, stepsTaken, virtualMs } from './virtual-time.ts';
import { crawlLimits, createWorkerProcesses, type WorkerProcesses } from './worker-processes.ts';
import type { Fetcher } from '../../../src/fetch/port.ts';

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

export interface World {
  readonly conditions: Conditions;
  readonly database: SimulatedDatabase;
  readonly workers: WorkerProcesses;
  readonly sources: readonly SimulatedSource[];
  readonly problems: string[];
  readonly disturbMs: number;
  hasGoneBack: boolean;
  /** Adds what the consumers lack, and what processes did wrong, to the problems. */
  readonly checkConsumers: () => Promise<void>;
  readonly endConsumers: () => Promise<void>;
}

interface SimulatedSource {
  readonly site: SimulatedSite;
  readonly version: VersionId;
  readonly maxDepth: number | null;
}

/** What a simulation does, and how long it may take. */
export interface Course {
  readonly optionsOf: (seed: number) => SimulationOptions;
  readonly run: (world: World, options: SimulationOptions) => Promise<void>;
  readonly untilMs: number;
  readonly maxSteps: number;
}

const RUNS: Course = { optionsOf, run: simulateRuns, untilMs: 100 * BOUND_MS, maxSteps: MAX_STEPS };

export async function simulate(seed: number, course: Course = RUNS): Promise<SimulationResult> {
  resetTime(seed);
  resetTrace();
  const options = course.optionsOf(seed);
  const conditions: Conditions = { faults: options.faults ?? randomFaults(), isCalm: false };
  const { singleFault = null, isMigrated = false, minDelayMs = pick([0, 0, 50, 200, 600]) } = options;
  const database = openSimulatedDatabase({ conditions, startDelayMs: minDelayMs, singleFault, isMigrated });
  const logLines: string[] = [];
  const problems: string[] = [];
  let isDone = false;
  const parts = { ...options, database, minDelayMs, logLines, problems };
  const run = async (): Promise<void> => {
    try {
      const world = await createWorld(conditions, parts);
      await course.run(world, options);
      await endWorld(world, parts);
    } catch (error) {
      problems.push(
        `the simulation failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
    isDone = true;
  };
  void run();
  const outcome = await drive(() => isDone, course);
  const calls = database.calls();
  if (outcome === 'done') await database.close();
  else {
    problems.push(`the simulation did not end: ${outcome}`, ...new Set(database.problems));
    database.abandon();
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

async function createWorld(conditions: Conditions, parts: Parts): Promise<World> {
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
  receiver.onSending = workers.stopWhileSending;
  const follower = createFeedFollower();
  const end = new AbortController();
  const following = follower.run(database.truth, end.signal);
  const { disturbMs = 12_000 } = parts;
  const world: World = {
    conditions,
    database,
    workers,
    sources,
    problems,
    disturbMs,
    hasGoneBack: false,
    async checkConsumers() {
      problems.push(...(await follower.compare(database.truth.changes)));
      problems.push(...workers.failures, ...new Set(database.problems));
      // A database that went back gives out its tokens and positions again.
      if (world.hasGoneBack) return;
      problems.push(...fences.problems(), ...receiver.problems);
      problems.push(...(await webhookProblems(database, receiver.received)));
    },
    async endConsumers() {
      end.abort();
      await following;
    },
  };
  return world;
}

async function simulateRuns(world: World, options: SimulationOptions): Promise<void> {
  const { sources, problems, workers } = world;
  for (let started = options.processes ?? integer(1, 3); started > 0; started -= 1) workers.start();
  const { runs = 2 } = options;
  for (let nth = 0; nth < runs && problems.length === 0; nth += 1) {
    if (nth > 0) for (const { site } of sources) site.edit();
    const isHurried = options.isHurried === true && nth < runs - 1;
    problems.push(...(await simulateRun(world, isHurried)).map((problem) => `run ${nth + 1}: ${problem}`));
    if (!isHurried) await world.checkConsumers();
  }
}

async function endWorld(world: World, { minDelayMs }: Parts): Promise<void> {
  const { workers, sources, problems, conditions, endConsumers } = world;
  await endConsumers();
  problems.push(...(await workers.outlivedRollbacks()));
  const left = await shutDown(workers);
  if (left.length > 0) problems.push(`still running after a shutdown: ${left.join(', ')}`);
  const maxLateMs = maxAnswerMs(conditions.faults, minDelayMs);
  for (const { site } of sources) problems.push(...politenessProblems(site, minDelayMs, maxLateMs));
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

/** Runs of all sources, with faults at first and then without, and the checks; a hurried one is over when its runs have ended. */
export async function simulateRun(world: World, isHurried: boolean): Promise<readonly string[]> {
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
  conditions.isCalm = !isHurried;
  database.outage = null;
  const waitsFor = isHurried ? { [RUNNING]: UNFINISHED[RUNNING] } : UNFINISHED;
  const calmSince = virtualMs();
  for (let left = unfinished(database, waitsFor); left !== null; left = unfinished(database, waitsFor)) {
    if (virtualMs() - calmSince > BOUND_MS) return [`${left} long after the faults stopped`];
    await delay(isHurried ? 50 : 500);
  }
  if (isHurried) return [];
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
function unfinished(database: SimulatedDatabase, waitsFor: Readonly<Record<string, string>>): string | null {
  for (const [what, sql] of Object.entries(waitsFor)) {
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
  // A run has most of its steps that happen once at its start.
  if (faults.outages && chance(0.5)) await outage(database);
  while (virtualMs() < untilMs) {
    await delay(integer(20, 1500));
    if (chance(0.6)) workers.disturb();
    if (faults.outages && chance(0.15)) await outage(database);
    if (faults.pauses && chance(0.2)) await pause(database, pick(runs));
    if (!faults.rollbacks) continue;
    if (hasCopy && chance(0.3)) {
      // One that was at work continues with what it had read before.
      if (chance(0.5)) workers.stopOne();
      await database.goBack();
      world.hasGoneBack = true;
      workers.onRollback();
      hasCopy = false;
    } else if (chance(0.3)) {
      database.keepCopy();
      hasCopy = true;
    }
  }
}

async function outage(database: SimulatedDatabase): Promise<void> {
  database.outage = pick(['unreachable', 'flapping', 'flapping', 'readonly', 'full'] as const);
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

/**
 * A process that stops in the meantime gives up a slot whose answer took longer, but uses the third one of a database that is always slow.
 * With the database, its slots go back.
 */
function maxAnswerMs({ stops, maxDelayMs, rollbacks }: Faults, minDelayMs: number): number {
  if (rollbacks) return Infinity;
  const isAlwaysSlow = 2 * maxDelayMs > minDelayMs;
  return stops && !isAlwaysSlow ? Math.max(100, minDelayMs / 2) : 2 * maxDelayMs;
}

/** The names of processes that did not end. */
async function shutDown(workers: WorkerProcesses): Promise<readonly string[]> {
  workers.shutDown();
  for (let waits = 0; waits < 120 && workers.running().length > 0; waits += 1) await delay(500);
  return workers.running().map(({ name }) => name);
}
