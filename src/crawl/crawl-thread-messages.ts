// Messages between the main thread and the crawl thread. Everything else they share is in the store.

import type { Config } from '../platform/config/schema.ts';
import type { ThreadFailure } from '../platform/worker-thread.ts';

/** The worker data of the thread. */
export interface CrawlThreadData {
  readonly config: Config;
  readonly command: string;
  /** Serializes writes to a SQLite database between threads. */
  readonly writeLock: SharedArrayBuffer;
}

/** `begin` when the database is ready; `stop` to finish or release what is in flight. */
export type CrawlThreadRequest = 'begin' | 'stop';

export type CrawlThreadReply =
  | { readonly kind: 'log'; readonly line: string }
  /** Whether texts are waiting for vectors or the model is being opened. */
  | { readonly kind: 'embedding'; readonly isBusy: boolean }
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly failure: ThreadFailure };
