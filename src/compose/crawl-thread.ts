// Entry of the crawl thread: crawls, settles, indexes and embeds, so that the main thread only serves.

import { closeSync, openSync, utimesSync } from 'node:fs';
import { openSecondWriterStore } from './store.ts';
import { getSharedEmbedder } from './embedding.ts';
import { WORKER_METRICS } from './instrument-ports.ts';
import { runWorker } from './run-worker.ts';
import { retryWhileUnavailable } from '../crawl/context/retry.ts';
import type { Config } from '../platform/config/schema.ts';
import type { Log } from '../platform/log.ts';
import { createMetrics, type Metrics, type MetricSample } from '../platform/metrics.ts';
import { useNativeHash } from '../platform/native-hash.ts';
import { lowerPriority, serveThread } from '../platform/serve-thread.ts';
import type { ThreadContract } from '../platform/worker-thread.ts';
import type { Store } from '../store/port.ts';

/** One call, which runs until the thread is to end. Everything else the threads share is in the store. */
export interface CrawlContract extends ThreadContract {
  readonly data: {
    readonly config: Config;
    readonly command: string;
    /** Serializes writes to a SQLite database between threads. */
    readonly writeLock: SharedArrayBuffer;
    /** Its share of the connections to PostgreSQL. */
    readonly connections: number;
  };
  readonly input: { readonly listeningOn: readonly number[] };
  readonly result: void;
  readonly progress: {
    /** Whether texts are waiting for vectors or the model is being opened. */
    readonly isEmbedding?: boolean;
    readonly metrics?: readonly MetricSample[];
  };
}

/**
 * Queries take precedence over crawling. The parser threads are started here and inherit the priority. Five steps leave a
 * third of the share of other threads, so that a crawl still progresses on a busy machine.
 */
const NICENESS_STEPS = 5;

const HEARTBEAT_MS = 10_000;

/** Touches the file for as long as this thread is able to. Returns what stops it. */
function startHeartbeat(file: string | undefined, log: Log): () => void {
  if (file === undefined) return () => undefined;
  const beat = (): void => {
    try {
      closeSync(openSync(file, 'a', 0o600));
      utimesSync(file, new Date(), new Date());
    } catch (error) {
      log.warn('the heartbeat file cannot be written', { file, error });
    }
  };
  beat();
  const timer = setInterval(beat, HEARTBEAT_MS).unref();
  return () => clearInterval(timer);
}

const REPORT_METRICS_MS = 1000;

function startReporting(metrics: Metrics, onProgress: (progress: CrawlContract['progress']) => void): () => void {
  const report = (): void => onProgress({ metrics: metrics.samples() });
  report();
  const timer = setInterval(report, REPORT_METRICS_MS).unref();
  return () => clearInterval(timer);
}

lowerPriority(NICENESS_STEPS);
useNativeHash();
serveThread<CrawlContract>({
  open: ({ config, command, writeLock, connections }, { createLog }) => ({
    async handle({ listeningOn }, { signal, onProgress }) {
      if (signal.aborted) return;
      const log = createLog(config.log.level);
      const context = { config, log, command };
      const metrics = createMetrics(WORKER_METRICS);
      const stops = [startHeartbeat(config.crawl.heartbeatFile, log), startReporting(metrics, onProgress)];
      // The process already opened its database, so one that is unavailable now will come back.
      const open = (): Promise<Store> => openSecondWriterStore(context, writeLock, connections);
      const store = await retryWhileUnavailable(open, signal);
      try {
        await retryWhileUnavailable(() => store.sources.finishRemovals(), signal);
        const onBusyChange = (isBusy: () => boolean): void => onProgress({ isEmbedding: isBusy() });
        await runWorker({ ...context, listeningOn }, store, signal, { onBusyChange, metrics });
      } finally {
        for (const stop of stops) stop();
        await getSharedEmbedder(config)?.close();
        await store.close();
      }
    },
  }),
});
