// The inverted index over the chunks of the store.

import type { IndexReader } from '../../core/lexical/segment/index-reader.ts';
import type { VersionId } from '../../core/model/run.ts';

/**
 * Derived from pages and chunks: a settled page is queued in its own transaction, and `index` reads it from the queue. A
 * search reads it as it reads any other index.
 */
export interface SearchIndex extends IndexReader {
  /** Indexes up to `limit` settled pages; returns how many. Also does one step of compaction. */
  index(limit: number): Promise<number>;
  /** Queues every page of a version again. */
  reindex(version: VersionId): Promise<void>;
  /** Number of pages that are settled and not yet searchable. */
  queueLength(): Promise<number>;
  /** Age of the oldest queued page; 0 if the queue is empty. */
  queueAgeMs(): Promise<number>;
}
