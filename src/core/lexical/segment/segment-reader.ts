// The data that candidate generation reads from segments. The stores read them from tables, core/lexical/segment/memory-index.ts from
// memory.

import type { IndexedTerm, PageRef } from '../query/index-query.ts';
import type { ChunkConditions, ColumnConditions } from '../query/search-filter.ts';
import type { VersionId } from '../../model/run.ts';
import type { FilterField } from './filter-columns.ts';
import type { Segment } from './segment.ts';

/** The encoded postings of a term in a segment. */
export interface PostingRow {
  readonly segment: number;
  readonly term: string;
  readonly bytes: Uint8Array;
}

export interface PagePosition {
  readonly segment: number;
  /** Index of the page in its segment. */
  readonly pageIndex: number;
}

export interface ChunkPosition extends PagePosition {
  /** 0-based position in the page. */
  readonly ordinal: number;
}

export interface FilterColumnRow {
  readonly segment: number;
  readonly field: FilterField;
  readonly bytes: Uint8Array;
}

export interface SegmentReader {
  /** Every segment of these versions that is searched, by ascending id. Segments never change. */
  segments(versions: readonly VersionId[]): Promise<readonly Segment[]>;
  /** Terms that a segment does not contain are left out. In no particular order. */
  postings(pairs: ReadonlyArray<Pick<PostingRow, 'segment' | 'term'>>): Promise<readonly PostingRow[]>;
  /** The pages at some positions; those that were removed or indexed again are left out. In no particular order. */
  pagesAt(positions: readonly PagePosition[]): Promise<ReadonlyArray<PagePosition & PageRef>>;
  /**
   * How many of these segments are still searched. A compaction moves the pages of a segment to another one; positions that
   * were read before then have no page.
   */
  countSearched(segmentIds: readonly number[]): Promise<number>;
  /** Some columns of these segments; those that were not made yet are left out. In no particular order. */
  filterColumns(segmentIds: readonly number[], fields: readonly FilterField[]): Promise<readonly FilterColumnRow[]>;
  /** Every position in these segments that passes the filter, from the chunks: for segments without columns. */
  positionsMatching(segmentIds: readonly number[], filter: ColumnConditions): Promise<readonly ChunkPosition[]>;
  /** The positions on these pages that pass, from the chunks. */
  chunksMatching(pages: readonly PagePosition[], filter: ChunkConditions): Promise<readonly ChunkPosition[]>;
  /** Terms with a common prefix and a length in some range. */
  termsWithPrefix(
    versions: readonly VersionId[],
    prefix: string,
    length: { readonly min: number; readonly max: number },
  ): Promise<readonly IndexedTerm[]>;
}
