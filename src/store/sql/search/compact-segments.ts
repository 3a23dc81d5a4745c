// Keeps segments few: those of about one size become one, without pages that are gone. Done in short steps, so that no
// search and no settlement waits long; each step is a transaction and says how far it came, so a kill loses nothing.

import { jsonText } from '../engine/codec.ts';
import { batch, type Executor } from '../engine/engine.ts';
import { writeTerms } from './index-pages.ts';
import { planMerge, type Mergeable } from './merge-plan.ts';
import { byCodePoints, mergeTerms, type TermRow } from './merge-terms.ts';
import { packSizes, unpackSizes } from './page-sizes.ts';
import type { WriteSteps } from './write-steps.ts';

/** Terms of all parts together that one step reads; parts share most of them. */
const STEP_TERMS = 8000;
const DROP_TERMS = 8000;

interface SegmentRow extends Mergeable {
  readonly version_id: number;
  readonly page_sizes: Uint8Array;
  readonly form: string;
}

interface FillingRow {
  readonly id: number;
  readonly merge: string;
  readonly merged_to: string;
}

/** For each part, the new number of each of its pages, or -1 for a page that was gone. */
interface Merge {
  readonly parts: readonly number[];
  readonly pages: ReadonlyArray<readonly number[]>;
}

const oneToDrop = `select id from search_segments where state = 3 order by id limit 1`;
const oneFilling = `select id, merge, merged_to from search_segments where state = 0 order by id limit 1`;
const searched = `select g.id, g.version_id, g.chunks, g.pages, g.page_sizes, g.form,
    (select count(*) from search_pages s where s.segment_id = g.id) as live
  from search_segments g where g.version_id = $1 and g.state = 1 order by g.id`;
const crowded = `select version_id from search_segments where state = 1 group by version_id having count(*) >= $1 order by count(*) desc limit 8`;
const livePages = `select page from search_pages where segment_id = $1 order by page`;
const begin = `insert into search_segments (version_id, state, chunks, pages, page_sizes, form, merge, merged_to) values ($1, 0, $2, $3, $4, $5, $6, '')`;
const setState = batch({ id: 'int' }, `update search_segments set state = $1 where id in (select r.id from {rows} r)`, [
  'int',
]);
const nextTerms = `select term, postings from search_postings where segment_id = $1 and term > $2 order by term limit $3`;
const stillFilling = `select 1 as one from search_segments where id = $1 and state = 0 and merged_to = $2`;
const advance = `update search_segments set merged_to = $2 where id = $1`;
const movePages = batch(
  { old_segment: 'int', old_page: 'int', page: 'int' },
  `update search_pages set segment_id = $1, page = r.page from {rows} r where segment_id = r.old_segment and search_pages.page = r.old_page`,
  ['int'],
);
const dropEnd = `select term from search_postings where segment_id = $1 order by term limit 1 offset ${DROP_TERMS}`;
const dropTerms = `delete from search_postings where segment_id = $1 and term < $2`;
const dropAllTerms = `delete from search_postings where segment_id = $1`;
const dropSegment = `delete from search_segments where id = $1`;

/** Does one step of what is to be done; false when there is nothing. */
export async function tidySegments({ read, write, forUpdate }: WriteSteps): Promise<boolean> {
  const [gone] = await read.all<{ id: number }>(`${oneToDrop} ${forUpdate}`);
  if (gone !== undefined) return write((tx) => dropPiece(tx, gone.id));
  const [filling] = await read.all<FillingRow>(`${oneFilling} ${forUpdate}`);
  if (filling !== undefined) return fillPiece({ read, write, forUpdate }, filling);
  const full = await read.all<{ version_id: number }>(crowded, [2]);
  for (const { version_id: version } of full) if (await write((tx) => beginMerge(tx, version, forUpdate))) return true;
  return false;
}

async function dropPiece(tx: Executor, id: number): Promise<true> {
  const [end] = await tx.all<{ term: string }>(dropEnd, [id]);
  if (end !== undefined) await tx.all(dropTerms, [id, end.term]);
  else {
    await tx.all(dropAllTerms, [id]);
    await tx.all(dropSegment, [id]);
  }
  return true;
}

async function beginMerge(tx: Executor, version: number, forUpdate: string): Promise<boolean> {
  const rows = await tx.all<SegmentRow>(`${searched} ${forUpdate.replace('update', 'update of g')}`, [version]);
  const parts = partsToMerge(rows);
  const [part] = parts;
  if (part === undefined) return false;
  const sizes: number[] = [];
  const pages: number[][] = [];
  for (const { id, pages: count, page_sizes: packed } of parts) {
    const live = await tx.all<{ page: number }>(livePages, [id]);
    const numbers = Array.from({ length: count }, () => -1);
    const partSizes = unpackSizes(packed);
    for (const { page } of live) {
      numbers[page] = sizes.length;
      sizes.push(partSizes[page] ?? 0);
    }
    pages.push(numbers);
  }
  const merge: Merge = { parts: parts.map(({ id }) => id), pages };
  const chunks = sizes.reduce((total, size) => total + size, 0);
  await tx.all(begin, [version, chunks, sizes.length, packSizes(sizes), part.form, jsonText(merge as never)]);
  await tx.each(
    setState,
    parts.map(({ id }) => [id]),
    [2],
  );
  return true;
}

/** Of one form, so that a merged segment has one. */
function partsToMerge(rows: readonly SegmentRow[]): readonly SegmentRow[] {
  for (const alike of Map.groupBy(rows, ({ form }) => form).values()) {
    const parts = planMerge(alike);
    if (parts.length > 0) return parts;
  }
  return [];
}

async function fillPiece(
  { read, write }: WriteSteps,
  { id, merge: text, merged_to: from }: FillingRow,
): Promise<boolean> {
  const merge = JSON.parse(text) as Merge;
  const limit = Math.ceil(STEP_TERMS / merge.parts.length);
  const pieces: TermRow[][] = [];
  for (const part of merge.parts) pieces.push(await read.all<TermRow>(nextTerms, [part, from, limit]));
  const end = commonEnd(pieces, limit);
  const renumber = await renumbering(read, id, merge);
  const parts = pieces.map((rows, at) => ({ rows, renumber: renumber[at] ?? new Int32Array() }));
  const terms = mergeTerms(parts, end);
  return write(async (tx) => {
    // It may have been given up with its source since it was read.
    const [same] = await tx.all(stillFilling, [id, from]);
    if (same === undefined) return true;
    await writeTerms(tx, id, terms);
    if (end === null) await finishMerge(tx, id, merge);
    else await tx.all(advance, [id, end]);
    return true;
  });
}

/** Up to which term every part was read; null when all were read to their ends. */
function commonEnd(pieces: ReadonlyArray<readonly TermRow[]>, limit: number): string | null {
  const ends = pieces.filter((rows) => rows.length === limit).map((rows) => rows.at(-1)?.term ?? '');
  return ends.length === 0 ? null : ends.reduce((least, term) => (byCodePoints(term, least) < 0 ? term : least));
}

const sizesOf = `select page_sizes from search_segments where id = $1`;

/** For each part, the new number of each of its chunks, or -1. */
async function renumbering(read: Executor, id: number, { parts, pages }: Merge): Promise<Int32Array[]> {
  const sizes = async (segment: number): Promise<number[]> => {
    const [row] = await read.all<{ page_sizes: Uint8Array }>(sizesOf, [segment]);
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
    [3],
  );
  await tx.each(setState, [[id]], [1]);
}
