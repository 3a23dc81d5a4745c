// Entry of the crawl thread: crawls, settles, indexes and embeds, so that the main thread only serves.

import { parentPort, workerData } from 'node:worker_threads';
import { openSecondWriterStore } from './store.ts';
import { getSharedEmbedder } from './embedding.ts';
import { runWorker } from './run-worker.ts';
import { retryWhileUnavailable } from '../crawl/context/retry.ts';
import type { CrawlThreadData, CrawlThreadReply, CrawlThreadRequest } from '../crawl/crawl-thread-messages.ts';
import { lowerPriority, toThreadFailure } from '../platform/worker-thread.ts';
import { useNativeHash } from '../platform/native-hash.ts';
import { createRelayedLog } from '../platform/log.ts';

const port = parentPort;
if (port === null) throw new Error('crawl-thread runs in a worker thread only');

/**
 * Queries take precedence over crawling. The parser threads are started here and inherit the priority. Five steps leave a
 * third of the share of other threads, so that a crawl still progresses on a busy machine.
 */
const NICENESS_STEPS = 5;

lowerPriority(NICENESS_STEPS);
useNativeHash();
const send = (reply: CrawlThreadReply): void => port.postMessage(reply, []);
const stop = new AbortController();
const firstMessage = Promise.withResolvers<void>();
port.on('message', (request: CrawlThreadRequest) => {
  if (request === 'stop') stop.abort();
  firstMessage.resolve();
});

async function runUntilStopped({ config, command, writeLock }: CrawlThreadData): Promise<void> {
  await firstMessage.promise;
  if (stop.signal.aborted) return;
  const log = createRelayedLog(config.log.level, (line) => send({ kind: 'log', line }));
  const context = { config, log, command };
  // The process already opened its database, so one that is unavailable now will come back.
  const store = await retryWhileUnavailable(() => openSecondWriterStore(context, writeLock), stop.signal);
  try {
    await retryWhileUnavailable(() => store.sources.finishRemovals(), stop.signal);
    await runWorker(context, store, stop.signal, (isBusy) => send({ kind: 'embedding', isBusy }));
  } finally {
    await getSharedEmbedder(config)?.close();
    await store.close();
  }
}

await runUntilStopped(workerData as CrawlThreadData).then(
  () => send({ kind: 'ended' }),
  (error: unknown) => send({ kind: 'failed', failure: toThreadFailure(error) }),
);
