// The numbers of pages in an engine outside of the database, and the document frequencies of their terms. Publishers of one
// generation take turns: the transaction is short, because the points were sent before it.

import type { PointRecords, Replacement } from '../../../core/lexical/points/point-records.ts';
import { hashBytes, hex } from '../engine/codec.ts';
import { batch, singleStatement, type Engine, type Executor, type Value } from '../engine/engine.ts';
import { POINT_STATE } from '../engine/states.ts';

type Publishing = Pick<PointRecords, 'reserve' | 'publish' | 'replaced' | 'release'>;

const reserveNumber = batch(
  { version_id: 'int', url_key: 'bytes', n_chunks: 'int', position: 'int' },
  `insert into point_pages (generation_id, version_id, url_key, n_chunks, position, state, changed_at)
   select $1, r.version_id, r.url_key, r.n_chunks, r.position, ${POINT_STATE.reserved}, now_ms() from {rows} r where true returning number, version_id, url_key`,
  ['int'],
);

/** Writing the row to itself takes its lock on either engine. */
const lockGeneration = `update point_generations set state = state where id = $1`;
const selectCurrent = singleStatement(
  batch(
    { version_id: 'int', url_key: 'bytes' },
    `select p.number, p.version_id, p.url_key from {rows} r {then point_pages p where p.generation_id = $1 and p.version_id = r.version_id and p.url_key = r.url_key and p.state = ${POINT_STATE.current}}`,
    ['int'],
  ),
);
const selectReserved = batch(
  { number: 'int' },
  `select number from point_pages where state = ${POINT_STATE.reserved} and number in (select r.number from {rows} r)`,
);
const setState = batch(
  { number: 'int' },
  `update point_pages set state = $1, changed_at = now_ms() where number in (select r.number from {rows} r)`,
  ['int'],
);
const selectChunks = batch(
  { number: 'int' },
  `select version_id, n_chunks from point_pages where number in (select r.number from {rows} r)`,
);
const addToVersion = batch(
  { version_id: 'int', pages: 'int', chunks: 'int' },
  `insert into point_versions (generation_id, version_id, pages, chunks) select $1, r.version_id, r.pages, r.chunks from {rows} r where true
   on conflict (generation_id, version_id) do update set pages = point_versions.pages + excluded.pages, chunks = point_versions.chunks + excluded.chunks`,
  ['int'],
);
const addTerms = batch(
  { version_id: 'int', term_id: 'int', term: 'text', chunks: 'int' },
  `insert into point_terms (generation_id, version_id, term_id, term, chunks) select $1, r.version_id, r.term_id, r.term, r.chunks from {rows} r where true
   on conflict (generation_id, version_id, term_id) do update set chunks = point_terms.chunks + excluded.chunks`,
  ['int'],
);
const subtractTerms = batch(
  { version_id: 'int', term_id: 'int', chunks: 'int' },
  `update point_terms set chunks = point_terms.chunks - r.chunks from {rows} r
   where generation_id = $1 and point_terms.version_id = r.version_id and point_terms.term_id = r.term_id`,
  ['int'],
);
const deleteUnused = batch(
  { version_id: 'int', term_id: 'int' },
  `delete from point_terms where generation_id = $1 and chunks <= 0 and (version_id, term_id) in (select r.version_id, r.term_id from {rows} r)`,
  ['int'],
);

const selectReplaced = `select number, n_chunks as chunks from point_pages
  where generation_id = $1 and state <> ${POINT_STATE.current} and changed_at <= now_ms() - case when state = ${POINT_STATE.reserved} then cast($3 as bigint) else cast($2 as bigint) end
  order by changed_at limit $4`;
const deleteNumbers = batch(
  { number: 'int' },
  `delete from point_pages where state <> ${POINT_STATE.current} and number in (select r.number from {rows} r)`,
);

export function createPublishing(engine: Engine): Publishing {
  return {
    async reserve(generation, pages) {
      const rows = pages.map(({ version, key, chunks, position }): Value[] => [
        version,
        hashBytes(key),
        chunks,
        position,
      ]);
      // Flushed before the points are sent: a power failure must not give out a number twice.
      const reserved = await engine.transaction((tx) =>
        tx.each<{ number: number; version_id: number; url_key: Uint8Array }>(reserveNumber, rows, [generation]),
      );
      const numbers = new Map(reserved.map((row) => [`${row.version_id} ${hex(row.url_key)}`, row.number]));
      return pages.map(({ version, key }) => numbers.get(`${version} ${key}`) ?? 0);
    },
    publish: (generation, pages) => engine.transaction((tx) => publish(tx, generation, pages)),
    replaced: (generation, { graceMs, abandonedMs }, limit) =>
      engine.reader.all(selectReplaced, [generation, graceMs, abandonedMs, limit]),
    release: (numbers) =>
      engine.transaction(
        async (tx) =>
          void (await tx.each(
            deleteNumbers,
            numbers.map((number) => [number]),
          )),
        'later',
      ),
  };
}

