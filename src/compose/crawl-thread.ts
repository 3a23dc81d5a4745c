// How the thread begins that crawls, settles, indexes and embeds, beside the one that answers people.

import { parentPort, workerData } from 'node:worker_threads';
import { openPartnerStore } from './store.ts';
import { embeddingOf } from './embedding.ts';
import { work } from './run-worker.ts';
import { persistently } from '../crawl/context/retry.ts';
import type { WorkThreadData, WorkThreadReply, WorkThreadRequest } from '../crawl/crawl-thread-messages.ts';
import { giveWay } from '../platform/give-way.ts';
import { useNativeHash } from '../platform/native-hash.ts';
import { createRelayedLog } from '../platform/relayed-log.ts';
import { failureOf } from '../platform/worker-thread.ts';

const port = parentPort;
if (port === null) throw new Error('work-thread runs in a worker thread only');

/**
 * Whoever asks waits; a crawl does not. The threads that parse are started here, and give way too. Five steps are a third of the
 * share of others: on a machine that is busy with something else a crawl goes on.
 */
const STEPS_BEHIND_ANSWERS = 5;

giveWay(STEPS_BEHIND_ANSWERS);
useNativeHash();
const tell = (reply: WorkThreadReply): void => port.postMessage(reply, []);
const stop = new AbortController();
const told = Promise.withResolvers<void>();
port.on('message', (request: WorkThreadRequest) => {
  if (request === 'stop') stop.abort();
  told.resolve();
});

async function workHere({ config, command, turns }: WorkThreadData): Promise<void> {
  await told.promise;
  if (stop.signal.aborted) return;
  const log = createRelayedLog(config.log.level, (line) => tell({ kind: 'log', line }));
  const around = { config, log, command };
  // The process has had its database when it began: one that is away now comes back.
  const store = await persistently(() => openPartnerStore(around, turns), stop.signal);
  try {
    await persistently(() => store.sources.finishRemovals(), stop.signal);
    await work(around, store, stop.signal, (isBusy) => tell({ kind: 'embedding', isBusy }));
  } finally {
    await embeddingOf(config)?.close();
    await store.close();
  }
}

await workHere(workerData as WorkThreadData).then(
  () => tell({ kind: 'ended' }),
  (error: unknown) => tell({ kind: 'failed', failure: failureOf(error) }),
);
