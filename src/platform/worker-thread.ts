// The protocol of all worker threads, as the thread that starts one sees it: handshake, calls, cancellation, errors and
// the end. platform/serve-thread.ts is the other side.

import { Worker } from 'node:worker_threads';
import { PinakesError, pinakesError, type ErrorCode, type ErrorDetails } from '../core/model/errors.ts';
import { type Log, relayLine } from './log.ts';
import { limitCpuTime, limitTime, watchMemory } from './thread-limits.ts';

/** What one kind of thread exchanges with its starter; both sides name it. */
export interface ThreadContract {
  /** What the thread is started with. */
  readonly data: unknown;
  readonly input: unknown;
  readonly result: unknown;
  readonly progress: unknown;
}

export type ThreadRequest<C extends ThreadContract> =
  | { readonly kind: 'call'; readonly id: number; readonly input: C['input'] }
  | { readonly kind: 'cancel'; readonly id: number }
  /** Settle or abort what is running, release everything, and exit. */
  | { readonly kind: 'end' };

export type ThreadReply<C extends ThreadContract> =
  /** The handshake: the code is loaded and the thread is open. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'log'; readonly line: string }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: C['progress'] }
  | { readonly kind: 'result'; readonly id: number; readonly result: C['result'] }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: ThreadFailure }
  /** The last message. With a failure if the thread could not be opened or closed. */
  | { readonly kind: 'ended'; readonly failure: ThreadFailure | null };

/** Why a thread did not answer a call. */
export type ThreadFault =
  /** The handshake or the call took too long, and the thread was terminated. */
  | { readonly kind: 'timeout'; readonly ms: number }
  | { readonly kind: 'memory'; readonly error: Error }
  | { readonly kind: 'crashed'; readonly error: Error }
  /** It could not be opened or closed. */
  | { readonly kind: 'failed'; readonly error: PinakesError }
  | { readonly kind: 'exited' }
  | { readonly kind: 'closed' }
  /** The thread is not affected. */
  | { readonly kind: 'not-transferable'; readonly error: unknown };

export interface ThreadOptions<C extends ThreadContract> {
  /** For messages and process listings. */
  readonly name: string;
  readonly entry: URL;
  readonly data: C['data'];
  /** `inherit` gives it the environment; others see no settings and no secrets. */
  readonly env: 'inherit' | 'none';
  /** Old generation of its heap. A thread that needs more ends. The lower the limit, the smaller the steps of its growth. */
  readonly maxHeapMb: number;
  /** How long it may take to end when asked; then it is terminated, at once if it is still loading. 0: not asked at all. */
  readonly endMs: number;
  /** Terminating a thread inside native code crashes the whole process. */
  readonly neverTerminate?: boolean;
  /** `terminate` for work that cannot notice a cancellation. Either way the call rejects at once. */
  readonly onAbort?: 'cancel' | 'terminate';
  /** Limit of the handshake, apart from that of a call. */
  readonly startMs?: number;
  /** Limit of a call, for all or by its input. */
  readonly timeoutMs?: number | ((input: C['input']) => number);
  /** `cpu` counts the time that the thread uses a processor, for work that must not fail on a busy machine. `wall` unless given. */
  readonly clock?: 'wall' | 'cpu';
  /** Memory outside its heap, such as unpacked bytes, which the limit of the heap does not count. Looked at during a call. */
  readonly maxExternalMb?: number;
  /** Only a call in flight keeps the process alive. */
  readonly unrefWhenIdle?: boolean;
  /** Gets the lines that the thread logs. */
  readonly log?: Log;
  /** The input as it is sent, with the buffers that move instead of being copied. */
  readonly pack?: (input: C['input']) => { readonly input: C['input']; readonly transfer: readonly ArrayBuffer[] };
  /** `input` is that of the call that is rejected; null for `ended`. */
  readonly errorOf?: (fault: ThreadFault, input: C['input'] | null) => Error;
}

export interface ThreadCallOptions<C extends ThreadContract> {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: C['progress']) => void) | undefined;
}

export interface Thread<C extends ThreadContract> {
  /** Sent before it returns. An abort rejects it with the reason of the signal. */
  call(input: C['input'], options?: ThreadCallOptions<C>): Promise<C['result']>;
  /** Called each time no call is in flight any more, aborted ones included; before callers go on. */
  readonly onIdle: (listener: () => void) => void;
  /** Whether it takes calls. */
  isAlive(): boolean;
  /** Resolves when the thread is gone. Calls in flight settle before, or are rejected. Ending twice is fine. */
  end(): Promise<void>;
  /** Settles when the thread is gone; rejects unless `end` ended it. */
  readonly ended: Promise<void>;
}

