// Starts the query thread and runs reading actions there.

import { actionNamed } from '../actions/actions.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { CreateCall } from './in-process-library.ts';
import type { QueryContract } from './query-thread.ts';
import type { AppContext } from './app-context.ts';
import type { LibraryState } from '../library/library-state.ts';
import { createThreadPool } from '../platform/thread-pool.ts';
import { startThread, threadEntryUrl, threadError, type Thread } from '../platform/worker-thread.ts';
import type { CallAction } from '../serve/call-action.ts';

export interface QueryThread {
  readonly createCall: CreateCall;
  readonly readLibraryState: () => Promise<LibraryState>;
  /** Rejects if the thread exits without having been closed. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Then the thread is terminated: it holds nothing that could be lost. */
const MAX_STOP_MS = 2000;

/** The database, or buffers outside the heap, hold everything that grows with the library. */
const MAX_HEAP_MB = 1024;

export function startQueryThread(context: AppContext, connections: number): QueryThread {
  const thread = openThread(context, { name: 'query', connections, unrefWhenIdle: false });
  return {
    createCall: createThreadCalls(thread),
    readLibraryState: async () => (await thread.call({ kind: 'library-state' })) as LibraryState,
    ended: thread.ended,
    close: () => thread.end(),
  };
}

/** Runs actions that read the whole library, so that no search waits for them. */
export type ScanThread = Pick<QueryThread, 'createCall' | 'close'>;

const SCAN_IDLE_MS = 60_000;

/** Started when it is needed; ends when it has been idle for a while. One that runs out of memory costs its call alone. */
export function createScanThread(context: AppContext): ScanThread {
  const pool = createThreadPool<QueryContract>({
    maxThreads: 1,
    start: () => openThread(context, { name: 'scan', connections: 1, unrefWhenIdle: true }),
    idleMs: SCAN_IDLE_MS,
    closedError: () => threadError('scan', { kind: 'closed' }),
  });
  return { createCall: createThreadCalls(pool), close: () => pool.close() };
}

function openThread(
  { config, origins, command, version, log }: AppContext,
  options: { readonly name: string; readonly connections: number; readonly unrefWhenIdle: boolean },
): Thread<QueryContract> {
  const { name, connections, unrefWhenIdle } = options;
  const thread = startThread<QueryContract>({
    name,
    entry: threadEntryUrl('query-thread', import.meta.url),
    data: { config, origins, command, version, connections },
    env: 'inherit',
    maxHeapMb: MAX_HEAP_MB,
    endMs: MAX_STOP_MS,
    unrefWhenIdle,
    log,
  });
  thread.ended.catch(() => undefined);
  return thread;
}

function createThreadCalls(thread: Pick<Thread<QueryContract>, 'call'>): CreateCall {
  return (files) =>
    (action, input, { signal, onProgress, sources = null } = {}) =>
      thread.call({ kind: 'action', action, input, files, sources }, { signal, onProgress });
}

/** For a process that answers no queries. */
export const NO_QUERY_THREAD: QueryThread = {
  createCall: () => () => Promise.reject(pinakesError('internal', { reason: 'this process answers no queries' })),
  readLibraryState: () => Promise.reject(pinakesError('internal', { reason: 'this process has no query thread' })),
  ended: Promise.resolve(),
  close: async () => undefined,
};

/** Reading actions run on the query thread. A file for the caller is produced on the main thread, which holds the connection. */
export function delegateReads(
  onMainThread: CreateCall,
  queries: Pick<QueryThread, 'createCall'>,
  scans: Pick<ScanThread, 'createCall'>,
): CreateCall {
  return (files): CallAction => {
    const onMain = onMainThread(files);
    const onQueryThread = queries.createCall(files);
    const onScanThread = scans.createCall(files);
    return (name, input, options = {}) => {
      const action = actionNamed(name);
      const isHere = action === undefined || action.effect !== 'read' || (options.writer ?? null) !== null;
      if (isHere) return onMain(name, input, options);
      const onThread = action.readsWholeLibrary === true ? onScanThread : onQueryThread;
      return onThread(name, input, options);
    };
  };
}
