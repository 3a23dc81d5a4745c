// What the index of segments needs from the database: the tables of segments, and their maintenance.

import type { SegmentReader } from '../core/lexical/segment/segment-reader.ts';
import type { VersionId } from '../core/model/run.ts';

/** The segments of a library with their maintenance: a settled page is queued in its own transaction, and `index` reads the queue. */
export interface SegmentTables extends SegmentReader {
  /** Indexes up to `limit` settled pages, all of the version whose page has waited longest; returns how many. */
  index(limit: number): Promise<number>;
  /** Merges segments for at least one step and about this long; true once no version has any to merge. */
  compact(budgetMs: number): Promise<boolean>;
  /** Queues every page of a version again. */
  reindex(version: VersionId): Promise<void>;
  /** Number of pages that are settled and not yet searchable, counted up to `max`, 10,000 by default. */
  queueLength(max?: number): Promise<number>;
  /** Whether every settled page of a version is searchable. */
  isIndexed(version: VersionId): Promise<boolean>;
  /** Age of the oldest queued page; 0 if the queue is empty. */
  queueAgeMs(): Promise<number>;
}
