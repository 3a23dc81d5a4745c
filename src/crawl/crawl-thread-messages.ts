// What the thread that works and the one that answers say to each other. Everything else they know from the store.

import type { Config } from '../platform/config/schema.ts';
import type { ThreadFailure } from '../platform/worker-thread.ts';

/** With this the thread begins. */
export interface WorkThreadData {
  readonly config: Config;
  readonly command: string;
  /** Of the turns in which a local database is written. */
  readonly turns: SharedArrayBuffer;
}

/** All that the thread is ever told: that the database is ready; to finish what is in flight, or to hand it back. */
export type WorkThreadRequest = 'begin' | 'stop';

export type WorkThreadReply =
  | { readonly kind: 'log'; readonly line: string }
  /** Whether texts wait for their vectors, or the model is being opened. */
  | { readonly kind: 'embedding'; readonly isBusy: boolean }
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly failure: ThreadFailure };
