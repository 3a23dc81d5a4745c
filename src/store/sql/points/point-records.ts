// Reads what an external index needs: pages to index, and the pages of its numbers.

import { chunkPath } from '../../../core/chunk/chunk-names.ts';
import type {
  FoundNumber,
  NumberedPage,
  IndexedPageKey,
  PointRecords,
  IndexedPage,
} from '../../../ports/point-records.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import { hashBytes, hashOf, hex } from '../engine/codec.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, singleStatement, type Engine, type Executor, type Value } from '../engine/engine.ts';
import { POINT_STATE } from '../engine/states.ts';
import { FILTER_COLUMNS, pageKindOf, rowMatches, type FilterColumns } from '../vectors/matching-chunks.ts';
import { createPointGenerations, createPartLeases, createPointQueue } from './point-generations.ts';
import { createPublishing } from './publish-points.ts';
import { createVectorRecords, toPageKey, type KeyRow } from './queued-vectors.ts';
import { createTermSamples } from './term-samples.ts';

export function createPointRecords(engine: Engine, { vectors }: Pick<EngineParts, 'vectors'>): PointRecords {
  const { reader } = engine;
  return {
    ...createPointGenerations(engine),
    ...createPointQueue(engine),
    ...createPartLeases(engine),
    ...createPublishing(engine),
    ...createVectorRecords(engine, vectors),
    ...createTermSamples(engine),
    read: (pages) => readPages(reader, pages),
    async numbersOf(generation, pages) {
      const rows = await reader.each<NumberRow>(selectNumbers, pages.map(keyRow), [generation]);
      return rows.map(toNumberedPage);
    },
    async find(numbers) {
      const rows = await reader.each<FoundRow>(
        selectFound,
        numbers.map((number) => [number]),
      );
      return rows.map((row) => ({ ...toPageKey(row), ...foundColumns(row) }));
    },
    admitted: createAdmitted(reader),
    async list(generation, after, limit) {
      return (await reader.all<NumberRow>(selectList, [generation, after, limit])).map(toNumberedPage);
    },
    async existing(numbers) {
      const rows = await reader.each<{ number: number }>(
        selectKnown,
        numbers.map((number) => [number]),
      );
      return new Set(rows.map(({ number }) => number));
    },
    async compare(generation, limit) {
      const rows = await reader.all<{ row: string }>(selectDifferences, [generation, limit]);
      return rows.map(({ row }) => row);
    },
  };
}

function keyRow({ version, key }: IndexedPageKey): Value[] {
  return [version, hashBytes(key)];
}

const selectPages = singleStatement(
  batch(
    { version_id: 'int', url_key: 'bytes' },
    `select chunks.version_id, chunks.url_key, pages.title, chunks.ordinal, chunks.text, chunks.content_hash, ${FILTER_COLUMNS}
     from {rows} r {then pages where pages.version_id = r.version_id and pages.url_key = r.url_key}
     {then chunks where chunks.version_id = r.version_id and chunks.url_key = r.url_key}`,
  ),
);

interface ChunkRow extends KeyRow, FilterColumns {
  readonly title: string;
  readonly ordinal: number;
  readonly text: string;
  readonly content_hash: Uint8Array;
}

/** One statement: a page's old chunks or its new ones. */
async function readPages(
  reader: Executor,
  pages: readonly IndexedPageKey[],
): Promise<ReadonlyArray<IndexedPage & IndexedPageKey>> {
  const rows = await reader.each<ChunkRow>(selectPages, pages.map(keyRow));
  const byPage = Map.groupBy(rows, (row) => `${row.version_id} ${hex(row.url_key)}`);
  return pages.flatMap((page) => {
    const chunks = byPage.get(`${page.version} ${page.key}`)?.sort((left, right) => left.ordinal - right.ordinal);
    const [first] = chunks ?? [];
    if (chunks === undefined || first === undefined) return [];
    const { url, title, media_type: mediaType } = first;
    const path = chunkPath(url as PageUrl);
    return [{ ...page, path, title, pageKind: pageKindOf(first), mediaType, chunks: chunks.map(toChunk) }];
  });
}

