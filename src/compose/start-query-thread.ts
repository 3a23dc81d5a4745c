// Starts the thread that searches and reads, and calls actions there.

import { Worker } from 'node:worker_threads';
import { actions } from '../actions/actions.ts';
import type { CallWith } from './in-process-library.ts';
import type { Surroundings } from './store.ts';
import { pinakesError } from '../core/model/errors.ts';
import { relay } from '../platform/relayed-log.ts';
import type { CallAction } from '../serve/call-action.ts';
import type { ReadReply, ReadRequest, ReadThreadData } from '../serve/read-messages.ts';
import { createThreadCalls } from './query-thread-calls.ts';
import { threadEntry } from '../platform/thread-entry.ts';

export interface ReadThread {
  readonly callWith: CallWith;
  /** Rejects when the thread ends though nobody closed it. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** It holds nothing that could be lost: after this it is ended as it is. */
const LONGEST_END_MS = 2000;

export function startReadThread({ config, origins, command, version, log }: Surroundings): ReadThread {
  const worker = startWorker({ config, origins, command, version });
  const ask = (request: ReadRequest): void => worker.postMessage(request, []);
  const calls = createThreadCalls(ask);
  const ended = Promise.withResolvers<void>();
  let failure: Error | null = pinakesError('internal', { why: 'the thread that reads ended by itself' });
  let isReady = false;
  ended.promise.catch(() => undefined);

  worker.on('message', (reply: ReadReply) => {
    switch (reply.kind) {
      case 'log':
        relay(reply.line, log);
        break;
      case 'ready':
        isReady = true;
        break;
      case 'ended':
        void worker.terminate();
        break;
      case 'progress':
      case 'answered':
      case 'failed':
        calls.hear(reply);
        break;
    }
  });
  worker.on('error', (error: Error) => (failure = error));
  worker.once('exit', () => {
    calls.fail(failure ?? pinakesError('internal', { why: 'the thread that reads was closed' }));
    if (failure === null) ended.resolve();
    else ended.reject(failure);
  });
  return {
    callWith:
      (files) =>
      (action, input, options = {}) =>
        calls.call({ action, input, files }, options),
    ended: ended.promise,
    async close() {
      failure = null;
      if (isReady) ask({ kind: 'stop' });
      const late = setTimeout(() => void worker.terminate(), isReady ? LONGEST_END_MS : 0);
      await ended.promise.catch(() => undefined);
      clearTimeout(late);
    },
  };
}

/** What only reads is done by the thread. A file that goes to whoever asked is made here, where the way to them is. */
export function readsElsewhere(here: CallWith, thread: ReadThread): CallWith {
  return (files): CallAction => {
    const [mine, its] = [here(files), thread.callWith(files)];
    return (name, input, options = {}) => {
      const action = actions.find((candidate) => candidate.name === name);
      // What is wrong with the input is said here: what tells it would not survive the way from the thread.
      const isHere = action === undefined || action.effect !== 'read' || (options.sink ?? null) !== null;
      return isHere ? mine(name, input, options) : its(name, action.input.parse(input), options);
    };
  };
}

function startWorker(workerData: ReadThreadData): Worker {
  return new Worker(threadEntry('read-thread', import.meta.url), { name: 'pinakes-read', workerData, argv: [] });
}
