// Calls between the page and its workers, and between two workers: a call and its replies carry the same id.

export interface WorkerCall<Method extends string = string> {
  readonly id: number;
  readonly method: Method;
  readonly args: readonly unknown[];
}

type WorkerReply =
  | { readonly kind: 'progress'; readonly id: number; readonly progress: unknown }
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

/** A worker, its global scope, or a port of a channel. */
export type Endpoint = Pick<Worker, 'postMessage' | 'addEventListener'> | MessagePort;

interface CallOptions<Progress> {
  readonly onProgress?: (progress: Progress) => void;
  readonly transfer?: Transferable[];
}

export interface Caller<Method extends string> {
  call<Value, Progress = never>(
    method: Method,
    args: readonly unknown[],
    options?: CallOptions<Progress>,
  ): Promise<Value>;
  /** Rejects every call that has no reply. */
  fail(error: Error): void;
}

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: never) => void) | undefined;
}

export function createCaller<Method extends string>(endpoint: Endpoint): Caller<Method> {
  const pending = new Map<number, PendingCall>();
  let lastId = 0;
  onMessage(endpoint, (reply) => settle(reply as WorkerReply, pending));
  return {
    call<Value, Progress>(
      method: Method,
      args: readonly unknown[],
      { onProgress, transfer = [] }: CallOptions<Progress> = {},
    ) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      pending.set((lastId += 1), { resolve, reject, onProgress });
      endpoint.postMessage({ id: lastId, method, args } satisfies WorkerCall, transfer);
      return promise as Promise<Value>;
    },
    fail(error) {
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
    },
  };
}

function settle(reply: WorkerReply, pending: Map<number, PendingCall>): void {
  const call = pending.get(reply.id);
  if (reply.kind === 'progress') {
    call?.onProgress?.(reply.progress as never);
    return;
  }
  pending.delete(reply.id);
  if (reply.kind === 'done') call?.resolve(reply.value);
  else call?.reject(new Error(reply.message));
}

export interface Answers<Method extends string, Progress> {
  readonly handle: (call: WorkerCall<Method>, onProgress: (progress: Progress) => void) => Promise<unknown>;
  /** The buffers of a value that are moved, not copied. */
  readonly transferred: (value: unknown) => Transferable[];
}

export function answerCalls<Method extends string, Progress>(
  endpoint: Endpoint,
  { handle, transferred }: Answers<Method, Progress>,
): void {
  const reply = (message: WorkerReply, transfer: Transferable[] = []): void => endpoint.postMessage(message, transfer);
  onMessage(endpoint, (message) => {
    const call = message as WorkerCall<Method>;
    const { id } = call;
    handle(call, (progress) => reply({ kind: 'progress', id, progress })).then(
      (value) => reply({ kind: 'done', id, value }, transferred(value)),
      (error: unknown) =>
        reply({ kind: 'failed', id, message: error instanceof Error ? error.message : String(error) }),
    );
  });
}

function onMessage(endpoint: Endpoint, handle: (message: unknown) => void): void {
  endpoint.addEventListener('message', (event) => handle((event as MessageEvent).data));
  // A port keeps its messages until it is started.
  if ('start' in endpoint) endpoint.start();
}
