// Action calls on the query thread: the messages both threads exchange, and the calls waiting for their results.

import type { ActionProgress } from '../actions/action.ts';
import type { LoadedConfig } from '../platform/config/load-config.ts';
import { fromThreadFailure, type ThreadFailure } from '../platform/worker-thread.ts';
import type { CallOptions } from '../serve/call-action.ts';

/** The worker data of the thread. */
export interface QueryThreadData extends LoadedConfig {
  readonly command: string;
  readonly version: string;
}

export type QueryRequest =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly action: string;
      readonly input: unknown;
      /** Whether the action may access the file system of this machine. */
      readonly files: boolean;
    }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'stop' };

export type QueryReply =
  | { readonly kind: 'log'; readonly line: string }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: ActionProgress }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: ThreadFailure }
  | { readonly kind: 'ready' }
  | { readonly kind: 'ended' };

type Call = Omit<QueryRequest & { readonly kind: 'call' }, 'kind' | 'id'>;

export interface QueryThreadCalls {
  readonly call: (call: Call, options: CallOptions) => Promise<unknown>;
  readonly receive: (reply: QueryReply & { readonly id: number }) => void;
  /** Rejects every pending call: the thread is gone. */
  readonly rejectAll: (error: Error) => void;
}

interface PendingCall {
  readonly onProgress: CallOptions['onProgress'];
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export function createQueryThreadCalls(send: (request: QueryRequest) => void): QueryThreadCalls {
  const pending = new Map<number, PendingCall>();
  let last = 0;

  function settle(id: number, end: (one: PendingCall) => void): void {
    const one = pending.get(id);
    pending.delete(id);
    if (one !== undefined) end(one);
  }

  return {
    async call(call, { onProgress, signal }) {
      signal?.throwIfAborted();
      const id = (last += 1);
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      pending.set(id, { onProgress, resolve, reject });
      const cancel = (): void => {
        send({ kind: 'cancel', id });
        settle(id, (one) => one.reject(signal?.reason));
      };
      signal?.addEventListener('abort', cancel, { once: true });
      send({ kind: 'call', id, ...call });
      return promise.finally(() => signal?.removeEventListener('abort', cancel));
    },
    receive(reply) {
      if (reply.kind === 'progress') pending.get(reply.id)?.onProgress?.(reply.progress);
      if (reply.kind === 'result') settle(reply.id, ({ resolve }) => resolve(reply.result));
      if (reply.kind === 'failed') settle(reply.id, ({ reject }) => reject(fromThreadFailure(reply.failure)));
    },
    rejectAll(error) {
      for (const id of pending.keys()) settle(id, ({ reject }) => reject(error));
    },
  };
}
