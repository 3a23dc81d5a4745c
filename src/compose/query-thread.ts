// How the thread begins that searches and reads: ranking takes its time, and the thread that answers must not.

import { parentPort, workerData } from 'node:worker_threads';
import { callActions } from './in-process-library.ts';
import { embeddingOf } from './embedding.ts';
import { openStore } from './store.ts';
import { persistently } from '../crawl/context/retry.ts';
import { useNativeHash } from '../platform/native-hash.ts';
import { createRelayedLog } from '../platform/relayed-log.ts';
import { failureOf } from '../platform/worker-thread.ts';
import type { ReadReply, ReadRequest, ReadThreadData } from '../serve/read-messages.ts';

const port = parentPort;
if (port === null) throw new Error('read-thread runs in a worker thread only');

useNativeHash();
const tell = (reply: ReadReply): void => port.postMessage(reply, []);
const stop = new AbortController();
const { config, origins, command, version } = workerData as ReadThreadData;
const log = createRelayedLog(config.log.level, (line) => tell({ kind: 'log', line }));
const around = { config, origins, log, command, version, signal: stop.signal };
// The process has had its database when it began: one that is away now comes back.
const store = await persistently(() => openStore(around, 'read'), stop.signal);
const callWith = callActions(around, store);
const asked = new Map<number, AbortController>();

async function answer({ id, action, input, files }: ReadRequest & { readonly kind: 'call' }): Promise<void> {
  const wanted = new AbortController();
  asked.set(id, wanted);
  try {
    const options = { tell: (progress: object) => tell({ kind: 'progress', id, progress } as ReadReply) };
    tell({ kind: 'answered', id, answer: await callWith(files)(action, input, { ...options, signal: wanted.signal }) });
  } catch (error) {
    tell({ kind: 'failed', id, failure: failureOf(error) });
  } finally {
    asked.delete(id);
  }
}

async function end(): Promise<void> {
  stop.abort();
  await embeddingOf(config)?.close();
  await store.close();
  tell({ kind: 'ended' });
}

port.on('message', (request: ReadRequest) => {
  if (request.kind === 'call') void answer(request);
  else if (request.kind === 'cancel') asked.get(request.id)?.abort();
  else void end();
});
tell({ kind: 'ready' });
