// The numbers of pages in an external index. Publishers of one generation take turns: the transaction is short, because the points
// were sent before it.

import type { PointRecords, Replacement } from '../../../ports/point-records.ts';
import { hashBytes, hex } from '../engine/codec.ts';
import { batch, singleStatement, type Engine, type Executor, type Value } from '../engine/engine.ts';
import { FIRST_KEY } from '../engine/key-window.ts';
import { POINT_STATE } from '../engine/states.ts';

type Publishing = Pick<PointRecords, 'reserve' | 'publish' | 'replaced' | 'markDeletion' | 'release'>;

const reserveNumber = batch(
  { version_id: 'int', url_key: 'bytes', n_chunks: 'int', position: 'int' },
  `insert into point_pages (generation_id, version_id, url_key, n_chunks, position, state, changed_at)
   select $1, r.version_id, r.url_key, r.n_chunks, r.position, ${POINT_STATE.reserved}, now_ms() from {rows} r where true returning number, version_id, url_key`,
  ['int'],
);

/** Before the numbers are taken: reservations of a generation take turns, so that their numbers do not overlap. */
const lockNumbers = `update point_generations set last_number = last_number where id = $1 returning last_number`;
const raiseLastNumber = `update point_generations set last_number = $2 where id = $1`;

const insertMark = `insert into point_pages (generation_id, version_id, url_key, n_chunks, position, state, changed_at)
  values ($1, 0, $2, 0, 0, ${POINT_STATE.deletion}, now_ms()) returning number`;
const selectMarks = `select number from point_pages where generation_id = $1 and state <> ${POINT_STATE.current} and state = ${POINT_STATE.deletion} and number < $2`;

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
const selectReplaced = `select number, n_chunks as chunks from point_pages
  where generation_id = $1 and state <> ${POINT_STATE.current} and state <> ${POINT_STATE.deletion} and changed_at <= now_ms() - case when state = ${POINT_STATE.reserved} then cast($3 as bigint) else cast($2 as bigint) end
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
      const { reserved, after } = await engine.transaction((tx) => reserve(tx, generation, rows));
      const numbers = new Map(reserved.map((row) => [`${row.version_id} ${hex(row.url_key)}`, row.number]));
      return { numbers: pages.map(({ version, key }) => numbers.get(`${version} ${key}`) ?? 0), after };
    },
    markDeletion: (generation) =>
      engine.transaction(async (tx) => {
        await tx.all(lockNumbers, [generation]);
        const [mark] = await tx.all<{ number: number }>(insertMark, [generation, FIRST_KEY]);
        const number = mark?.number ?? 0;
        await tx.all(raiseLastNumber, [generation, number]);
        const previous = await tx.all<{ number: number }>(selectMarks, [generation, number]);
        return { number, previous: previous.map((row) => row.number) };
      }),
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

interface ReservedRow {
  readonly number: number;
  readonly version_id: number;
  readonly url_key: Uint8Array;
}

async function reserve(
  tx: Executor,
  generation: number,
  rows: ReadonlyArray<readonly Value[]>,
): Promise<{ readonly reserved: readonly ReservedRow[]; readonly after: number }> {
  const [last] = await tx.all<{ last_number: number }>(lockNumbers, [generation]);
  const after = last?.last_number ?? 0;
  const reserved = await tx.each<ReservedRow>(reserveNumber, rows, [generation]);
  await tx.all(raiseLastNumber, [
    generation,
    reserved.reduce((highest, { number }) => Math.max(highest, number), after),
  ]);
  return { reserved, after };
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
  await tx.each(setState, inOrder([...befores, ...unpublished]), [POINT_STATE.replaced]);
  await tx.each(setState, inOrder(made), [POINT_STATE.current]);
  return isPublished;
}

function inOrder(numbers: readonly number[]): number[][] {
  return numbers.toSorted((left, right) => left - right).map((number) => [number]);
}