/**
 * Three times a semi-space of 16 MB, which holds the tree of a large page: what does not fit is copied twice and kept until a
 * full collection. Without a limit a semi-space grows to 64 MB, most of it garbage that may hold buffers outside the heap.
 */
const YOUNG_GENERATION_MB = 48;

export function startThread<C extends ThreadContract>(options: ThreadOptions<C>): Thread<C> {
  const { name, endMs, startMs = Infinity, onAbort = 'cancel' } = options;
  const { errorOf = (fault) => threadError(name, fault) } = options;
  const worker = startWorker(options);
  const post = (request: ThreadRequest<C>): void => worker.postMessage(request, []);
  const ended = Promise.withResolvers<void>();
  const gone = ended.promise.catch(() => undefined);
  let state: 'loading' | 'ready' | 'ending' = 'loading';
  let fault: ThreadFault | null = null;
  const cancel = (id: number): void => (onAbort === 'cancel' ? post({ kind: 'cancel', id }) : fail({ kind: 'closed' }));
  const calls = createPendingCalls<C>({ ...options, errorOf }, { worker, fail, cancel });
  if (options.unrefWhenIdle === true) calls.onIdle(() => state !== 'ending' && worker.unref());
  let timer = failAfter(startMs, { kind: 'timeout', ms: startMs });

  /** The first fault is the cause of all others. */
  function fail(cause: ThreadFault): void {
    fault ??= cause;
    calls.rejectAll(fault);
    if (options.neverTerminate !== true) void worker.terminate();
  }

  function failAfter(ms: number, cause: ThreadFault): NodeJS.Timeout | undefined {
    return ms === Infinity ? undefined : setTimeout(() => fail(cause), ms).unref();
  }

  worker.on('message', (reply: ThreadReply<C>) => {
    if (reply.kind === 'ended') return fail(faultOf(reply.failure));
    if (reply.kind === 'log') return options.log && relayLine(reply.line, options.log);
    if (reply.kind !== 'ready') return calls.receive(reply);
    if (state === 'ending') return;
    state = 'ready';
    clearTimeout(timer);
    calls.startTimers();
  });
  worker.on('error', (error: Error) => fail(crashOf(error)));
  worker.once('exit', () => {
    clearTimeout(timer);
    fail({ kind: state === 'ending' ? 'closed' : 'exited' });
    if (fault?.kind === 'closed') ended.resolve();
    else ended.reject(errorOf(fault ?? { kind: 'exited' }, null));
  });

  return {
    ended: ended.promise,
    onIdle: calls.onIdle,
    isAlive: () => fault === null && state !== 'ending',
    async call(input, callOptions = {}) {
      callOptions.signal?.throwIfAborted();
      if (fault !== null || state === 'ending') throw errorOf(fault ?? { kind: 'closed' }, input);
      return calls.send(input, callOptions);
    },
    async end() {
      if (fault === null && state !== 'ending') {
        const ms = state === 'ready' || endMs === Infinity ? endMs : 0;
        if (state === 'ready') worker.ref();
        state = 'ending';
        clearTimeout(timer);
        timer = failAfter(ms, { kind: 'closed' });
        if (ms === 0) fail({ kind: 'closed' });
        else post({ kind: 'end' });
      }
      await gone;
    },
  };
}

function startWorker<C extends ThreadContract>(options: ThreadOptions<C>): Worker {
  const { name, entry, data, env, maxHeapMb, unrefWhenIdle } = options;
  const isolated = env === 'none' ? { env: {}, execArgv: [] } : {};
  const worker = new Worker(entry, {
    name: `pinakes-${name}`,
    workerData: data,
    argv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    ...isolated,
  });
  if (unrefWhenIdle === true) worker.unref();
  return worker;
}

function faultOf(failure: ThreadFailure | null): ThreadFault {
  return failure === null ? { kind: 'closed' } : { kind: 'failed', error: fromThreadFailure(failure) };
}

function crashOf(error: Error): ThreadFault {
  const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return { kind: isMemory ? 'memory' : 'crashed', error };
}

interface PendingCall<C extends ThreadContract> extends Pick<PromiseWithResolvers<C['result']>, 'resolve' | 'reject'> {
  readonly input: C['input'];
  readonly onProgress: ThreadCallOptions<C>['onProgress'];
  readonly timeoutMs: number | undefined;
  stopTimer: (() => void) | undefined;
}

interface PendingCalls<C extends ThreadContract> {
  send(input: C['input'], options: ThreadCallOptions<C>): Promise<C['result']>;
  receive(reply: Extract<ThreadReply<C>, { readonly id: number }>): void;
  rejectAll(fault: ThreadFault): void;
  /** From now on the timeout of a call applies. */
  startTimers(): void;
  readonly onIdle: (listener: () => void) => void;
}

