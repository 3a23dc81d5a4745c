// The processes that crawl: each with its own store, index and clock. They die, stop, are shut down, and are replaced.

import type { CrawlLimits } from '../../../src/crawl/context/ports.ts';
import type { SendMessage } from '../../../src/library/webhook-message.ts';
import { loadConfig } from '../../../src/platform/config/load-config.ts';
import { createLog, type Log } from '../../../src/platform/log.ts';
import type { Fetcher } from '../../../src/fetch/port.ts';
import type { Store } from '../../../src/store/port.ts';
import type { Conditions } from './faults.ts';
import type { FenceLedger } from './fence-ledger.ts';
import { now, random } from './simulated-clock.ts';
import type { SimulatedDatabase } from './simulated-database.ts';
import {
  continueProcess,
  createProcess,
  currentProcess,
  inProcess,
  stopProcess,
  type SimulatedProcess,
} from './simulated-process.ts';
import { thisBuild, type ProgramBuild } from './program-build.ts';
import { trace } from './trace.ts';
import { at, chance, delay, integer, pick, virtualEpochMs, virtualMs } from './virtual-time.ts';

const { config } = loadConfig({ env: { HOME: '/nowhere' }, cwd: '/', readFile: () => null });

export const LEASE_MS = 3000;
/** Longer than every lease. */
const MAX_STOP_MS = 45_000;
const WEBHOOK_SETTINGS = { ...config.webhooks, timeoutMs: 5000, minRetryMs: 500, maxRetryMs: 5000 };
/** What a delivery has on top of the time of its request. */
const WEBHOOK_LEASE_MS = 30_000 + WEBHOOK_SETTINGS.timeoutMs;
const WAIT_MS = 500;
/** Between the shutdowns of two processes in a rolling upgrade. */
const MAX_ROLLING_MS = 120_000;
const HOUR_MS = 3_600_000;

/** No page and no run may be given up because of the faults. */
export function crawlLimits(minDelayMs: number): CrawlLimits {
  return {
    ...config.crawl,
    maxRedirects: config.fetch.maxRedirects,
    leaseMs: LEASE_MS,
    renewMs: 1000,
    maxAttempts: 60,
    quarantineAfterCrashes: 40,
    maxRunCrashes: 100,
    maxFailureRate: 1,
    maxStallMinutes: 600,
    minDelayMs,
    startDelayMs: minDelayMs,
    circuitBreakerMs: 500,
    retryBaseMs: 200,
  };
}

interface WorkerProcess {
  readonly process: SimulatedProcess;
  readonly build: ProgramBuild;
  readonly stop: AbortController;
  isEnded: boolean;
}

export interface WorkerProcesses {
  /** Live ones. */
  readonly running: () => readonly SimulatedProcess[];
  /** Every process that ended with an error that it should have survived. */
  readonly failures: string[];
  /** Runs that build, or one that is in use. */
  start(build?: ProgramBuild): void;
  /** Processes of other builds are shut down one after the other, and replaced. */
  use(builds: readonly ProgramBuild[]): Promise<void>;
  runningOf(build: ProgramBuild): number;
  /** Dies at once, or stops for a while, or shuts down and is replaced: what the faults of the seed allow. */
  disturb(): void;
  /** One of them stops for a while. */
  stopOne(): void;
  /** One that is sending a message stops for longer than its lease, now and then. */
  readonly stopWhileSending: () => void;
  /** The database went back, just now. */
  onRollback(): void;
  /** Processes that had seen what is gone, and did not end. */
  outlivedRollbacks(): Promise<readonly string[]>;
  /** Resolves when all have ended; false if one had not at this time. */
  shutDown(): readonly string[];
}

export interface WorkerProcessesDeps {
  readonly database: SimulatedDatabase;
  readonly conditions: Conditions;
  readonly fetcher: Fetcher;
  readonly send: SendMessage;
  readonly limits: CrawlLimits;
  readonly fences: FenceLedger;
  readonly onLog: (line: string) => void;
}

