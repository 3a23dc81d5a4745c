// Starts the thread that works. The thread that answers people then never waits for a crawl: what it needs to know of the
// work it reads from the store.

import { Worker } from 'node:worker_threads';
import type { Surroundings } from './store.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { WorkThreadData, WorkThreadReply, WorkThreadRequest } from '../crawl/crawl-thread-messages.ts';
import { relay } from '../platform/relayed-log.ts';
import { rebuiltFailure } from '../platform/worker-thread.ts';
import type { WriteTurns } from '../store/sqlite/write-lock.ts';
import { threadEntry } from '../platform/thread-entry.ts';

export interface WorkThread {
  /** To be called when the database is ready. Until then the thread only loads, and keeps no process alive. */
  begin(): void;
  /** Resolves when the thread has handed back what it held and is gone; rejects with what ended it otherwise. */
  readonly ended: Promise<void>;
  /** Whether texts wait for their vectors; true until somebody has looked. */
  isEmbedding(): boolean;
}

export function startWorkThread(around: Surroundings, turns: WriteTurns, signal: AbortSignal): WorkThread {
  const { config, command, log } = around;
  const worker = startWorker({ config, command, turns: turns.memory });
  const ended = Promise.withResolvers<void>();
  let failure: Error | null = pinakesError('internal', { why: 'the thread that works ended by itself' });
  let embedding = config.embed.provider !== 'none';
  ended.promise.catch(() => undefined);
  worker.unref();

  const tell = (request: WorkThreadRequest): void => worker.postMessage(request, []);
  const stop = (): void => tell('stop');
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });

  worker.on('message', (reply: WorkThreadReply) => {
    switch (reply.kind) {
      case 'log':
        relay(reply.line, log);
        break;
      case 'embedding':
        embedding = reply.isBusy;
        break;
      case 'failed':
        failure = rebuiltFailure(reply.failure);
        void worker.terminate();
        break;
      case 'ended':
        failure = null;
        void worker.terminate();
        break;
    }
  });
  worker.on('error', (error: Error) => (failure = error));
  worker.once('exit', () => {
    turns.giveUp();
    signal.removeEventListener('abort', stop);
    if (failure === null) ended.resolve();
    else ended.reject(failure);
  });
  return {
    begin() {
      worker.ref();
      tell('begin');
    },
    ended: ended.promise,
    isEmbedding: () => embedding,
  };
}

function startWorker(workerData: WorkThreadData): Worker {
  return new Worker(threadEntry('work-thread', import.meta.url), { name: 'pinakes-work', workerData, argv: [] });
}
