// Starts the query thread and runs reading actions there.

import { Worker } from 'node:worker_threads';
import { actions } from '../actions/actions.ts';
import type { CreateCall } from './in-process-library.ts';
import type { AppContext } from './store.ts';
import { pinakesError } from '../core/model/errors.ts';
import { relayLine } from '../platform/log.ts';
import type { CallAction } from '../serve/call-action.ts';
import type { QueryReply, QueryRequest, QueryThreadData } from './query-thread-calls.ts';
import { createQueryThreadCalls } from './query-thread-calls.ts';
import { threadEntryUrl } from '../platform/worker-thread.ts';

export interface QueryThread {
  readonly createCall: CreateCall;
  /** Rejects if the thread exits without having been closed. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Then the thread is terminated: it holds nothing that could be lost. */
const MAX_STOP_MS = 2000;

export function startQueryThread({ config, origins, command, version, log }: AppContext): QueryThread {
  const worker = startWorker({ config, origins, command, version });
  const send = (request: QueryRequest): void => worker.postMessage(request, []);
  const calls = createQueryThreadCalls(send);
  const ended = Promise.withResolvers<void>();
  let failure: Error | null = pinakesError('internal', { why: 'query thread exited unexpectedly' });
  let isReady = false;
  ended.promise.catch(() => undefined);

  worker.on('message', (reply: QueryReply) => {
    switch (reply.kind) {
      case 'log':
        relayLine(reply.line, log);
        break;
      case 'ready':
        isReady = true;
        break;
      case 'ended':
        void worker.terminate();
        break;
      case 'progress':
      case 'result':
      case 'failed':
        calls.receive(reply);
        break;
    }
  });
  worker.on('error', (error: Error) => (failure = error));
  worker.once('exit', () => {
    calls.rejectAll(failure ?? pinakesError('internal', { why: 'the query thread was closed' }));
    if (failure === null) ended.resolve();
    else ended.reject(failure);
  });
  return {
    createCall:
      (files) =>
      (action, input, options = {}) =>
        calls.call({ action, input, files }, options),
    ended: ended.promise,
    async close() {
      failure = null;
      if (isReady) send({ kind: 'stop' });
      const late = setTimeout(() => void worker.terminate(), isReady ? MAX_STOP_MS : 0);
      await ended.promise.catch(() => undefined);
      clearTimeout(late);
    },
  };
}

/** Reading actions run on the query thread. A file for the caller is produced on the main thread, which holds the connection. */
export function delegateReads(onMainThread: CreateCall, thread: QueryThread): CreateCall {
  return (files): CallAction => {
    const [onMain, onThread] = [onMainThread(files), thread.createCall(files)];
    return (name, input, options = {}) => {
      const action = actions.find((candidate) => candidate.name === name);
      // Input errors are raised here: a zod error would not survive the transfer from the thread.
      const isHere = action === undefined || action.effect !== 'read' || (options.sink ?? null) !== null;
      return isHere ? onMain(name, input, options) : onThread(name, action.input.parse(input), options);
    };
  };
}

function startWorker(workerData: QueryThreadData): Worker {
  return new Worker(threadEntryUrl('query-thread', import.meta.url), { name: 'pinakes-query', workerData, argv: [] });
}
