// Compaction by size tier: segments of similar size are merged into one, without removed pages. Done in short steps, so that no
// search and no settlement waits long; each step is a transaction that stores its cursor, so a kill loses nothing.

import { jsonText } from '../engine/codec.ts';
import { batch, type Executor } from '../engine/engine.ts';
import { SEGMENT_STATE } from '../engine/states.ts';
import { writeTerms } from './index-pages.ts';
import { compareCodePoints, mergeTerms, type TermRow } from './merge-terms.ts';
import { packSizes, unpackSizes } from './page-sizes.ts';
import type { WriteSteps } from './write-steps.ts';

/** Terms that one step reads from all parts in total; parts share most of them. */
const MERGE_BATCH_TERMS = 8000;
const DROP_BATCH_TERMS = 8000;

interface Mergeable {
  readonly id: number;
  readonly chunks: number;
  readonly pages: number;
  /** Pages whose current position is in it. */
  readonly live: number;
}

interface SegmentRow extends Mergeable {
  readonly version_id: number;
  readonly page_sizes: Uint8Array;
  readonly index_fingerprint: string;
}

interface FillingRow {
  readonly id: number;
  readonly merge_plan: string;
  readonly merge_cursor: string;
}

/** For each merged segment, the new index of each of its pages, or -1 for a removed page. */
interface Merge {
  readonly parts: readonly number[];
  readonly pages: ReadonlyArray<readonly number[]>;
}

const selectDropped = `select id from search_segments where state = ${SEGMENT_STATE.dropped} order by id limit 1`;
const selectFilling = `select id, merge_plan, merge_cursor from search_segments where state = ${SEGMENT_STATE.merging} order by id limit 1`;
const selectSearched = `select g.id, g.version_id, g.chunks, g.pages, g.page_sizes, g.index_fingerprint,
    (select count(*) from search_pages s where s.segment_id = g.id) as live
  from search_segments g where g.version_id = $1 and g.state = ${SEGMENT_STATE.searchable} order by g.id`;
const selectCrowded = `select version_id from search_segments where state = ${SEGMENT_STATE.searchable} group by version_id having count(*) >= $1 order by count(*) desc limit 8`;
const selectLivePages = `select page_index from search_pages where segment_id = $1 order by page_index`;
const insertMerge = `insert into search_segments (version_id, state, chunks, pages, page_sizes, index_fingerprint, merge_plan, merge_cursor) values ($1, ${SEGMENT_STATE.merging}, $2, $3, $4, $5, $6, '')`;
const setState = batch({ id: 'int' }, `update search_segments set state = $1 where id in (select r.id from {rows} r)`, [
  'int',
]);
const selectNextTerms = `select term, postings from search_postings where segment_id = $1 and term > $2 order by term limit $3`;
const selectStillFilling = `select 1 as one from search_segments where id = $1 and state = ${SEGMENT_STATE.merging} and merge_cursor = $2`;
const advanceCursor = `update search_segments set merge_cursor = $2 where id = $1`;
const movePages = batch(
  { old_segment: 'int', old_page: 'int', page_index: 'int' },
  `update search_pages set segment_id = $1, page_index = r.page_index from {rows} r where segment_id = r.old_segment and search_pages.page_index = r.old_page`,
  ['int'],
);
const selectDropEnd = `select term from search_postings where segment_id = $1 order by term limit 1 offset ${DROP_BATCH_TERMS}`;
const dropTerms = `delete from search_postings where segment_id = $1 and term < $2`;
const dropAllTerms = `delete from search_postings where segment_id = $1`;
const dropSegment = `delete from search_segments where id = $1`;

/** Does one step of compaction; false when there is nothing to do. */
export async function compactSegments({ read, write, forUpdate }: WriteSteps): Promise<boolean> {
  const [dropped] = await read.all<{ id: number }>(`${selectDropped} ${forUpdate}`);
  if (dropped !== undefined) return write((tx) => dropTermBatch(tx, dropped.id));
  const [filling] = await read.all<FillingRow>(`${selectFilling} ${forUpdate}`);
  if (filling !== undefined) return mergeTermBatch({ read, write, forUpdate }, filling);
  const candidates = await read.all<{ version_id: number }>(selectCrowded, [2]);
  for (const { version_id: version } of candidates)
    if (await write((tx) => beginMerge(tx, version, forUpdate))) return true;
  return false;
}

async function dropTermBatch(tx: Executor, id: number): Promise<true> {
  const [end] = await tx.all<{ term: string }>(selectDropEnd, [id]);
  if (end !== undefined) await tx.all(dropTerms, [id, end.term]);
  else {
    await tx.all(dropAllTerms, [id]);
    await tx.all(dropSegment, [id]);
  }
  return true;
}

async function beginMerge(tx: Executor, version: number, forUpdate: string): Promise<boolean> {
  const rows = await tx.all<SegmentRow>(`${selectSearched} ${forUpdate.replace('update', 'update of g')}`, [version]);
  const parts = partsToMerge(rows);
  const [part] = parts;
  if (part === undefined) return false;
  const sizes: number[] = [];
  const pages: number[][] = [];
  for (const { id, pages: count, page_sizes: packed } of parts) {
    const live = await tx.all<{ page_index: number }>(selectLivePages, [id]);
    const numbers = Array.from({ length: count }, () => -1);
    const partSizes = unpackSizes(packed);
    for (const { page_index: page } of live) {
      numbers[page] = sizes.length;
      sizes.push(partSizes[page] ?? 0);
    }
    pages.push(numbers);
  }
  const merge: Merge = { parts: parts.map(({ id }) => id), pages };
  const chunks = sizes.reduce((total, size) => total + size, 0);
  await tx.all(insertMerge, [
    version,
    chunks,
    sizes.length,
    packSizes(sizes),
    part.index_fingerprint,
    jsonText(merge as never),
  ]);
  await tx.each(
    setState,
    parts.map(({ id }) => [id]),
    [SEGMENT_STATE.retiring],
  );
  return true;
}

