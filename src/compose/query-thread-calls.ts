// Calls that another thread answers: each has a number, and waits until its answer comes or nobody wants it any more.

import { rebuiltFailure } from '../platform/worker-thread.ts';
import type { CallOptions } from '../serve/call-action.ts';
import type { ReadReply, ReadRequest } from '../serve/read-messages.ts';

type Call = Omit<ReadRequest & { readonly kind: 'call' }, 'kind' | 'id'>;

export interface ThreadCalls {
  readonly call: (call: Call, options: CallOptions) => Promise<unknown>;
  readonly hear: (reply: ReadReply & { readonly id: number }) => void;
  /** Nobody is there to answer any more. */
  readonly fail: (error: Error) => void;
}

interface Waiting {
  readonly tell: CallOptions['tell'];
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export function createThreadCalls(ask: (request: ReadRequest) => void): ThreadCalls {
  const waiting = new Map<number, Waiting>();
  let last = 0;

  function settle(id: number, end: (one: Waiting) => void): void {
    const one = waiting.get(id);
    waiting.delete(id);
    if (one !== undefined) end(one);
  }

  return {
    async call(call, { tell, signal }) {
      signal?.throwIfAborted();
      const id = (last += 1);
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      waiting.set(id, { tell, resolve, reject });
      const cancel = (): void => {
        ask({ kind: 'cancel', id });
        settle(id, (one) => one.reject(signal?.reason));
      };
      signal?.addEventListener('abort', cancel, { once: true });
      ask({ kind: 'call', id, ...call });
      return promise.finally(() => signal?.removeEventListener('abort', cancel));
    },
    hear(reply) {
      if (reply.kind === 'progress') waiting.get(reply.id)?.tell?.(reply.progress);
      if (reply.kind === 'answered') settle(reply.id, ({ resolve }) => resolve(reply.answer));
      if (reply.kind === 'failed') settle(reply.id, ({ reject }) => reject(rebuiltFailure(reply.failure)));
    },
    fail(error) {
      for (const id of waiting.keys()) settle(id, ({ reject }) => reject(error));
    },
  };
}
