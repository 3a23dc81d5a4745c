// Which chunks of each segment pass a filter, as bitmaps: read once for a segment and a filter, and kept for the next question
// with the same filter, such as the second page of an answer.

import { createLruCache } from '../../model/lru-cache.ts';
import type { SegmentReader } from '../segment/segment-reader.ts';
import type { Segment } from '../segment/segment.ts';
import type { SearchFilter } from './search-filter.ts';

/** One bit per chunk of a segment; null if none passes. */
export type FilterMask = Uint8Array | null;

export type ReadMasks = (
  segments: readonly Segment[],
  filter: SearchFilter,
) => Promise<ReadonlyMap<number, FilterMask>>;

const MAX_ENTRIES = 100_000;
const MAX_BYTES = 16_000_000;
/** Chunks whose columns are read at a time, so that a filter over everything needs no more memory than over one segment. */
const MAX_CHUNKS_PER_READ = 20_000;

export function createFilterMasks(reader: Pick<SegmentReader, 'positionsMatching'>): ReadMasks {
  const cache = createLruCache<string, FilterMask>(MAX_ENTRIES, MAX_BYTES);
  return async (segments, filter) => {
    const filterKey = JSON.stringify(filter);
    const masks = new Map<number, FilterMask>();
    let missing: Segment[] = [];
    const readMissing = async (): Promise<void> => {
      for (const [id, mask] of await readMasks(reader, missing, filter)) {
        masks.set(id, mask);
        cache.set(`${id} ${filterKey}`, mask, mask?.length ?? 1);
      }
      missing = [];
    };
    for (const segment of segments) {
      const cached = cache.get(`${segment.id} ${filterKey}`);
      if (cached !== undefined) masks.set(segment.id, cached);
      else missing.push(segment);
      if (missing.reduce((total, { chunks }) => total + chunks, 0) > MAX_CHUNKS_PER_READ) await readMissing();
    }
    if (missing.length > 0) await readMissing();
    return masks;
  };
}

async function readMasks(
  reader: Pick<SegmentReader, 'positionsMatching'>,
  segments: readonly Segment[],
  filter: SearchFilter,
): Promise<Map<number, FilterMask>> {
  const shapes = new Map(segments.map((segment) => [segment.id, segment]));
  const masks = new Map<number, FilterMask>(segments.map(({ id }) => [id, null]));
  for (const { segment, pageIndex, ordinal } of await reader.positionsMatching([...shapes.keys()], filter)) {
    const shape = shapes.get(segment);
    if (shape === undefined) continue;
    const mask = masks.get(segment) ?? new Uint8Array((shape.chunks + 7) >>> 3);
    masks.set(segment, mask);
    const chunk = (shape.pageStarts[pageIndex] ?? 0) + ordinal;
    mask[chunk >>> 3] = (mask[chunk >>> 3] ?? 0) | (1 << (chunk & 7));
  }
  return masks;
}

export function isAdmitted(mask: Uint8Array, chunk: number): boolean {
  return ((mask[chunk >>> 3] ?? 0) & (1 << (chunk & 7))) !== 0;
}
