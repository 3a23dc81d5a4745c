// A segment as search reads it: an immutable set of pages of one version. memory-index.ts holds segments in memory, the stores
// hold them in tables.

export interface SegmentShape {
  readonly chunks: number;
  /** Index of the first chunk of each page, followed by the number of chunks. */
  readonly pageStarts: Uint32Array;
}

export interface Segment extends SegmentShape {
  /** Unique within a library. */
  readonly id: number;
}

export function pageStartsOf(sizes: ArrayLike<number>): Uint32Array {
  const starts = new Uint32Array(sizes.length + 1);
  for (let page = 0; page < sizes.length; page += 1) starts[page + 1] = (starts[page] ?? 0) + (sizes[page] ?? 0);
  return starts;
}
