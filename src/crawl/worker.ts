// One worker: concurrent loops that share nothing but the store. Any number of workers may run at once.

import { intervalMs, nextRunDelayMs } from '../core/model/interval.ts';
import { pickVersion } from '../core/model/version-verdict.ts';
import type { CrawlLimits, CrawlPorts } from './context/ports.ts';
import type { ReportProblem } from './context/report-problem.ts';
import { supervise } from './context/retry.ts';
import { createLocalSourceOpener } from './files/open-local-source.ts';
import { createClaimLoop } from './loop/claim-loop.ts';
import { createIdleSleep } from './loop/idle-sleep.ts';
import { embedLoop, type EmbedLoopDeps } from './loop/embed-loop.ts';
import { indexLoop } from './loop/index-loop.ts';
import { createCrawlContext } from './page/crawl-context.ts';
import { coordinateRun } from './run/coordinate-run.ts';
import { createRunActivity } from './run/run-activity.ts';
import type { SearchIndex } from '../index/port.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from '../store/port.ts';
import type { HistoryPosition } from '../store/port/history.ts';
import type { RunLease } from '../store/port/runs.ts';
import type { Source } from '../store/port/sources.ts';
import { sleepOrAbort } from '../platform/clock.ts';

export interface Worker {
  /** Runs until the signal; then finishes or releases what is in flight. */
  run(signal: AbortSignal): Promise<void>;
}

export type Embedding = Pick<EmbedLoopDeps, 'openEmbedder' | 'leaseMs' | 'onBusyChange'>;

export interface WorkerDeps {
  readonly id: string;
  readonly ports: CrawlPorts;
  readonly index: SearchIndex;
  readonly limits: CrawlLimits;
  /** Null if embeddings are off. */
  readonly embedding?: Embedding | null;
  /** What a worker does until the signal in addition to crawling, such as sending changes to webhooks; by name. */
  readonly services?: Readonly<Record<string, (signal: AbortSignal) => Promise<void>>>;
  readonly now: () => number;
  readonly random: () => number;
}

const POLL_RUNS_MS = 100;
const WATCH_HISTORY_MS = 5000;

export function createWorker(deps: WorkerDeps): Worker {
  const { id, ports, index, limits, embedding = null, services = {}, now, random } = deps;
  const { store, log } = ports;
  const context = createCrawlContext({ ports, limits, now, random });
  const { loadRunRules } = context;
  const openLocalSource = createLocalSourceOpener(context);
  const activity = createRunActivity();
  const claimLoop = createClaimLoop(id, { ...context, activity }, { loadRunRules, openLocalSource });

  async function coordinate(lease: RunLease, signal: AbortSignal): Promise<void> {
    const { id: run, mode } = lease.run;
    if (lease.fence === 1) log.info('run started', { run, mode });
    try {
      await coordinateRun(lease, { ...context, openLocalSource, activity }, signal);
      const ended = await store.runs.byId(run);
      if (ended !== null && ended.endedAt !== null)
        log.info('run ended', { run, state: ended.state, reason: ended.reason, ...ended.counts });
    } catch (error) {
      if (signal.aborted) return;
      await reportFailure(lease, error, { log, report: context.report });
    }
  }

  /** They continue while their loop is restarted. */
  const active = new Set<Promise<void>>();

  async function coordinateRuns(signal: AbortSignal): Promise<void> {
    const idle = createIdleSleep(store.wakeups, 'runs', POLL_RUNS_MS);
    while (!signal.aborted) {
      const lease = active.size < limits.maxRuns ? await store.runs.lease(id, limits.leaseMs) : null;
      if (lease === null) {
        await idle.sleep(signal);
        continue;
      }
      idle.reset();
      const run = coordinate(lease, signal).finally(() => active.delete(run));
      active.add(run);
    }
    await Promise.allSettled(active);
  }

  const embed =
    embedding === null
      ? null
      : (signal: AbortSignal) => embedLoop({ id, store, log, now, random, ...embedding }, signal);

  return {
    async run(signal) {
      const { claim, renew } = claimLoop;
      const loops = {
        coordinateRuns,
        claim,
        renew,
        watchHistory: createHistoryWatch(store),
        indexPages: (stop: AbortSignal) => indexLoop(index, store.wakeups, stop),
        startScheduled: (stop: AbortSignal) =>
          scheduleLoop({ store, log, random, maxRuns: limits.maxScheduledRuns }, stop),
        ...(embed === null ? {} : { embed }),
        ...services,
      };
      await runLoops(loops, log, signal);
    },
  };
}

/** Claims, leases and caches are of the history that they were taken in: with another one, the worker ends. */
function createHistoryWatch({ history }: Pick<Store, 'history'>): (signal: AbortSignal) => Promise<void> {
  // Kept while the loop is restarted: a database that was away may have gone back in the meantime.
  let seen: HistoryPosition | null = null;
  return async (signal) => {
    while (!signal.aborted) {
      seen = await history.follow(seen);
      await sleepOrAbort(WATCH_HISTORY_MS, signal);
    }
  };
}

/** If one of them fails for good, all end. */
async function runLoops(
  loops: Readonly<Record<string, (signal: AbortSignal) => Promise<void>>>,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const running = Object.entries(loops).map(async ([name, loop]) => {
    await supervise(name, loop, stop, log).finally(() => failed.abort());
  });
  const ends = await Promise.allSettled(running);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Says why a run starts over, and at last why it failed. */
async function reportFailure(
  { run: { id } }: RunLease,
  error: unknown,
  { log, report }: { readonly log: Log; readonly report: ReportProblem },
): Promise<void> {
  log.error('run abandoned after an error; another worker takes it over when the lease expires', { run: id, error });
  const message = `The coordinator failed: ${error instanceof Error ? error.message : String(error)}`;
  const target = `run ${id}`;
  const about = { run: id, kind: 'coordinator-failed', severity: 'error', scope: 'run', target } as const;
  await report({ ...about, message, details: {} }).catch(() => undefined);
}

const POLL_SCHEDULES_MS = 2000;

interface ScheduleDeps {
  readonly store: Pick<Store, 'sources' | 'runs'>;
  readonly log: Log;
  readonly random: () => number;
  readonly maxRuns: number;
}

/**
 * Starts the runs of sources that are due. After a long downtime all of them are due at the same time, so only so many
 * runs are active at a time. Any number of processes may poll: the store lets only one of them start each run.
 */
async function scheduleLoop({ store, log, random, maxRuns }: ScheduleDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const startable = maxRuns - (await store.runs.countActive());
    for (const source of startable > 0 ? await store.sources.due(startable) : []) {
      const run = await startDue(source, store, random());
      if (run !== null) log.info('scheduled run started', { source: source.name, run });
    }
    await sleepOrAbort(POLL_SCHEDULES_MS, signal);
  }
}

async function startDue(source: Source, { runs }: ScheduleDeps['store'], chance: number): Promise<number | null> {
  const { every } = source.settings;
  const version = pickVersion(source.versions);
  const everyMs = typeof every === 'string' ? intervalMs(every) : null;
  if (version === undefined || everyMs === null) return null;
  return (await runs.startDue(version.id, nextRunDelayMs(everyMs, chance)))?.id ?? null;
}
