// Decides which segments of a version are merged: compaction by size tier, so that each chunk is rewritten about once per tier.

export interface MergeableSegment {
  readonly id: number;
  readonly chunks: number;
  readonly pages: number;
  /** Pages whose current position is in it. */
  readonly live: number;
}

const SMALLEST_TIER_CHUNKS = 2000;
const TIER_GROWTH = 4;
/** A tier with so many segments is merged. */
const MERGE_FACTOR = 4;
const MAX_MERGED_SEGMENTS = 16;
/** No merge produces a larger segment. */
export const MAX_SEGMENT_CHUNKS = 1_000_000;
/** A segment of fewer pages is not rewritten just because pages of it were removed. */
const MIN_REWRITTEN_PAGES = 8;

/**
 * The segments of a version to merge, in the order of their ids; empty when there are few enough. A single one is to be
 * rewritten without its removed pages. However the sizes are distributed, what is left after all merges are fewer than
 * `MERGE_FACTOR` segments per tier, and those of which no two fit into one.
 */
export function planMerge<Segment extends MergeableSegment>(segments: readonly Segment[]): readonly Segment[] {
  const mostlyRemoved = segments.find(({ pages, live }) => live === 0 || isMostlyRemoved(pages, live));
  if (mostlyRemoved !== undefined) return [mostlyRemoved];
  const tiers = Map.groupBy(segments, ({ chunks }) => tierOf(chunks));
  for (const tier of [...tiers.keys()].sort((left, right) => left - right)) {
    const sameTier = tiers.get(tier) ?? [];
    if (sameTier.length < MERGE_FACTOR) continue;
    const oldest = sameTier.toSorted(byId).slice(0, MAX_MERGED_SEGMENTS);
    const parts = chunksOf(oldest) <= MAX_SEGMENT_CHUNKS ? oldest : smallestThatFit(sameTier);
    if (parts.length > 1) return parts;
  }
  return [];
}

function isMostlyRemoved(pages: number, live: number): boolean {
  return pages >= MIN_REWRITTEN_PAGES && live * 2 < pages;
}

function smallestThatFit<Segment extends MergeableSegment>(segments: readonly Segment[]): readonly Segment[] {
  const bySize = segments.toSorted((left, right) => left.chunks - right.chunks || byId(left, right));
  const fitting: Segment[] = [];
  let chunks = 0;
  for (const segment of bySize.slice(0, MAX_MERGED_SEGMENTS)) {
    chunks += segment.chunks;
    if (chunks > MAX_SEGMENT_CHUNKS) break;
    fitting.push(segment);
  }
  return fitting.sort(byId);
}

function chunksOf(segments: readonly MergeableSegment[]): number {
  return segments.reduce((total, { chunks }) => total + chunks, 0);
}

function byId(left: MergeableSegment, right: MergeableSegment): number {
  return left.id - right.id;
}

function tierOf(chunks: number): number {
  return Math.max(0, Math.floor(Math.log(Math.max(1, chunks) / SMALLEST_TIER_CHUNKS) / Math.log(TIER_GROWTH)) + 1);
}
