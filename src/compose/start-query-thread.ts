// Starts the query thread and runs reading actions there.

import { actions } from '../actions/actions.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { CreateCall } from './in-process-library.ts';
import type { QueryContract } from './query-thread.ts';
import type { AppContext } from './store.ts';
import type { Gauges } from '../library/health.ts';
import { startThread, threadEntryUrl } from '../platform/worker-thread.ts';
import type { CallAction } from '../serve/call-action.ts';

export interface QueryThread {
  readonly createCall: CreateCall;
  readonly readGauges: () => Promise<Gauges>;
  /** Rejects if the thread exits without having been closed. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Then the thread is terminated: it holds nothing that could be lost. */
const MAX_STOP_MS = 2000;

/** What grows with the library is in the database, or in buffers outside of the heap. */
const MAX_HEAP_MB = 1024;

export function startQueryThread(
  { config, origins, command, version, log }: AppContext,
  connections: number,
): QueryThread {
  const thread = startThread<QueryContract>({
    name: 'query',
    entry: threadEntryUrl('query-thread', import.meta.url),
    data: { config, origins, command, version, connections },
    env: 'inherit',
    maxHeapMb: MAX_HEAP_MB,
    endMs: MAX_STOP_MS,
    log,
  });
  thread.ended.catch(() => undefined);
  return {
    createCall:
      (files) =>
      (action, input, { signal, onProgress } = {}) =>
        thread.call({ kind: 'action', action, input, files }, { signal, onProgress }),
    readGauges: async () => (await thread.call({ kind: 'gauges' })) as Gauges,
    ended: thread.ended,
    close: () => thread.end(),
  };
}

/** For a process that answers no queries. */
export const NO_QUERY_THREAD: QueryThread = {
  createCall: () => () => Promise.reject(pinakesError('internal', { why: 'this process answers no queries' })),
  readGauges: () => Promise.reject(pinakesError('internal', { why: 'this process has no gauges' })),
  ended: Promise.resolve(),
  close: async () => undefined,
};

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
