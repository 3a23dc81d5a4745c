// Which chunks have which words.

import type { SearchFilter } from '../../core/lexical/query/search-filter.ts';
import type { SegmentPostings } from '../../core/lexical/segment/segment.ts';
import type { SourceId, VersionId } from '../../core/model/run.ts';
import type { StoredChunk, StoredPage } from './pages.ts';

export interface FoundPostings {
  /** Chunks of all segments that were looked at. */
  readonly chunks: number;
  /** How many of them have each term, in the order of the terms. */
  readonly having: readonly number[];
  readonly segments: readonly SegmentPostings[];
}

/** A chunk as segments know it: by the number of its page and its position there. */
export interface SearchPlace {
  readonly segment: number;
  readonly page: number;
  readonly position: number;
}

/** Of a chunk, what a search ranks by and shows. A hundred of them are read for a question, so there is no more to it. */
export interface FoundPassage extends Pick<
  StoredChunk,
  'id' | 'contentHash' | 'headings' | 'anchor' | 'symbol' | 'text' | 'lines' | 'ordinal'
> {
  readonly page: Pick<StoredPage, 'version' | 'url' | 'title' | 'chunks' | 'checkedAt'>;
}

export interface FoundChunk {
  readonly place: SearchPlace;
  readonly chunk: FoundPassage;
  readonly source: SourceId;
  /** What the page is for, as core/analyse guessed it. */
  readonly pageKind: string | null;
}

/**
 * Which chunks have which words. Derived from pages and chunks: a settled page is queued with its transaction, and
 * `index` reads it from there. Terms are tokens of core/lexical, never query syntax.
 */
export interface SearchRows {
  postings(versions: readonly VersionId[], terms: readonly string[]): Promise<FoundPostings>;
  /** The living chunks at some places; places of pages that went or changed are left out. */
  resolve(places: readonly SearchPlace[]): Promise<readonly FoundChunk[]>;
  /** Every place that passes the filter. */
  placesOf(versions: readonly VersionId[], filter: SearchFilter): Promise<readonly SearchPlace[]>;
  /** Terms with a common beginning and some number of letters, and how many chunks have each. */
  nearTerms(
    versions: readonly VersionId[],
    prefix: string,
    letters: { readonly least: number; readonly most: number },
  ): Promise<ReadonlyArray<{ readonly term: string; readonly having: number }>>;
  /** Reads up to `limit` settled pages into the index; returns how many. Does a step of its upkeep as well. */
  index(limit: number): Promise<number>;
  /** Queues every page of a version again. */
  reindex(version: VersionId): Promise<void>;
  /** Pages that are settled and not yet searchable. */
  lag(): Promise<number>;
  /** How long the page that waits longest has waited; 0 where none waits. */
  lagMs(): Promise<number>;
}
