// Starts the crawl thread. The main thread never waits for a crawl: what it needs to know about it is in the store.

import type { AppContext } from './store.ts';
import type { CrawlContract } from './crawl-thread.ts';
import type { MetricSample } from '../platform/metrics.ts';
import { startThread, threadEntryUrl } from '../platform/worker-thread.ts';
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
  /** What it counted until a second ago. */
  metrics(): readonly MetricSample[];
}

/** What grows with the library is in the database, or in buffers outside of the heap. */
const MAX_HEAP_MB = 1024;

export function startCrawlThread(
  context: AppContext,
  { writeLock, connections }: { readonly writeLock: WriteLock; readonly connections: number },
  signal: AbortSignal,
): CrawlThread {
  const { config, command, log } = context;
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
  });
  const run = Promise.withResolvers<void>();
  let isEmbedding = config.embed.provider !== 'none';
  let metrics: readonly MetricSample[] = [];
  const onProgress = (progress: CrawlContract['progress']): void => {
    isEmbedding = progress.isEmbedding ?? isEmbedding;
    metrics = progress.metrics ?? metrics;
  };

  const stop = (): void => void thread.end();
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });

  async function untilEnded(): Promise<void> {
    try {
      await Promise.race([run.promise, thread.ended]);
    } finally {
      await thread.end();
      writeLock.abandon();
      signal.removeEventListener('abort', stop);
    }
  }
  const ended = untilEnded();
  ended.catch(() => undefined);

  return {
    start(listeningOn) {
      if (!signal.aborted) thread.call({ listeningOn }, { onProgress }).then(run.resolve, run.reject);
    },
    ended,
    isEmbedding: () => isEmbedding,
    metrics: () => metrics,
  };
}
