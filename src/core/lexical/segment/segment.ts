// A segment as a search sees it: immutable, some pages of one version. Any engine that can hand over the postings of a
// word can be searched; core/lexical keeps segments in memory, the stores keep them in tables.

import type { SegmentDraft } from './segment-builder.ts';

export interface SegmentShape {
  readonly chunks: number;
  /** Number of the first chunk of each page, and after the last one the number of chunks. */
  readonly pageStarts: Uint32Array;
}

export interface SegmentPostings extends SegmentShape {
  /** Tells segments apart within one library. */
  readonly id: number;
  /** Postings of a term, by the term's place in the query; absent where no chunk has it. */
  readonly postings: ReadonlyMap<number, Uint8Array>;
}

export function pageStartsOf(sizes: ArrayLike<number>): Uint32Array {
  const starts = new Uint32Array(sizes.length + 1);
  for (let page = 0; page < sizes.length; page += 1) starts[page + 1] = (starts[page] ?? 0) + (sizes[page] ?? 0);
  return starts;
}

export interface MemorySegment extends SegmentShape {
  readonly terms: ReadonlyMap<string, { readonly count: number; readonly bytes: Uint8Array }>;
}

export function memorySegment(draft: SegmentDraft): MemorySegment {
  return {
    chunks: draft.chunks,
    pageStarts: pageStartsOf(draft.pageSizes),
    terms: new Map(Array.from(draft.terms(), ({ term, count, bytes }) => [term, { count, bytes }])),
  };
}