export function createWorkerProcesses(deps: WorkerProcessesDeps): WorkerProcesses {
  const { database, conditions, fences, onLog } = deps;
  const { faults } = conditions;
  const all: WorkerProcess[] = [];
  const failures: string[] = [];
  let isShuttingDown = false;
  let inUse: readonly ProgramBuild[] = [thisBuild];
  const running = (): WorkerProcess[] => all.filter(({ process, isEnded }) => !process.isDead && !isEnded);

  function start(build = inUse.length === 1 ? inUse[0]! : pick(inUse)): void {
    if (!database.accepts(build)) {
      trace(`${build.name} is refused by the database`);
      return replace();
    }
    const skewMs = faults.skewedClocks && chance(0.5) ? integer(-5, 5) * HOUR_MS : 0;
    const process = createProcess(`w${all.length + 1}`, { isWorker: true, skewMs });
    const worker: WorkerProcess = { process, build, stop: new AbortController(), isEnded: false };
    all.push(worker);
    const log = createLog({ level: 'info', now: () => new Date(virtualEpochMs()), write: onLog });
    inProcess(process, () => {
      trace('starts');
      const store = watchHistory(fences.watch(database.storeOf(process, build)), process);
      void runWorker(worker, store, { ...deps, log }).then(
        () => end(worker, null),
        (error: unknown) => end(worker, error instanceof Error ? error : new Error('not an error', { cause: error })),
      );
    });
  }

  function die(process: SimulatedProcess): void {
    trace(`${process.name} dies`);
    process.isDead = true;
    replace();
  }

  // A process that comes back at the moment when another one has what it had: later, there is nothing left to take.
  fences.onTakeOver = (previous) => {
    if (previous.stoppedUntilMs <= virtualMs() || !chance(0.5)) return;
    trace(`${previous.name} continues`);
    at(virtualMs() + integer(0, 60), () => continueProcess(previous));
  };
  database.onSingleFault = (kind, process) => (kind === 'death' ? die(process) : stall(process));

  function replace(): void {
    if (!isShuttingDown) at(virtualMs() + integer(0, 1500), () => void (isShuttingDown || start()));
  }

  function end(worker: WorkerProcess, error: Error | null): void {
    const reason = error?.message ?? 'no error';
    trace(`ends: ${reason}`);
    worker.isEnded = true;
    const isReplaced = !database.accepts(worker.build) && reason.includes('schema version');
    const isExpected = error === null ? worker.stop.signal.aborted : isReplaced || reason.includes('gone back');
    if (!isExpected) failures.push(`${worker.process.name} ended: ${reason}`);
    replace();
  }

  function stall(process: SimulatedProcess): void {
    const untilMs = virtualMs() + pick([integer(50, 600), integer(50, 3 * LEASE_MS), MAX_STOP_MS]);
    stopProcess(process, untilMs);
    trace(`${process.name} stops until ${untilMs.toFixed(0)}`);
  }

  function shutDown({ process, stop }: WorkerProcess): void {
    trace(`${process.name} is shut down`);
    stop.abort();
  }

  function disturb(): void {
    const victims = running().filter(({ stop }) => !stop.signal.aborted);
    const kinds: Array<(victim: WorkerProcess) => void> = [];
    if (faults.deaths) kinds.push(({ process }) => die(process));
    if (faults.stops) kinds.push(({ process }) => stall(process));
    if (faults.shutdowns) kinds.push(shutDown);
    if (victims.length > 0 && kinds.length > 0) pick(kinds)(pick(victims));
  }

  function stopOne(): void {
    const victims = running();
    if (victims.length > 0) stall(pick(victims).process);
  }

  function stopWhileSending(): void {
    const process = currentProcess();
    if (!faults.stops || process === undefined || !chance(0.05)) return;
    trace(`${process.name} stops while it sends`);
    stopProcess(process, virtualMs() + integer(WEBHOOK_LEASE_MS - LEASE_MS, MAX_STOP_MS));
  }

  function onRollback(): void {
    const [row] = database.rows('select last from event_head');
    for (const worker of running()) if ((followed.get(worker.process) ?? 0) > Number(row?.['last'])) doomed.add(worker);
  }

  async function outlivedRollbacks(): Promise<readonly string[]> {
    const left = (): WorkerProcess[] => running().filter((worker) => doomed.has(worker));
    for (let waits = 0; waits < MAX_STOP_MS / WAIT_MS && left().length > 0; waits += 1) await delay(WAIT_MS);
    return left().map(({ process }) => `${process.name} goes on with what it remembers of another history`);
  }

  /** The newest event that each process knows to be there. */
  const followed = new Map<SimulatedProcess, number>();
  const doomed = new Set<WorkerProcess>();
  function watchHistory(store: Store, process: SimulatedProcess): Store {
    const follow: Store['history']['follow'] = async (seen) => {
      const mark = await store.history.follow(seen);
      followed.set(process, mark.seq);
      return mark;
    };
    return { ...store, history: { ...store.history, follow } };
  }

  async function use(builds: readonly ProgramBuild[]): Promise<void> {
    inUse = builds;
    for (const worker of running().filter(({ build }) => !builds.includes(build))) {
      await delay(integer(0, MAX_ROLLING_MS));
      shutDown(worker);
    }
  }

  return {
    use,
    runningOf: (build) => running().filter((worker) => worker.build === build).length,
    running: () => running().map(({ process }) => process),
    failures,
    start,
    stopOne,
    stopWhileSending,
    onRollback,
    outlivedRollbacks,
    disturb,
    shutDown() {
      isShuttingDown = true;
      for (const { stop } of running()) stop.abort();
      return running().map(({ process }) => process.name);
    },
  };
}

function runWorker(
  { process: { name: id }, build, stop }: WorkerProcess,
  store: Store,
  { fetcher, send, limits, log }: WorkerProcessesDeps & { readonly log: Log },
): Promise<void> {
  const delivery = { store, log, worker: id, send, settings: WEBHOOK_SETTINGS, random };
  return build
    .createWorker({
      id,
      ports: {
        store,
        fetcher,
        parser: build.parser,
        rendering: null,
        log,
        local: NO_FILES,
        secretFor: () => ({ kind: 'not-opened' }),
      },
      index: build.createSegmentIndex(store.segments, 8),
      limits,
      services: { deliver: (until) => build.deliverWebhooks(delivery, until) },
      now,
      random,
    })
    .run(stop.signal);
}

const noFiles = (): Promise<never> => Promise.reject(new Error('no files are read'));
const NO_FILES = { stat: noFiles, open: noFiles, openBundle: noFiles, openProject: noFiles, openPackage: noFiles };