async function publish(tx: Executor, generation: number, pages: readonly Replacement[]): Promise<readonly boolean[]> {
  await tx.all(lockGeneration, [generation]);
  const keys = pages.map(({ page: { version, key } }): Value[] => [version, hashBytes(key)]);
  const rows = await tx.each<{ number: number; version_id: number; url_key: Uint8Array }>(selectCurrent, keys, [
    generation,
  ]);
  const current = new Map(rows.map((row) => [`${row.version_id} ${hex(row.url_key)}`, row.number]));
  const afters = pages.flatMap(({ after }) => (after === null ? [] : [[after]]));
  const reserved = new Set((await tx.each<{ number: number }>(selectReserved, afters)).map(({ number }) => number));
  const isPublished = pages.map(
    ({ page: { version, key }, before, after }) =>
      (current.get(`${version} ${key}`) ?? null) === before && (after === null || reserved.has(after)),
  );
  const published = pages.filter((_, at) => isPublished[at]);
  const befores = published.flatMap(({ before }) => (before === null ? [] : [before]));
  const unpublished = pages.flatMap(({ after }, at) =>
    isPublished[at] || after === null || !reserved.has(after) ? [] : [after],
  );
  const made = published.flatMap(({ after }) => (after === null ? [] : [after]));
  await countVersions(tx, generation, befores, made);
  await tx.each(setState, inOrder([...befores, ...unpublished]), [POINT_STATE.replaced]);
  await tx.each(setState, inOrder(made), [POINT_STATE.current]);
  await countTerms(tx, generation, published);
  return isPublished;
}

function inOrder(numbers: readonly number[]): number[][] {
  return numbers.toSorted((left, right) => left - right).map((number) => [number]);
}

/** The row of this version has the sums over all versions, for queries over many of them. */
export const ALL_VERSIONS = 0;

async function countVersions(
  tx: Executor,
  generation: number,
  removed: readonly number[],
  added: readonly number[],
): Promise<void> {
  const counts = new Map<number, [pages: number, chunks: number]>();
  for (const [numbers, sign] of [
    [removed, -1],
    [added, 1],
  ] as const) {
    const rows = await tx.each<{ version_id: number; n_chunks: number }>(
      selectChunks,
      numbers.map((number) => [number]),
    );
    for (const row of rows)
      for (const version of [row.version_id, ALL_VERSIONS]) {
        const [pages, chunks] = counts.get(version) ?? [0, 0];
        counts.set(version, [pages + sign, chunks + sign * row.n_chunks]);
      }
  }
  await tx.each(
    addToVersion,
    [...counts].map(([version, [pages, chunks]]) => [version, pages, chunks]),
    [generation],
  );
}

interface TermDelta {
  readonly version: number;
  readonly id: number;
  term: string;
  chunks: number;
}

async function countTerms(tx: Executor, generation: number, pages: readonly Replacement[]): Promise<void> {
  const deltas = new Map<string, TermDelta>();
  const add = (version: number, id: number, term: string, chunks: number): void => {
    const key = `${version} ${id}`;
    const known = deltas.get(key);
    if (known === undefined) deltas.set(key, { version, id, term, chunks });
    else {
      known.chunks += chunks;
      known.term ||= term;
    }
  };
  for (const { page, added, removed } of pages)
    for (const version of [page.version, ALL_VERSIONS]) {
      for (const { id, term, chunks } of added) add(version, id, term, chunks);
      for (const { id, chunks } of removed) add(version, id, '', -chunks);
    }
  const all = [...deltas.values()];
  const more = all.filter(({ chunks }) => chunks > 0);
  const fewer = all.filter(({ chunks }) => chunks < 0);
  await tx.each(
    addTerms,
    more.map(({ version, id, term, chunks }) => [version, id, term, chunks]),
    [generation],
  );
  await tx.each(
    subtractTerms,
    fewer.map(({ version, id, chunks }) => [version, id, -chunks]),
    [generation],
  );
  await tx.each(
    deleteUnused,
    fewer.map(({ version, id }) => [version, id]),
    [generation],
  );
}