/** All of one index fingerprint, so that a merged segment has one. */
function partsToMerge(rows: readonly SegmentRow[]): readonly SegmentRow[] {
  for (const alike of Map.groupBy(rows, (row) => row.index_fingerprint).values()) {
    const parts = planMerge(alike);
    if (parts.length > 0) return parts;
  }
  return [];
}

async function mergeTermBatch(
  { read, write }: WriteSteps,
  { id, merge_plan: text, merge_cursor: from }: FillingRow,
): Promise<boolean> {
  const merge = JSON.parse(text) as Merge;
  const limit = Math.ceil(MERGE_BATCH_TERMS / merge.parts.length);
  const batches: TermRow[][] = [];
  for (const part of merge.parts) batches.push(await read.all<TermRow>(selectNextTerms, [part, from, limit]));
  const end = commonEnd(batches, limit);
  const renumber = await renumberChunks(read, id, merge);
  const parts = batches.map((rows, at) => ({ rows, renumber: renumber[at] ?? new Int32Array() }));
  const terms = mergeTerms(parts, end);
  return write(async (tx) => {
    // It may have been dropped with its source since it was read.
    const [same] = await tx.all(selectStillFilling, [id, from]);
    if (same === undefined) return true;
    await writeTerms(tx, id, terms);
    if (end === null) await finishMerge(tx, id, merge);
    else await tx.all(advanceCursor, [id, end]);
    return true;
  });
}

/** The last term up to which every part was read; null when all were read completely. */
function commonEnd(batches: ReadonlyArray<readonly TermRow[]>, limit: number): string | null {
  const ends = batches.filter((rows) => rows.length === limit).map((rows) => rows.at(-1)?.term ?? '');
  return ends.length === 0 ? null : ends.reduce((least, term) => (compareCodePoints(term, least) < 0 ? term : least));
}

const selectSizes = `select page_sizes from search_segments where id = $1`;

/** For each part, the new number of each of its chunks, or -1 for a removed one. */
async function renumberChunks(read: Executor, id: number, { parts, pages }: Merge): Promise<Int32Array[]> {
  const sizes = async (segment: number): Promise<number[]> => {
    const [row] = await read.all<{ page_sizes: Uint8Array }>(selectSizes, [segment]);
    return unpackSizes(row?.page_sizes ?? new Uint8Array());
  };
  const starts = [0];
  for (const size of await sizes(id)) starts.push((starts.at(-1) ?? 0) + size);
  const result: Int32Array[] = [];
  for (const [at, part] of parts.entries()) {
    const partSizes = await sizes(part);
    const numbers = new Int32Array(partSizes.reduce((total, size) => total + size, 0)).fill(-1);
    let chunk = 0;
    partSizes.forEach((size, page) => {
      const target = pages[at]?.[page] ?? -1;
      for (let position = 0; position < size; position += 1, chunk += 1) {
        if (target !== -1) numbers[chunk] = (starts[target] ?? 0) + position;
      }
    });
    result.push(numbers);
  }
  return result;
}

async function finishMerge(tx: Executor, id: number, { parts, pages }: Merge): Promise<void> {
  const moved = parts.flatMap((part, at) =>
    (pages[at] ?? []).flatMap((page, old) => (page === -1 ? [] : [[part, old, page]])),
  );
  await tx.each(movePages, moved, [id]);
  await tx.each(
    setState,
    parts.map((part) => [part]),
    [SEGMENT_STATE.dropped],
  );
  await tx.each(setState, [[id]], [SEGMENT_STATE.searchable]);
}

const SMALLEST_TIER_CHUNKS = 2000;
const TIER_GROWTH = 4;
/** So many segments of one size tier are merged: each chunk is then written once per tier. */
const MERGE_FACTOR = 4;
const MAX_MERGED_SEGMENTS = 16;
/** Larger segments are not merged any more. */
const MAX_SEGMENT_CHUNKS = 1_000_000;

/** The segments of a version to merge, in the order of their ids; empty when there are few enough. */
function planMerge<Segment extends Mergeable>(segments: readonly Segment[]): readonly Segment[] {
  const mostlyDead = segments.find((segment) => segment.pages >= 8 && segment.live * 2 < segment.pages);
  if (mostlyDead !== undefined && mostlyDead.chunks <= MAX_SEGMENT_CHUNKS) return [mostlyDead];
  const tiers = Map.groupBy(segments, ({ chunks }) => tierOf(chunks));
  for (const tier of [...tiers.keys()].sort((left, right) => left - right)) {
    const sameTier = (tiers.get(tier) ?? []).slice(0, MAX_MERGED_SEGMENTS);
    const chunks = sameTier.reduce((total, segment) => total + segment.chunks, 0);
    if (sameTier.length >= MERGE_FACTOR && chunks <= MAX_SEGMENT_CHUNKS) return sameTier;
  }
  return [];
}

function tierOf(chunks: number): number {
  return Math.max(0, Math.floor(Math.log(Math.max(1, chunks) / SMALLEST_TIER_CHUNKS) / Math.log(TIER_GROWTH)) + 1);
}
