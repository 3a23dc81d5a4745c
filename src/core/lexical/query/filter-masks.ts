// Which chunks of each segment pass a filter, as bitmaps: read once for a segment and a filter, and cached for the next query
// with the same filter, such as the second page of an answer.

import { createLruCache } from '../../lru-cache.ts';
import { createColumnFilter, type ColumnFilter } from '../segment/filter-columns.ts';
import type { SegmentReader } from '../segment/segment-reader.ts';
import type { Segment } from '../segment/segment.ts';
import type { ColumnConditions } from './search-filter.ts';

/** One bit per chunk of a segment; null if none passes. */
export type FilterMask = Uint8Array | null;

export type ReadMasks = (
  segments: readonly Segment[],
  filter: ColumnConditions,
) => Promise<ReadonlyMap<number, FilterMask>>;

/** The filters of the last questions. A key is long where a path may be below the start of many sources, so there is one for each filter. */
const MAX_FILTERS = 1000;
const MAX_BYTES = 16_000_000;
/** Size of a segment's entry without its mask. */
const ENTRY_BYTES = 50;
/** Chunks whose columns are read at a time: a filter over everything needs little more memory than over one segment. */
const MAX_CHUNKS_PER_READ = 100_000;
/** The same for segments without columns, whose chunks are read as rows. */
const MAX_ROWS_PER_READ = 20_000;

type MaskReader = Pick<SegmentReader, 'filterColumns' | 'positionsMatching'>;

interface CachedMasks {
  readonly bySegment: Map<number, FilterMask>;
  bytes: number;
}

/** Segments that were merged are asked for no more, and a filter that is always in use is never evicted. */
function onlyThese(key: string, masks: ReadonlyMap<number, FilterMask>): CachedMasks {
  const bytes = [...masks.values()].reduce((sum, mask) => sum + ENTRY_BYTES + (mask?.length ?? 0), key.length * 2);
  return { bySegment: new Map(masks), bytes };
}

export function createFilterMasks(reader: MaskReader, maxBytes = MAX_BYTES): ReadMasks {
  const cache = createLruCache<string, CachedMasks>(MAX_FILTERS, maxBytes);
  return async (segments, filter) => {
    const key = JSON.stringify(filter);
    const cached = cache.get(key) ?? { bySegment: new Map<number, FilterMask>(), bytes: key.length * 2 };
    const masks = new Map<number, FilterMask>();
    const missing = segments.filter(({ id }) => {
      const mask = cached.bySegment.get(id);
      if (mask !== undefined) masks.set(id, mask);
      return mask === undefined;
    });
    const keep = (read: ReadonlyMap<number, FilterMask>): void => {
      for (const [id, mask] of read) {
        masks.set(id, mask);
        cached.bySegment.set(id, mask);
        cached.bytes += ENTRY_BYTES + (mask?.length ?? 0);
      }
    };
    const columnFilter = createColumnFilter(filter);
    for (const some of bySize(missing, MAX_CHUNKS_PER_READ)) keep(await readColumns(reader, some, columnFilter));
    const withoutColumns = missing.filter(({ id }) => !masks.has(id));
    for (const some of bySize(withoutColumns, MAX_ROWS_PER_READ)) keep(await readMasks(reader, some, filter));
    const current = cached.bytes > maxBytes ? onlyThese(key, masks) : cached;
    cache.set(key, current, current.bytes);
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
  filter: ColumnConditions,
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
