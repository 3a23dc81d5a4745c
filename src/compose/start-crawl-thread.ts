// Starts the crawl thread. The main thread never waits for a crawl: what it needs to know about it is in the store.

import type { AppContext } from './app-context.ts';
import type { CrawlContract } from './crawl-thread.ts';
import { createMetrics, type MetricSample } from '../platform/metrics.ts';
import { sleepOrAbort } from '../platform/clock.ts';
import { startThread, threadEntryUrl, threadError, type Thread, type ThreadFault } from '../platform/worker-thread.ts';
import type { WriteLock } from '../store/sqlite/write-lock.ts';

export interface CrawlThread {
  /**
   * Call it when the database is ready, with the ports that this process listens on: a page never reaches them. Until then the
   * thread only loads, and does not keep the process alive.
   */
  start(listeningOn: readonly number[]): void;
  /** Resolves when the thread has released its claims and exited; rejects with the error that ended it otherwise. */
  readonly ended: Promise<void>;
  /** Whether texts are waiting for vectors; true until the thread has checked. */
  isEmbedding(): boolean;
  /** Its counters as of a second ago, those of threads that crashed included. */
  metrics(): readonly MetricSample[];
}

/** The database, or buffers outside the heap, hold everything that grows with the library. */
const MAX_HEAP_MB = 1024;

/** Crashes in a row, each soon after the thread was started, before the process ends with the error. */
const MAX_CRASHES = 10;
const SOON_MS = 10_000;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;

const RESTARTED = 'the crawl thread crashed and is started again; URLs in flight return when their leases expire';

interface CrawlThreadParts {
  readonly writeLock: WriteLock;
  readonly connections: number;
}

/**
 * A thread that crashes, on an uncaught exception for instance, is started again: a page must not end the process. URLs that it
 * had in flight return when their leases expire, and one that crashes its threads each time is quarantined.
 */
export function startCrawlThread(context: AppContext, parts: CrawlThreadParts, signal: AbortSignal): CrawlThread {
  const { config, log } = context;
  const { writeLock } = parts;
  const begun = Promise.withResolvers<readonly number[]>();
  const restarts = createMetrics(['crawl_thread_restarts_total']);
  let isBegun = false;
  let isEmbedding = config.embed.provider !== 'none';
  let metrics: readonly MetricSample[] = [];
  let ended: readonly MetricSample[] = [];
  const onProgress = (progress: CrawlContract['progress']): void => {
    isEmbedding = progress.isEmbedding ?? isEmbedding;
    metrics = progress.metrics ?? metrics;
  };
  let current = launch(context, parts);

  const stop = (): void => void current.thread.end();
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });

  async function work({ thread }: LaunchedThread): Promise<void> {
    const call = async (): Promise<void> => {
      const listeningOn = await begun.promise;
      if (!signal.aborted) await thread.call({ listeningOn }, { onProgress });
    };
    const running = call();
    running.catch(() => undefined);
    await Promise.race([running, thread.ended]).finally(() => thread.end());
  }

  async function workUntilEnded(): Promise<void> {
    for (let crashes = 1; ; crashes += 1) {
      const startedAt = performance.now();
      try {
        return await work(current);
      } catch (error) {
        if (performance.now() - startedAt > SOON_MS) crashes = 1;
        if (signal.aborted || !isBegun || !current.hasCrashed() || crashes > MAX_CRASHES) throw error;
        log.error(RESTARTED, { error });
      }
      restarts.add('crawl_thread_restarts_total');
      ended = addSamples(ended, metrics);
      metrics = [];
      writeLock.renew();
      await sleepOrAbort(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** crashes), signal);
      if (signal.aborted) return;
      current = launch(context, parts);
    }
  }
  const ending = workUntilEnded().finally(() => {
    writeLock.abandon();
    signal.removeEventListener('abort', stop);
  });
  ending.catch(() => undefined);

  return {
    start(listeningOn) {
      isBegun = true;
      begun.resolve(listeningOn);
    },
    ended: ending,
    isEmbedding: () => isEmbedding,
    metrics: () => [...restarts.samples(), ...addSamples(ended, metrics)],
  };
}

interface LaunchedThread {
  readonly thread: Thread<CrawlContract>;
  /** Whether it ended by itself: what it raised for a reason, such as a failed disk, ends the process. */
  readonly hasCrashed: () => boolean;
}

const CRASHES: ReadonlySet<ThreadFault['kind']> = new Set(['crashed', 'memory', 'exited']);

function launch({ config, command, log }: AppContext, { writeLock, connections }: CrawlThreadParts): LaunchedThread {
  let hasCrashed = false;
  const thread = startThread<CrawlContract>({
    name: 'crawl',
    entry: threadEntryUrl('crawl-thread', import.meta.url),
    data: { config, command, writeLock: writeLock.memory, connections },
    env: 'inherit',
    maxHeapMb: MAX_HEAP_MB,
    // It releases its claims first; the deadline of the whole process applies.
    endMs: Infinity,
    unrefWhenIdle: true,
    log,
    errorOf(fault) {
      hasCrashed ||= CRASHES.has(fault.kind);
      return threadError('crawl', fault);
    },
  });
  return { thread, hasCrashed: () => hasCrashed };
}

/** Counters of a thread go on where those of the one before it ended. */
function addSamples(before: readonly MetricSample[], now: readonly MetricSample[]): readonly MetricSample[] {
  const sums = new Map(before.map((sample) => [sample.line, sample]));
  for (const sample of now) {
    const value = (sums.get(sample.line)?.value ?? 0) + sample.value;
    sums.set(sample.line, { ...sample, value });
  }
  return [...sums.values()];
}
