// Compaction: merges segments as `planMerge` decides, without removed pages. Done in short steps, so that no search and no
// settlement waits long; each step is a transaction that stores its cursor, so a kill loses nothing.

import { planMerge, type MergeableSegment } from '../../../core/lexical/segment/merge-plan.ts';
import { createLruCache } from '../../../core/lru-cache.ts';
import { jsonText } from '../engine/codec.ts';
import { batch, type Executor } from '../engine/engine.ts';
import { SEGMENT_STATE } from '../engine/states.ts';
import { addFilterColumns, DROP_FILTER_COLUMNS } from './filter-columns.ts';
import { writeTerms } from './index-pages.ts';
import { compareCodePoints, mergeTerms, type TermRow } from './merge-terms.ts';
import { packSizes, unpackSizes } from './page-sizes.ts';
import type { WriteSteps } from './write-steps.ts';

/** Terms that one step reads from all parts in total; parts share most of them. */
const MERGE_BATCH_TERMS = 8000;
const DROP_BATCH_TERMS = 8000;

interface SegmentRow extends MergeableSegment {
  readonly index_fingerprint: string;
}

/** What tells a merge from another one that got its id after the database has gone back. */
interface MergeIdentity {
  readonly id: number;
  readonly version_id: number;
  readonly chunks: number;
  readonly pages: number;
}

interface FillingRow extends MergeIdentity {
  readonly merge_cursor: string;
}

/** For each merged segment, the new index of each of its pages, or -1 for a removed page. */
interface Merge {
  readonly parts: readonly number[];
  readonly pages: ReadonlyArray<readonly number[]>;
}

/** With the new number of each chunk of each part, or -1 for a removed one. */
interface LoadedMerge extends Merge {
  readonly renumber: readonly Int32Array[];
}

const selectDropped = `select id from search_segments where state = ${SEGMENT_STATE.dropped} order by id limit 1`;
const selectFilling = `select id, version_id, chunks, pages, merge_cursor from search_segments where state = ${SEGMENT_STATE.merging} order by id limit 1`;
const selectSearched = `select id, chunks, pages, live, index_fingerprint from search_segments where version_id = $1 and state = ${SEGMENT_STATE.searchable} order by id`;
const selectVersions = `select distinct version_id from search_segments where state = ${SEGMENT_STATE.searchable} order by version_id`;
const selectLivePages = `select page_index from search_pages where segment_id = $1 order by page_index`;
const selectSizes = `select page_sizes from search_segments where id = $1`;
const selectPlan = `select merge_plan from search_segments where id = $1`;
const insertMerge = `insert into search_segments (version_id, state, chunks, pages, live, page_sizes, index_fingerprint, merge_plan, merge_cursor) values ($1, ${SEGMENT_STATE.merging}, $2, $3, 0, $4, $5, $6, '')`;
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
/** Pages may have been removed since the merge began. */
const publishMerge = `update search_segments set state = ${SEGMENT_STATE.searchable}, live = (select count(*) from search_pages where segment_id = $1) where id = $1`;
const selectDropEnd = `select term from search_postings where segment_id = $1 order by term limit 1 offset ${DROP_BATCH_TERMS}`;
const dropTerms = `delete from search_postings where segment_id = $1 and term < $2`;
const dropAllTerms = `delete from search_postings where segment_id = $1`;
const dropSegment = `delete from search_segments where id = $1`;

export interface Compaction {
  /** The segments of a version changed, so it may have to be compacted. */
  add(version: number): void;
  /** The segments of any version may have changed: a commit was not answered. */
  addAll(): void;
  /** Does one step; false when there is nothing to do. */
  step(steps: WriteSteps): Promise<boolean>;
}

/** As many as there may be indexers, within 64 MB. */
const MAX_LOADED_MERGES = 16;
const MAX_LOADED_CHUNKS = 16_000_000;