function toChunk({ passage_kind, headings, symbol, text, content_hash }: ChunkRow): IndexedPage['chunks'][number] {
  const contentHash = hashOf(content_hash);
  return { passageKind: passage_kind, headings: JSON.parse(headings) as string[], symbol, text, contentHash };
}

const NUMBER_COLUMNS = `p.number, p.version_id, p.url_key, p.n_chunks, p.position`;
const selectNumbers = singleStatement(
  batch(
    { version_id: 'int', url_key: 'bytes' },
    `select ${NUMBER_COLUMNS} from {rows} r {then point_pages p where p.generation_id = $1 and p.version_id = r.version_id and p.url_key = r.url_key and p.state = ${POINT_STATE.current}}`,
    ['int'],
  ),
);
const selectList = `select ${NUMBER_COLUMNS} from point_pages p where p.generation_id = $1 and p.number > $2 and p.state = ${POINT_STATE.current} order by p.number limit $3`;
const selectKnown = batch(
  { number: 'int' },
  `select number from point_pages where number in (select r.number from {rows} r)`,
);

interface NumberRow extends KeyRow {
  readonly number: number;
  readonly n_chunks: number;
  readonly position: number;
}

function toNumberedPage(row: NumberRow): NumberedPage {
  return { ...toPageKey(row), number: row.number, chunks: row.n_chunks, position: row.position };
}

/** A reserved number is not found: its points may be incomplete. */
const selectFound = singleStatement(
  batch(
    { number: 'int' },
    `select p.number, p.version_id, p.url_key, p.n_chunks, p.state, pages.url from {rows} r {then point_pages p where p.number = r.number and p.state <> ${POINT_STATE.reserved}}
     {then pages where pages.version_id = p.version_id and pages.url_key = p.url_key}`,
  ),
);

interface FoundRow extends KeyRow {
  readonly number: number;
  readonly n_chunks: number;
  readonly state: number;
  readonly url: string;
}

function foundColumns({ number, n_chunks: chunks, state, url }: FoundRow): Omit<FoundNumber, keyof IndexedPageKey> {
  return { number, chunks, url: url as PageUrl, isCurrent: state === POINT_STATE.current };
}

const selectFiltered = singleStatement(
  batch(
    { number: 'int', version_id: 'int', url_key: 'bytes' },
    `select r.number, chunks.ordinal, ${FILTER_COLUMNS}
     from {rows} r {then pages where pages.version_id = r.version_id and pages.url_key = r.url_key}
     {then chunks where chunks.version_id = r.version_id and chunks.url_key = r.url_key}`,
  ),
);

interface OrdinalRow extends FilterColumns {
  readonly number: number;
  readonly ordinal: number;
}

function createAdmitted(reader: Executor): PointRecords['admitted'] {
  return async (pages, filter) => {
    const rows = await reader.each<OrdinalRow>(
      selectFiltered,
      pages.map(({ number, ...page }) => [number, ...keyRow(page)]),
    );
    const passing = rows.filter((row) => rowMatches(filter, row));
    const byPage = Map.groupBy(passing, ({ number }) => number);
    return new Map([...byPage].map(([number, chunks]) => [number, chunks.map(({ ordinal }) => ordinal)]));
  };
}

/** A queued version is about to be compared, and the outbox may hold more; the caller reads it first. */
const selectDifferences = `select 'page ' || hash_hex(p.url_key) || ' is not indexed' as row from pages p
    where p.n_chunks > 0 and not exists (select 1 from point_pages n where n.generation_id = $1 and n.version_id = p.version_id and n.url_key = p.url_key and n.state = ${POINT_STATE.current})
      and not exists (select 1 from point_queue q where q.generation_id = $1 and q.version_id = p.version_id)
  union all select 'number ' || cast(n.number as text) || ' has no page' from point_pages n
    where n.generation_id = $1 and n.state = ${POINT_STATE.current} and not exists (select 1 from pages p where p.version_id = n.version_id and p.url_key = n.url_key and p.n_chunks > 0)
  limit $2`;
