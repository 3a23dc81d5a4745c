// Which segments of a version become one.

export interface Mergeable {
  readonly id: number;
  readonly chunks: number;
  readonly pages: number;
  /** Pages that are still found there. */
  readonly live: number;
}

const SMALLEST = 2000;
const GROWTH = 4;
/** So many of one size are merged: each chunk is then written once for each size. */
const CROWD = 4;
const MOST_PARTS = 16;
/** A partition: larger ones are left alone. */
const LARGEST = 1_000_000;

/** In the order of their ids; empty when segments are few enough. */
export function planMerge<Segment extends Mergeable>(segments: readonly Segment[]): readonly Segment[] {
  const half = segments.find((segment) => segment.pages >= 8 && segment.live * 2 < segment.pages);
  if (half !== undefined && half.chunks <= LARGEST) return [half];
  const sizes = Map.groupBy(segments, ({ chunks }) => sizeOf(chunks));
  for (const size of [...sizes.keys()].sort((left, right) => left - right)) {
    const same = (sizes.get(size) ?? []).slice(0, MOST_PARTS);
    const chunks = same.reduce((total, segment) => total + segment.chunks, 0);
    if (same.length >= CROWD && chunks <= LARGEST) return same;
  }
  return [];
}

function sizeOf(chunks: number): number {
  return Math.max(0, Math.floor(Math.log(Math.max(1, chunks) / SMALLEST) / Math.log(GROWTH)) + 1);
}
