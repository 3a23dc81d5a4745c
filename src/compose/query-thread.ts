// Entry of the query thread: runs actions that only read, so that ranking never blocks the main thread.

import { parentPort, workerData } from 'node:worker_threads';
import type { ActionProgress } from '../actions/action.ts';
import { createActionCalls } from './in-process-library.ts';
import { getSharedEmbedder } from './embedding.ts';
import { openStore } from './store.ts';
import { retryWhileUnavailable } from '../crawl/context/retry.ts';
import { useNativeHash } from '../platform/native-hash.ts';
import { createRelayedLog } from '../platform/log.ts';
import { toThreadFailure } from '../platform/worker-thread.ts';
import type { QueryReply, QueryRequest, QueryThreadData } from './query-thread-calls.ts';

const port = parentPort;
if (port === null) throw new Error('query-thread runs in a worker thread only');

useNativeHash();
const send = (reply: QueryReply): void => port.postMessage(reply, []);
const stop = new AbortController();
const { config, origins, command, version } = workerData as QueryThreadData;
const log = createRelayedLog(config.log.level, (line) => send({ kind: 'log', line }));
const context = { config, origins, log, command, version, signal: stop.signal };
// The process already opened its database, so one that is unavailable now will come back.
const store = await retryWhileUnavailable(() => openStore(context, 'read'), stop.signal);
const createCall = createActionCalls(context, store);
const running = new Map<number, AbortController>();

async function handleCall({ id, action, input, files }: QueryRequest & { readonly kind: 'call' }): Promise<void> {
  const abort = new AbortController();
  running.set(id, abort);
  try {
    const onProgress = (progress: ActionProgress): void => send({ kind: 'progress', id, progress });
    const result = await createCall(files)(action, input, { onProgress, signal: abort.signal });
    send({ kind: 'result', id, result });
  } catch (error) {
    send({ kind: 'failed', id, failure: toThreadFailure(error) });
  } finally {
    running.delete(id);
  }
}

async function end(): Promise<void> {
  stop.abort();
  await getSharedEmbedder(config)?.close();
  await store.close();
  send({ kind: 'ended' });
}

port.on('message', (request: QueryRequest) => {
  if (request.kind === 'call') void handleCall(request);
  else if (request.kind === 'cancel') running.get(request.id)?.abort();
  else void end();
});
send({ kind: 'ready' });
