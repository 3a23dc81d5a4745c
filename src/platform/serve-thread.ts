// The protocol of all worker threads, as the thread itself sees it. platform/worker-thread.ts is the other side.

import { getPriority, setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { pinakesError } from '../core/model/errors.ts';
import { createRelayedLog, type Log, type LogLevel } from './log.ts';
import {
  toThreadFailure,
  type ThreadContract,
  type ThreadFailure,
  type ThreadReply,
  type ThreadRequest,
} from './worker-thread.ts';

export interface ThreadCall<C extends ThreadContract> {
  /** Aborts when the call is cancelled or the thread is to end. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: C['progress']) => void;
}

export interface ThreadHandler<C extends ThreadContract> {
  /** Calls run concurrently, and may be cancelled before they begin. An error reaches the caller with its code, details and stack. */
  handle(input: C['input'], call: ThreadCall<C>): Promise<C['result']> | C['result'];
  /** After the last call. */
  close?(): Promise<void>;
}

export interface ThreadScope {
  /** Aborts when the thread is to end. */
  readonly ending: AbortSignal;
  /** A log whose lines the starter of the thread writes. */
  readonly createLog: (level: LogLevel) => Log;
}

export interface ThreadService<C extends ThreadContract> {
  /** The handshake waits for it, and so do calls. If it fails, so do they, and the thread ends. */
  readonly open: (data: C['data'], scope: ThreadScope) => ThreadHandler<C> | Promise<ThreadHandler<C>>;
  /** Buffers of a result that move instead of being copied. */
  readonly transferOf?: (result: C['result']) => readonly ArrayBuffer[];
}

/** Call it once, in the file that the thread starts with. */
export function serveThread<C extends ThreadContract>({ open, transferOf = () => [] }: ThreadService<C>): void {
  const port = threadPort();
  const send = (reply: ThreadReply<C>, transfer: readonly ArrayBuffer[] = []): void =>
    port.postMessage(reply, [...transfer]);
  const ending = new AbortController();
  const running = new Map<number, { readonly abort: AbortController; readonly settled: Promise<void> }>();
  const createLog = (level: LogLevel): Log => createRelayedLog(level, (line) => send({ kind: 'log', line }));
  const opened = (async () => open(workerData as C['data'], { ending: ending.signal, createLog }))();

  async function answer(id: number, input: C['input'], signal: AbortSignal): Promise<void> {
    try {
      const handler = await opened;
      const onProgress = (progress: C['progress']): void => send({ kind: 'progress', id, progress });
      const result = await handler.handle(input, { signal, onProgress });
      send({ kind: 'result', id, result }, transferOf(result));
    } catch (error) {
      const cause = ending.signal.aborted ? pinakesError('internal', { reason: 'the thread was closed' }) : error;
      send({ kind: 'failed', id, failure: toThreadFailure(cause) });
    } finally {
      running.delete(id);
    }
  }

  async function end(failure: ThreadFailure | null): Promise<void> {
    if (ending.signal.aborted) return;
    // With an AbortError, as any cancellation: what is running is stopped, it has not failed.
    ending.abort();
    for (const { abort } of running.values()) abort.abort();
    await Promise.all([...running.values()].map(({ settled }) => settled));
    const closing = opened.then((handler) => handler.close?.()).then(() => null);
    // What could not be opened has nothing to close, and has been reported.
    const closeFailure = await closing.catch((error: unknown) => toThreadFailure(error));
    send({ kind: 'ended', failure: failure ?? closeFailure });
    port.close();
  }

  port.on('message', (request: ThreadRequest<C>) => {
    if (request.kind === 'end') return void end(null);
    if (request.kind === 'cancel') return running.get(request.id)?.abort.abort();
    const abort = new AbortController();
    running.set(request.id, { abort, settled: answer(request.id, request.input, abort.signal) });
  });
  opened.then(
    () => send({ kind: 'ready' }),
    (error: unknown) => end(toThreadFailure(error)),
  );
}

function threadPort(): MessagePort {
  if (parentPort === null) throw new Error('this file runs in a worker thread only');
  return parentPort;
}

const MAX_NICENESS = 19;

/**
 * Raises the niceness of this thread, and of threads it starts later, by `steps`. Only on Linux: elsewhere the priority
 * belongs to the whole process.
 */
export function lowerPriority(steps: number): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(MAX_NICENESS, getPriority() + steps));
  } catch {
    // A sandbox may forbid it. Priorities then stay equal; nothing else changes.
  }
}
