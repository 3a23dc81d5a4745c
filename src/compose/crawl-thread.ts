// Entry of the crawl thread: crawls, settles, indexes and embeds, so that the main thread only serves.

import { openSecondWriterStore } from './store.ts';
import { getSharedEmbedder } from './embedding.ts';
import { runWorker } from './run-worker.ts';
import { retryWhileUnavailable } from '../crawl/context/retry.ts';
import type { Config } from '../platform/config/schema.ts';
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
  readonly input: 'run';
  readonly result: void;
  /** Whether texts are waiting for vectors or the model is being opened. */
  readonly progress: { readonly isEmbedding: boolean };
}

/**
 * Queries take precedence over crawling. The parser threads are started here and inherit the priority. Five steps leave a
 * third of the share of other threads, so that a crawl still progresses on a busy machine.
 */
const NICENESS_STEPS = 5;

lowerPriority(NICENESS_STEPS);
useNativeHash();
serveThread<CrawlContract>({
  open: ({ config, command, writeLock, connections }, { createLog }) => ({
    async handle(_run, { signal, onProgress }) {
      if (signal.aborted) return;
      const context = { config, log: createLog(config.log.level), command };
      // The process already opened its database, so one that is unavailable now will come back.
      const open = (): Promise<Store> => openSecondWriterStore(context, writeLock, connections);
      const store = await retryWhileUnavailable(open, signal);
      try {
        await retryWhileUnavailable(() => store.sources.finishRemovals(), signal);
        await runWorker(context, store, signal, (isEmbedding) => onProgress({ isEmbedding }));
      } finally {
        await getSharedEmbedder(config)?.close();
        await store.close();
      }
    },
  }),
});
