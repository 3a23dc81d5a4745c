// The columns of segments that filters are applied to. They are made from the chunks once a segment is not about to be merged; the
// chunks of one without columns are read as rows.

import {
  encodeFilterColumns,
  type FilterablePage,
  type FilterField,
} from '../../../core/lexical/segment/filter-columns.ts';
import type { ChunkPosition, FilterColumnRow, PagePosition } from '../../../core/lexical/segment/segment-reader.ts';
import {
  chunkMatches,
  type ChunkConditions,
  type ColumnConditions,
} from '../../../core/lexical/query/search-filter.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import { yieldToEventLoop } from '../../../platform/clock.ts';
import { batch, singleStatement, type Executor } from '../engine/engine.ts';
import { SEGMENT_STATE } from '../engine/states.ts';
import { FILTER_COLUMNS, pageKindOf, rowMatches, type FilterColumns } from '../vectors/matching-chunks.ts';
import { unpackStarts } from './page-sizes.ts';
import type { WriteSteps } from './write-steps.ts';

const selectColumns = singleStatement(
  batch(
    { segment_id: 'int', field: 'text' },
    `select c.segment_id as segment, c.field, c.bytes from {rows} r {then search_columns c where c.segment_id = r.segment_id and c.field = r.field}`,
  ),
);

export function readFilterColumns(
  reader: Executor,
  segmentIds: readonly number[],
  fields: readonly FilterField[],
): Promise<readonly FilterColumnRow[]> {
  return reader.each<FilterColumnRow>(
    selectColumns,
    segmentIds.flatMap((id) => fields.map((field) => [id, field])),
  );
}

interface PositionRow extends FilterColumns {
  readonly segment_id: number;
  readonly page_index: number;
  readonly ordinal: number;
}

const POSITIONS = `select s.segment_id, s.page_index, chunks.ordinal, ${FILTER_COLUMNS}
   from search_pages s join pages on pages.version_id = s.version_id and pages.url_key = s.url_key
   join chunks on chunks.version_id = s.version_id and chunks.url_key = s.url_key`;
const selectPositions = batch({ segment_id: 'int' }, `${POSITIONS}, {rows} r where s.segment_id = r.segment_id`);
const selectOfPages = `${POSITIONS} where s.segment_id = $1 and s.page_index >= $2 and s.page_index < $3 order by s.page_index, chunks.ordinal`;

export async function positionsMatching(
  reader: Executor,
  segmentIds: readonly number[],
  filter: ColumnConditions,
): Promise<readonly ChunkPosition[]> {
  const rows = await reader.each<PositionRow>(
    selectPositions,
    segmentIds.map((id) => [id]),
  );
  const passing = rows.filter((row) => rowMatches(filter, row));
  return passing.map((row) => ({ segment: row.segment_id, pageIndex: row.page_index, ordinal: row.ordinal }));
}

/** Most chunks have no symbol. */
const selectOnPages = singleStatement(
  batch(
    { segment_id: 'int', page_index: 'int' },
    `select s.segment_id, s.page_index, chunks.ordinal, chunks.headings, chunks.symbol
     from {rows} r {then search_pages s where s.segment_id = r.segment_id and s.page_index = r.page_index}
     {then chunks where chunks.version_id = s.version_id and chunks.url_key = s.url_key and (cast($1 as integer) = 0 or chunks.symbol is not null)}`,
    ['int'],
  ),
);

export async function chunksMatching(
  reader: Executor,
  pages: readonly PagePosition[],
  filter: ChunkConditions,
): Promise<readonly ChunkPosition[]> {
  const rows = await reader.each<Pick<PositionRow, 'segment_id' | 'page_index' | 'ordinal' | 'headings' | 'symbol'>>(
    selectOnPages,
    pages.map(({ segment, pageIndex }) => [segment, pageIndex]),
    [filter.symbolPrefix === undefined ? 0 : 1],
  );
  const passing = rows.filter(({ headings, symbol }) =>
    chunkMatches(filter, { headings: JSON.parse(headings) as string[], symbol }),
  );
  return passing.map((row) => ({ segment: row.segment_id, pageIndex: row.page_index, ordinal: row.ordinal }));
}

const SEARCHED = `state = ${SEGMENT_STATE.searchable} and has_columns = 0`;
const selectWithout = `select id, chunks, page_sizes from search_segments where ${SEARCHED} order by id limit 1`;
const markMade = `update search_segments set has_columns = 1 where id = $1 and ${SEARCHED} returning id`;
const insertColumn = batch(
  { field: 'text', bytes: 'bytes' },
  `insert into search_columns (segment_id, field, bytes) select $1, r.field, r.bytes from {rows} r`,
  ['int'],
);
export const DROP_FILTER_COLUMNS = `delete from search_columns where segment_id = $1`;

/** Chunks that are read between two yields to the event loop: a few milliseconds on SQLite. */
const BATCH_CHUNKS = 500;

/** Makes the columns of one segment; false if every segment has them. */
export async function addFilterColumns({ read, write, forUpdate }: WriteSteps): Promise<boolean> {
  const [segment] = await read.all<{ id: number; chunks: number; page_sizes: Uint8Array }>(
    `${selectWithout} ${forUpdate}`,
  );
  if (segment === undefined) return false;
  const { id, chunks, page_sizes: sizes } = segment;
  const pageStarts = unpackStarts(sizes);
  const pages = await readPages(read, id, pageStarts);
  const columns = encodeFilterColumns({ chunks, pageStarts }, pages);
  await write(async (tx) => {
    // It may be merged or dropped by now.
    if ((await tx.all(markMade, [id])).length > 0) await tx.each(insertColumn, [...columns], [id]);
  });
  return true;
}

async function readPages(
  read: Executor,
  segment: number,
  pageStarts: Uint32Array,
): Promise<ReadonlyMap<number, FilterablePage>> {
  const pages = new Map<number, FilterablePage>();
  for (let from = 0; from + 1 < pageStarts.length;) {
    const start = pageStarts[from] ?? 0;
    const end = pageStarts.findIndex((first, at) => at > from && first >= start + BATCH_CHUNKS);
    const to = end === -1 ? pageStarts.length - 1 : end;
    const rows = await read.all<PositionRow>(selectOfPages, [segment, from, to]);
    for (const [index, ofPage] of Map.groupBy(rows, (row) => row.page_index)) pages.set(index, toPage(ofPage));
    from = to;
    await yieldToEventLoop();
  }
  return pages;
}

function toPage(rows: readonly PositionRow[]): FilterablePage {
  const [first] = rows;
  return {
    url: (first?.url ?? '') as PageUrl,
    pageKind: first === undefined ? null : pageKindOf(first),
    mediaType: first?.media_type ?? '',
    chunks: rows.map(({ passage_kind: passageKind }) => ({ passageKind })),
  };
}
