// One simulation: some runs of one or two sites by a few processes, with the faults of its seed, and the checks after each run.

import { readFeed } from '../../../src/library/change-feed.ts';
import type { RunId, VersionId } from '../../../src/core/model/run.ts';
import { createFeedFollower, createWebhookReceiver } from './consumers.ts';
import { NO_FAULTS, randomFaults, type Conditions, type Faults } from './faults.ts';
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
  /** Between two requests to a host. */
  readonly minDelayMs?: number;
  /** At the start. */
  readonly processes?: number;
  /** Each run but the last follows when the one before has ended, whatever else is not done. */
  readonly isHurried?: boolean;
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

/** As many seeds as a short run has calls: the next round has another kind of fault. */
const SINGLE_CALLS = 40;

/**
 * One fault at one call, and little else: a walk with many faults rarely has the one that matters at the one moment that matters, and repairs
 * much of what it broke. Half of them go through the first reads and writes of a process that is alone, in order.
 */
function singleFaultOptions(nth: number): SimulationOptions {
  const faults = { ...NO_FAULTS, flakyPages: pick([0, 0.3]), slowPages: true };
  const common = { faults, runs: 1, disturbMs: 4000, limitedShare: 0.7 };
  const round = Math.floor(nth / 2);
  if (nth % 2 === 0) {
    const kind = pick(['lost', 'answer-lost', 'death', 'stop'] as const);
    return { ...common, singleFault: { kind, of: 'call', call: pick([integer(1, 40), integer(1, 300)]) } };
  }
  const kinds = [
    { kind: 'lost', of: 'read' },
    { kind: 'lost', of: 'read', times: 2 },
    { kind: 'rolled-back', of: 'write' },
    { kind: 'answer-lost', of: 'write' },
  ] as const;
  const call = 1 + (Math.floor(round / kinds.length) % SINGLE_CALLS);
  return { ...common, processes: 1, singleFault: { ...kinds[round % kinds.length]!, call } };
}

/** Runs that follow each other at once while a call is late or a process stops: an indexer is still at work on a page when it changes again. */
function hurriedOptions(rollbacks: boolean): SimulationOptions {
  const faults = {
    ...NO_FAULTS,
    maxDelayMs: pick([8, 40]),
    stops: chance(0.5),
    deaths: chance(0.3),
    lostAnswers: pick([0, 0.01]),
    slowPages: chance(0.3),
    failingReceiver: chance(0.3),
    slowIndexing: chance(0.7),
    rollbacks,
  };
  const kind = pick(['late', 'late-answer', 'stop'] as const);
  const singleFault = { kind, of: 'write', call: integer(5, 120), times: pick([1, 3]) } as const;
  const common = { runs: 5, pages: integer(2, 6), disturbMs: 3000, isHurried: true, minDelayMs: 0 };
  return { faults, singleFault, processes: integer(1, 3), ...common };
}

/** Processes that share the rate of a host, and are late for their slots. */
function politeOptions(): SimulationOptions {
  const faults = {
    ...NO_FAULTS,
    maxDelayMs: pick([8, 40, 400]),
    lateClaims: pick([0, 0.3]),
    lostAnswers: pick([0, 0.05]),
    stops: true,
    throttling: chance(0.3),
    pauses: chance(0.3),
    outages: chance(0.3),
  };
  return { faults, runs: 1, pages: integer(8, 18), minDelayMs: pick([200, 600]), processes: 3 };
}

/** Pages that are found on a longer path before a shorter one. */
function deepOptions(): SimulationOptions {
  const faults = { ...NO_FAULTS, flakyPages: 0.4, slowPages: true, throttling: chance(0.5), deaths: chance(0.3) };
  return { faults, runs: 1, pages: integer(8, 18), limitedShare: 1 };
}

/** Some of the seeds have a scenario for one kind of fault; the others walk at random. */
function optionsOf(seed: number): SimulationOptions {
  if (seed % 3 === 0) return singleFaultOptions(Math.floor(seed / 3));
  switch (seed % 9) {
    case 1:
      return hurriedOptions(false);
    case 7:
      return hurriedOptions(true);
    case 5:
      return politeOptions();
    case 8:
      return deepOptions();
    default:
      return {};
  }
}

export async function simulate(seed: number, provided: SimulationOptions = {}): Promise<SimulationResult> {
  resetTime(seed);
  resetTrace();
  const options = { ...optionsOf(seed), ...provided };
  const conditions: Conditions = { faults: options.faults ?? randomFaults(), isCalm: false };
  const { singleFault = null, minDelayMs = pick([0, 0, 50, 200, 600]) } = options;
  const database = openSimulatedDatabase({ conditions, startDelayMs: minDelayMs, singleFault });
  const logLines: string[] = [];
  const problems: string[] = [];
  let isDone = false;
  const run = simulateRuns(conditions, { ...options, database, minDelayMs, logLines, problems }).catch(
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
  receiver.onSending = workers.stopWhileSending;
  let hasGoneBack = false;
  const onRollback = (): void => {
    hasGoneBack = true;
    workers.onRollback();
  };
  const follower = createFeedFollower();
  const end = new AbortController();
  const following = follower.run(database.truth, end.signal);
  for (let started = parts.processes ?? integer(1, 3); started > 0; started -= 1) workers.start();
  const { disturbMs = 12_000 } = parts;
  const world: World = { conditions, database, workers, sources, onRollback, disturbMs };
  const { runs = 2 } = parts;
  for (let nth = 0; nth < runs && problems.length === 0; nth += 1) {
    if (nth > 0) for (const { site } of sources) site.edit();
    const isHurried = parts.isHurried === true && nth < runs - 1;
    problems.push(...(await simulateRun(world, isHurried)).map((problem) => `run ${nth + 1}: ${problem}`));
    if (isHurried) continue;
    problems.push(...(await follower.compare(database.truth.changes)));
    problems.push(...workers.failures, ...new Set(database.problems));
    // A database that went back gives out its tokens and positions again.
    if (hasGoneBack) continue;
    problems.push(...fences.problems(), ...receiver.problems);
    problems.push(...(await webhookProblems(database, receiver.received)));
  }
  end.abort();
  await following;
  problems.push(...(await workers.outlivedRollbacks()));
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

/** Runs of all sources, with faults at first and then without, and the checks; a hurried one is over when its runs have ended. */
async function simulateRun(world: World, isHurried: boolean): Promise<readonly string[]> {
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
  const { conditions, database, workers, onRollback } = world;
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
      onRollback();
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
