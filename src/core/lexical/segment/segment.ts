// A segment as search reads it: an immutable set of pages of one version. Any engine that provides the postings of a term
// can be searched: memory-index.ts holds segments in memory, the stores hold them in tables.

export interface SegmentShape {
  readonly chunks: number;
  /** Index of the first chunk of each page, followed by the number of chunks. */
  readonly pageStarts: Uint32Array;
}

export interface SegmentPostings extends SegmentShape {
  /** Unique within a library. */
  readonly id: number;
  /** Postings by the term's index in the query; absent if no chunk contains the term. */
  readonly postings: ReadonlyMap<number, Uint8Array>;
}

export function pageStartsOf(sizes: ArrayLike<number>): Uint32Array {
  const starts = new Uint32Array(sizes.length + 1);
  for (let page = 0; page < sizes.length; page += 1) starts[page + 1] = (starts[page] ?? 0) + (sizes[page] ?? 0);
  return starts;
}
