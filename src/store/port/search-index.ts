// The inverted index over the chunks of the store.

import type { SearchFilter } from '../../core/lexical/query/search-filter.ts';
import type { SegmentPostings } from '../../core/lexical/segment/segment.ts';
import type { SourceId, VersionId } from '../../core/model/run.ts';
import type { StoredChunk, StoredPage } from './pages.ts';

export interface FoundPostings {
  /** Number of chunks in all segments that were read. */
  readonly chunks: number;
  /** How many of them contain each term, in the order of the terms. */
  readonly docFrequencies: readonly number[];
  readonly segments: readonly SegmentPostings[];
  /** Every segment that was read, with or without a match. */
  readonly segmentIds: readonly number[];
}

/** Position of a chunk in the index: the index of its page in a segment, and its position in the page. */
export interface ChunkPosition {
  readonly segment: number;
  readonly pageIndex: number;
  readonly position: number;
}

/** The part of a chunk that a search ranks by and shows. A query reads a hundred of them, so it is kept small. */
export interface FoundPassage extends Pick<
  StoredChunk,
  'id' | 'contentHash' | 'headings' | 'anchor' | 'symbol' | 'text' | 'lines' | 'ordinal'
> {
  readonly page: Pick<StoredPage, 'version' | 'url' | 'title' | 'chunks' | 'checkedAt'>;
}

export interface FoundChunk {
  readonly position: ChunkPosition;
  readonly chunk: FoundPassage;
  readonly source: SourceId;
  /** The page's classification by core/classify. */
  readonly pageKind: string | null;
}

/**
 * Which chunks contain which terms. Derived from pages and chunks: a settled page is queued in its own transaction, and
 * `index` reads it from the queue. Terms are tokens of core/lexical, never query syntax.
 */
export interface SearchIndex {
  postings(versions: readonly VersionId[], terms: readonly string[]): Promise<FoundPostings>;
  /** The current chunks at some positions; positions of pages that were removed or changed are left out. */
  resolve(positions: readonly ChunkPosition[]): Promise<readonly FoundChunk[]>;
  /**
   * Whether all these segments are still searched. A compaction moves the pages of a segment to another one; positions that
   * were read before then resolve to nothing.
   */
  areSearched(segmentIds: readonly number[]): Promise<boolean>;
  /** Every position that passes the filter. */
  positionsMatching(versions: readonly VersionId[], filter: SearchFilter): Promise<readonly ChunkPosition[]>;
  /** Terms with a common prefix and a length in some range, and how many chunks contain each. */
  termsWithPrefix(
    versions: readonly VersionId[],
    prefix: string,
    length: { readonly min: number; readonly max: number },
  ): Promise<ReadonlyArray<{ readonly term: string; readonly docFrequency: number }>>;
  /** Indexes up to `limit` settled pages; returns how many. Also does one step of compaction. */
  index(limit: number): Promise<number>;
  /** Queues every page of a version again. */
  reindex(version: VersionId): Promise<void>;
  /** Number of pages that are settled and not yet searchable. */
  queueLength(): Promise<number>;
  /** Age of the oldest queued page; 0 if the queue is empty. */
  queueAgeMs(): Promise<number>;
}
