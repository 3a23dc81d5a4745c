// What a search reads of an index: postings to find candidates by, and the chunks at the positions that they name. The stores
// read it from tables, core/lexical/segment/memory-index.ts from memory.

import type { SearchFilter } from '../query/search-filter.ts';
import type { Chunk } from '../../model/chunk.ts';
import type { OutlineEntry } from '../../model/document.ts';
import type { PageUrl } from '../../model/page-url.ts';
import type { SourceId, VersionId } from '../../model/run.ts';
import type { SegmentPostings } from './segment.ts';

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

export interface PagePlace {
  readonly version: VersionId;
  readonly url: PageUrl;
}

/** A chunk by its page, which holds wherever a compaction moves the page. */
export interface ChunkPlace extends PagePlace {
  readonly ordinal: number;
}

/** The part of a chunk that a search ranks by and shows. A query reads a hundred of them, so it is kept small. */
export interface FoundPassage extends Pick<
  Chunk,
  'id' | 'contentHash' | 'headings' | 'anchor' | 'symbol' | 'text' | 'lines'
> {
  /** 0-based position in the page. */
  readonly ordinal: number;
  readonly page: {
    readonly version: VersionId;
    readonly url: PageUrl;
    readonly title: string;
    readonly chunks: number;
    readonly checkedAt: Date;
  };
}

export interface FoundChunk {
  readonly position: ChunkPosition;
  readonly chunk: FoundPassage;
  readonly source: SourceId;
  /** The page's classification by core/classify. */
  readonly pageKind: string | null;
}

/** Which chunks contain which terms. Terms are tokens of core/lexical, never query syntax. */
export interface IndexReader {
  postings(versions: readonly VersionId[], terms: readonly string[]): Promise<FoundPostings>;
  /** The current chunks at some positions; positions of pages that were removed or changed are left out. */
  resolve(positions: readonly ChunkPosition[]): Promise<readonly FoundChunk[]>;
  /** The current chunks of some pages; those that no longer exist are left out. In no particular order. */
  passages(places: readonly ChunkPlace[]): Promise<readonly FoundPassage[]>;
  /** The headings of some pages; those that no longer exist are left out. In no particular order. */
  outlines(
    pages: readonly PagePlace[],
  ): Promise<ReadonlyArray<PagePlace & { readonly outline: readonly OutlineEntry[] }>>;
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
}
