// Calls, events and files of a library that is open in this process. An aborted call rejects at once; what it left running
// is waited for when the library is closed, so that nothing uses a closed database.

import { leavesLibrary } from '../actions/action.ts';
import { actions, type ActionInput, type ActionName, type ActionOutput } from '../actions/actions.ts';
import { eventView, type EventView } from '../actions/list-journal.ts';
import { sleep } from '../client/sleep.ts';
import type { CallOptions, EventOptions, Transport } from '../client/transport.ts';
import { anySignal } from '../core/any-signal.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { RunId } from '../core/model/run.ts';
import { createResponseWriter } from '../serve/http/response-writer.ts';
import type { Store } from '../store/port.ts';
import { getSharedEmbedder } from './embedding.ts';
import { createActionCalls, type CreateCall } from './in-process-library.ts';
import type { AppContext } from './app-context.ts';

export interface InProcessOptions {
  /** Whether a change of the library starts the worker. */
  readonly work: boolean;
  readonly readOnly: boolean;
}

/** The signal of the context aborts when the library is closed. It closes the store. */
export function createInProcessTransport(context: AppContext, store: Store, options: InProcessOptions): Transport {
  const { work, readOnly } = options;
  const createCall = createActionCalls(context, store);
  const worker = createBackgroundWorker(context, store);
  const scope = createScope(context.signal, worker);

  function checkAllowed(action: ActionName | 'work', leaves: boolean): void {
    if (readOnly && !leaves) throw pinakesError('library.read-only', { action });
  }

  async function call<Name extends ActionName>(
    action: Name,
    input: ActionInput<Name>,
    { signal, onProgress, localFiles = true }: CallOptions = {},
  ): Promise<ActionOutput<Name>> {
    scope.check(signal);
    const leaves = leavesLibrary(actions[action].effect);
    checkAllowed(action, leaves);
    const perform = async (): Promise<ActionOutput<Name>> => {
      const perCall = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
      const result = (await createCall(localFiles)(action, input, perCall)) as ActionOutput<Name>;
      if (work && !leaves) worker.start();
      return result;
    };
    return untilAborted(scope.track(perform()), signal);
  }

  return {
    call,
    file: (_, input, fileOptions) => ({
      [Symbol.asyncIterator]: () => exportBytes(createCall, scope, input, fileOptions),
    }),
    events: (run, eventOptions) => ({ [Symbol.asyncIterator]: () => pollEvents(store, scope, run, eventOptions) }),
    startWork() {
      scope.check(undefined);
      checkAllowed('work', false);
      worker.start();
      return worker.isEmbedding;
    },
    async close() {
      await worker.stop();
      await scope.settled();
      await getSharedEmbedder(context.config)?.close();
      await store.close();
    },
  };
}

/** The running parts of the open library. */
interface Scope {
  /** Raises the reason of the signal, `library.closed`, or the failure of the worker. */
  check(signal: AbortSignal | undefined): void;
  track<T>(running: Promise<T>): Promise<T>;
  settled(): Promise<void>;
}

function createScope(closing: AbortSignal, worker: BackgroundWorker): Scope {
  const running = new Set<Promise<unknown>>();
  return {
    check(signal) {
      signal?.throwIfAborted();
      closing.throwIfAborted();
      worker.throwIfFailed();
    },
    track(one) {
      const settled = one.catch(() => undefined).finally(() => running.delete(settled));
      running.add(settled);
      return one;
    },
    async settled() {
      await Promise.all(running);
    },
  };
}

async function* exportBytes(
  createCall: CreateCall,
  scope: Scope,
  input: ActionInput<'export_source'>,
  { signal }: CallOptions,
): AsyncGenerator<Uint8Array, void> {
  scope.check(signal);
  const stopped = new AbortController();
  const either = anySignal(signal, stopped.signal);
  const writer = createResponseWriter(input.out);
  const written = scope.track(createCall(false)('export_source', input, { writer, signal: either }));
  written.catch(() => writer.discard());
  const reader = writer.body.getReader();
  try {
    await untilAborted(Promise.race([writer.started, written]), signal);
    for (;;) {
      const part = await untilAborted(reader.read(), signal);
      if (part.done) break;
      yield part.value;
    }
    await written;
  } finally {
    stopped.abort();
    // What still writes finds its file closed.
    reader.cancel().catch(() => undefined);
  }
}

const EVENTS_PER_READ = 500;
const POLL_EVENTS_MS = 100;

async function* pollEvents(
  { journal }: Store,
  scope: Scope,
  run: number | null,
  { after, signal }: EventOptions,
): AsyncGenerator<EventView, void> {
  scope.check(signal);
  let last = after ?? (await scope.track(journal.lastSeq()));
  for (;;) {
    scope.check(signal);
    const events = await scope.track(journal.after(last, EVENTS_PER_READ, (run ?? undefined) as RunId | undefined));
    for (const event of events) yield eventView(event);
    last = events.at(-1)?.seq ?? last;
    if (events.length < EVENTS_PER_READ) await sleep(POLL_EVENTS_MS, signal);
  }
}

interface BackgroundWorker {
  start(): void;
  stop(): Promise<void>;
  readonly isEmbedding: () => boolean;
  /** Without it, the runs that callers wait for would never be worked on. */
  throwIfFailed(): void;
}

function createBackgroundWorker(context: AppContext, store: Store): BackgroundWorker {
  const stopping = new AbortController();
  let working: Promise<void> | null = null;
  let failure: { readonly error: unknown } | null = null;
  let isEmbedding: (() => boolean) | null = null;
  async function run(): Promise<void> {
    const { runWorker } = await import('./run-worker.ts');
    const hasModel = getSharedEmbedder(context.config) !== null;
    isEmbedding = () => hasModel;
    await runWorker(context, store, stopping.signal, { onBusyChange: (isBusy) => (isEmbedding = isBusy) });
  }
  return {
    start() {
      if (stopping.signal.aborted) return;
      working ??= run().catch((error: unknown) => {
        failure = { error };
        context.log.error('the worker failed', { error });
      });
    },
    async stop() {
      stopping.abort();
      await working;
    },
    isEmbedding: () => isEmbedding?.() ?? false,
    throwIfFailed() {
      if (failure !== null) throw pinakesError('internal', { reason: 'the worker failed' }, failure.error);
    },
  };
}

/** Rejects with the reason of the signal, whether or not what is running notices it. */
async function untilAborted<T>(running: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return running;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([running, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
