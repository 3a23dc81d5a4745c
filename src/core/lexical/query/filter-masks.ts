// Which chunks of each segment pass a filter, as bitmaps: read once for a segment and a filter, and kept for the next question
// with the same filter, such as the second page of an answer.

import { createLruCache } from '../../model/lru-cache.ts';
import { createColumnFilter, type ColumnFilter } from '../segment/filter-columns.ts';
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
/** Chunks whose columns are read at a time: a filter over everything needs little more memory than over one segment. */
const MAX_CHUNKS_PER_READ = 100_000;
/** The same for segments without columns, whose chunks are read as rows. */
const MAX_ROWS_PER_READ = 20_000;

type MaskReader = Pick<SegmentReader, 'filterColumns' | 'positionsMatching'>;

export function createFilterMasks(reader: MaskReader): ReadMasks {
  const cache = createLruCache<string, FilterMask>(MAX_ENTRIES, MAX_BYTES);
  return async (segments, filter) => {
    const filterKey = JSON.stringify(filter);
    const masks = new Map<number, FilterMask>();
    const missing = segments.filter(({ id }) => {
      const cached = cache.get(`${id} ${filterKey}`);
      if (cached !== undefined) masks.set(id, cached);
      return cached === undefined;
    });
    const keep = (read: ReadonlyMap<number, FilterMask>): void => {
      for (const [id, mask] of read) {
        masks.set(id, mask);
        cache.set(`${id} ${filterKey}`, mask, mask?.length ?? 1);
      }
    };
    const columnFilter = createColumnFilter(filter);
    for (const some of bySize(missing, MAX_CHUNKS_PER_READ)) keep(await readColumns(reader, some, columnFilter));
    const withoutColumns = missing.filter(({ id }) => !masks.has(id));
    for (const some of bySize(withoutColumns, MAX_ROWS_PER_READ)) keep(await readMasks(reader, some, filter));
    return masks;
  };
}

/** Groups of segments that have at most this many chunks together, or one that has more. */
function bySize(segments: readonly Segment[], maxChunks: number): Segment[][] {
  const groups: Segment[][] = [];
  let chunks = Infinity;
  for (const segment of segments) {
    chunks += segment.chunks;
    if (chunks > maxChunks) {
      groups.push([]);
      chunks = segment.chunks;
    }
    groups.at(-1)?.push(segment);
  }
  return groups;
}

/** Segments without columns are left out. */
async function readColumns(
  reader: MaskReader,
  segments: readonly Segment[],
  { fields, mask }: ColumnFilter,
): Promise<Map<number, FilterMask>> {
  const rows = await reader.filterColumns(
    segments.map(({ id }) => id),
    fields,
  );
  const bySegment = Map.groupBy(rows, ({ segment }) => segment);
  const masks = new Map<number, FilterMask>();
  for (const segment of segments) {
    const columns = bySegment.get(segment.id) ?? [];
    if (columns.length < fields.length) continue;
    masks.set(segment.id, mask(segment, new Map(columns.map(({ field, bytes }) => [field, bytes]))));
  }
  return masks;
}

async function readMasks(
  reader: MaskReader,
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

/** Whether any chunk from the first up to the last, exclusive, passes. */
export function isAnyAdmitted(mask: Uint8Array, from: number, to: number): boolean {
  for (let chunk = from; chunk < to; chunk += 1) {
    // A byte at a time where none of its chunks passes.
    if (mask[chunk >>> 3] === 0) chunk |= 7;
    else if (isAdmitted(mask, chunk)) return true;
  }
  return false;
}
