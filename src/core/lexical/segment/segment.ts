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

/**
 * The page that contains a chunk, by exponential then binary search from page `from`; in an ascending list it is usually close.
 * The same holds for any list of starts, such as those of segments in a list of all pages.
 */
export function pageAt(pageStarts: Uint32Array, chunk: number, from = 0): number {
  const last = pageStarts.length - 1;
  let low = from;
  let step = 1;
  while (low + step < last && (pageStarts[low + step] ?? 0) <= chunk) {
    low += step;
    step *= 2;
  }
  let high = Math.min(last, low + step);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((pageStarts[middle] ?? 0) <= chunk) low = middle;
    else high = middle;
  }
  return low;
}
