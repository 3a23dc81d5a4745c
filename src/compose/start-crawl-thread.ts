// Starts the crawl thread. The main thread never waits for a crawl: what it needs to know about it is in the store.

import { Worker } from 'node:worker_threads';
import type { AppContext } from './store.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { CrawlThreadData, CrawlThreadReply, CrawlThreadRequest } from '../crawl/crawl-thread-messages.ts';
import { relayLine } from '../platform/log.ts';
import { fromThreadFailure, threadEntryUrl } from '../platform/worker-thread.ts';
import type { WriteLock } from '../store/sqlite/write-lock.ts';

export interface CrawlThread {
  /** Call it when the database is ready. Until then the thread only loads, and does not keep the process alive. */
  start(): void;
  /** Resolves when the thread has released its claims and exited; rejects with the error that ended it otherwise. */
  readonly ended: Promise<void>;
  /** Whether texts are waiting for vectors; true until the thread has checked. */
  isEmbedding(): boolean;
}

export function startCrawlThread(context: AppContext, writeLock: WriteLock, signal: AbortSignal): CrawlThread {
  const { config, command, log } = context;
  const worker = startWorker({ config, command, writeLock: writeLock.memory });
  const ended = Promise.withResolvers<void>();
  let failure: Error | null = pinakesError('internal', { why: 'crawl thread exited unexpectedly' });
  let embedding = config.embed.provider !== 'none';
  ended.promise.catch(() => undefined);
  worker.unref();

  const send = (request: CrawlThreadRequest): void => worker.postMessage(request, []);
  const stop = (): void => send('stop');
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });

  worker.on('message', (reply: CrawlThreadReply) => {
    switch (reply.kind) {
      case 'log':
        relayLine(reply.line, log);
        break;
      case 'embedding':
        embedding = reply.isBusy;
        break;
      case 'failed':
        failure = fromThreadFailure(reply.failure);
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
    writeLock.abandon();
    signal.removeEventListener('abort', stop);
    if (failure === null) ended.resolve();
    else ended.reject(failure);
  });
  return {
    start() {
      worker.ref();
      send('begin');
    },
    ended: ended.promise,
    isEmbedding: () => embedding,
  };
}

function startWorker(workerData: CrawlThreadData): Worker {
  return new Worker(threadEntryUrl('crawl-thread', import.meta.url), { name: 'pinakes-crawl', workerData, argv: [] });
}