interface ThreadControl {
  readonly worker: Worker;
  readonly fail: (fault: ThreadFault) => void;
  readonly cancel: (id: number) => void;
}

const LIMITS = { wall: limitTime, cpu: limitCpuTime } as const;

/** Calls in flight. An aborted one stays until the thread has answered it. */
function createPendingCalls<C extends ThreadContract>(
  { timeoutMs, clock = 'wall', maxExternalMb, pack = (input) => ({ input, transfer: [] }), errorOf }: PendingOptions<C>,
  { worker, fail, cancel }: ThreadControl,
): PendingCalls<C> {
  const pending = new Map<number, PendingCall<C>>();
  const memory = watchMemory(worker, maxExternalMb, (error) => fail({ kind: 'memory', error }));
  const idleListeners: Array<() => void> = [memory.stop];
  let isReady = false;
  let last = 0;

  function startTimer(call: PendingCall<C>): void {
    const ms = call.timeoutMs;
    if (isReady && ms !== undefined) call.stopTimer = LIMITS[clock](worker, ms, () => fail({ kind: 'timeout', ms }));
  }

  function settle(id: number, end: (call: PendingCall<C>) => void): void {
    const call = pending.get(id);
    if (call === undefined) return;
    pending.delete(id);
    call.stopTimer?.();
    end(call);
    if (pending.size === 0) for (const listener of idleListeners) listener();
  }

  return {
    send(input, { signal, onProgress }) {
      const id = (last += 1);
      const { promise, resolve, reject } = Promise.withResolvers<C['result']>();
      // Before the input is sent: it may be transferred.
      const ms = typeof timeoutMs === 'function' ? timeoutMs(input) : timeoutMs;
      const call: PendingCall<C> = { resolve, reject, input, onProgress, timeoutMs: ms, stopTimer: undefined };
      const abort = (): void => {
        reject(signal?.reason);
        cancel(id);
      };
      signal?.addEventListener('abort', abort, { once: true });
      pending.set(id, call);
      startTimer(call);
      memory.start();
      worker.ref();
      try {
        const packed = pack(input);
        worker.postMessage({ kind: 'call', id, input: packed.input } satisfies ThreadRequest<C>, [...packed.transfer]);
      } catch (error) {
        settle(id, () => reject(errorOf({ kind: 'not-transferable', error }, input)));
      }
      return promise.finally(() => signal?.removeEventListener('abort', abort));
    },
    receive(reply) {
      if (reply.kind === 'progress') pending.get(reply.id)?.onProgress?.(reply.progress);
      if (reply.kind === 'result') settle(reply.id, ({ resolve }) => resolve(reply.result));
      if (reply.kind === 'failed') settle(reply.id, ({ reject }) => reject(fromThreadFailure(reply.failure)));
    },
    rejectAll(fault) {
      for (const id of pending.keys()) settle(id, ({ reject, input }) => reject(errorOf(fault, input)));
    },
    onIdle: (listener) => void idleListeners.push(listener),
    startTimers() {
      isReady = true;
      for (const call of pending.values()) startTimer(call);
    },
  };
}

type PendingOptions<C extends ThreadContract> = ThreadOptions<C> & Required<Pick<ThreadOptions<C>, 'errorOf'>>;

/** What a fault means where no stage has its own error for it. */
export function threadError(name: string, fault: ThreadFault): Error {
  const internal = (what: string, cause?: unknown): Error =>
    pinakesError('internal', { reason: `the ${name} thread ${what}` }, cause);
  switch (fault.kind) {
    case 'timeout':
      return internal(`did not answer within ${fault.ms} ms`);
    case 'memory':
      return internal('ran out of memory', fault.error);
    case 'crashed':
    case 'failed':
      return fault.error;
    case 'exited':
      return internal('exited unexpectedly');
    case 'closed':
      return internal('was closed');
    case 'not-transferable':
      return internal('cannot be sent this input', fault.error);
  }
}

/**
 * URL of the thread file `name` (without extension) next to `from`, which is `import.meta.url`. The compiler rewrites the
 * extension of imports but not of URLs, so the thread gets the extension of the file that starts it.
 */
export function threadEntryUrl(name: string, from: string): URL {
  return new URL(`./${name}${from.endsWith('.ts') ? '.ts' : '.js'}`, from);
}

/** An error as it crosses threads: a class does not survive structured cloning; code and details do. */
export interface ThreadFailure {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly stack: string;
}

export function toThreadFailure(error: unknown): ThreadFailure {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  if (error instanceof PinakesError) return { code: error.code, details: error.details, stack };
  return { code: 'internal', details: { reason: message }, stack };
}

export function fromThreadFailure({ code, details, stack }: ThreadFailure): PinakesError {
  const error = pinakesError(code, details);
  error.stack = stack;
  return error;
}