export function createCompaction(): Compaction {
  /** Versions that may have segments to merge, the next one first; null before all versions were read once. */
  let pending: Set<number> | null = null;
  /** The plan of a merge never changes, so it is read and renumbered once, not at every step. Several indexers take turns at their merges. */
  const merges = createLruCache<string, LoadedMerge>(MAX_LOADED_MERGES, MAX_LOADED_CHUNKS);

  async function mergeInProgress(read: Executor, { id, version_id, chunks: size, pages }: MergeIdentity) {
    const identity = `${id} ${version_id} ${size} ${pages}`;
    const known = merges.get(identity);
    if (known !== undefined) return known;
    const loaded = await loadMerge(read, id);
    const chunks = loaded.renumber.reduce((sum, numbers) => sum + numbers.length, 0);
    merges.set(identity, loaded, chunks);
    return loaded;
  }

  /** A version goes to the back of the queue when it gets a merge, so that no other waits for all of its merges. */
  async function beginNextMerge({ read, write, forUpdate }: WriteSteps): Promise<boolean> {
    pending ??= new Set((await read.all<{ version_id: number }>(selectVersions)).map((row) => row.version_id));
    for (let left = pending.size; left > 0; left -= 1) {
      const [version = 0] = pending;
      const parts = partsToMerge(await read.all<SegmentRow>(selectSearched, [version]));
      // Only now: a read that failed is repeated.
      pending.delete(version);
      if (parts.length === 0) continue;
      pending.add(version);
      if (await write((tx) => beginMerge(tx, version, forUpdate))) return true;
    }
    return false;
  }

  return {
    add: (version) => void pending?.add(version),
    addAll: () => void (pending = null),
    async step(steps) {
      const { read, write, forUpdate } = steps;
      const [dropped] = await read.all<{ id: number }>(`${selectDropped} ${forUpdate}`);
      if (dropped !== undefined) return write((tx) => dropTermBatch(tx, dropped.id));
      const [filling] = await read.all<FillingRow>(`${selectFilling} ${forUpdate}`);
      if (filling !== undefined) return mergeTermBatch(steps, filling, await mergeInProgress(read, filling));
      // Last: columns of a segment that is about to be merged would be made for nothing.
      return (await beginNextMerge(steps)) || addFilterColumns(steps);
    },
  };
}

async function dropTermBatch(tx: Executor, id: number): Promise<true> {
  const [end] = await tx.all<{ term: string }>(selectDropEnd, [id]);
  if (end !== undefined) await tx.all(dropTerms, [id, end.term]);
  else {
    await tx.all(dropAllTerms, [id]);
    await tx.all(DROP_FILTER_COLUMNS, [id]);
    await tx.all(dropSegment, [id]);
  }
  return true;
}

async function beginMerge(tx: Executor, version: number, forUpdate: string): Promise<boolean> {
  const parts = partsToMerge(await tx.all<SegmentRow>(`${selectSearched} ${forUpdate}`, [version]));
  const [part] = parts;
  if (part === undefined) return false;
  const sizes: number[] = [];
  const pages: number[][] = [];
  for (const { id, pages: count } of parts) {
    const live = await tx.all<{ page_index: number }>(selectLivePages, [id]);
    const numbers = Array.from({ length: count }, () => -1);
    const partSizes = await readSizes(tx, id);
    for (const { page_index: page } of live) {
      numbers[page] = sizes.length;
      sizes.push(partSizes[page] ?? 0);
    }
    pages.push(numbers);
  }
  const ids = parts.map(({ id }) => [id]);
  if (sizes.length === 0) {
    await tx.each(setState, ids, [SEGMENT_STATE.dropped]);
    return true;
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
  await tx.each(setState, ids, [SEGMENT_STATE.retiring]);
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
  { id, merge_cursor: from }: FillingRow,
  merge: LoadedMerge,
): Promise<boolean> {
  const limit = Math.ceil(MERGE_BATCH_TERMS / merge.parts.length);
  const batches: TermRow[][] = [];
  for (const part of merge.parts) batches.push(await read.all<TermRow>(selectNextTerms, [part, from, limit]));
  const end = commonEnd(batches, limit);
  const parts = batches.map((rows, at) => ({ rows, renumber: merge.renumber[at] ?? new Int32Array() }));
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

async function readSizes(read: Executor, segment: number): Promise<number[]> {
  const [row] = await read.all<{ page_sizes: Uint8Array }>(selectSizes, [segment]);
  return unpackSizes(row?.page_sizes ?? new Uint8Array());
}

async function loadMerge(read: Executor, id: number): Promise<LoadedMerge> {
  const [row] = await read.all<{ merge_plan: string }>(selectPlan, [id]);
  const { parts, pages } = JSON.parse(row?.merge_plan ?? '{"parts":[],"pages":[]}') as Merge;
  const starts = [0];
  for (const size of await readSizes(read, id)) starts.push((starts.at(-1) ?? 0) + size);
  const renumber: Int32Array[] = [];
  for (const [at, part] of parts.entries()) {
    const partSizes = await readSizes(read, part);
    const numbers = new Int32Array(partSizes.reduce((total, size) => total + size, 0)).fill(-1);
    let chunk = 0;
    partSizes.forEach((size, page) => {
      const target = pages[at]?.[page] ?? -1;
      for (let position = 0; position < size; position += 1, chunk += 1) {
        if (target !== -1) numbers[chunk] = (starts[target] ?? 0) + position;
      }
    });
    renumber.push(numbers);
  }
  return { parts, pages, renumber };
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
  await tx.all(publishMerge, [id]);
}
