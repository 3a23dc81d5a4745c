// The chunks nearest to a vector, by pgvector. A small part of the library is compared row by row, which is exact; a large one
// goes through the index, which reads on (iterative scan) until enough rows pass the filter.
//
// The statements leave the planner no choice: where tables were just filled it has no statistics, and compared every row of
// a library of 100,000 chunks, which took 1.4 seconds instead of 10 ms. `offset 0` keeps a subquery as it is.

import type { NearestRequest } from '../port.ts';
import type { NearPk } from '../sql/engine/engine-parts.ts';
import { pksThatPass } from '../sql/vectors/matching-chunks.ts';
import type { ArrayExecutor, PostgresEngine } from './postgres-engine.ts';

/** What a row costs that the index passes over, where one that is compared costs 1: measured at 100,000 chunks. */
const PASSED_OVER = 2.5;
/** Rows that the index keeps in view, for each that is asked for: twice as many found 98.1 % of the ten nearest, four times 98.6, for 1 ms. */
const KEPT = 4;
const LEAST_KEPT = 200;
/** pgvector takes no more. */
const MOST_KEPT = 1000;
/** Chunks that are looked at to see how many are of a kind. */
const SAMPLE = 2000;
/** The index gave too few: up to here every row is compared after all, within half a second. */
const MOST_EXACT = 100_000;
/** Rows that the index may read on to. By itself it gives up at half of this. */
const MOST_SCANNED = 40_000;

/** Ids are the database's own numbers; nothing else is ever put into a statement's text. */
export function tableOf(space: number): string {
  return `space_vectors_${Math.trunc(space)}`;
}

export function vectorText(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}

const sizes = `select coalesce(sum(chunks) filter (where version_id = any($1::int[])), 0)::float8 as asked, coalesce(sum(chunks), 0)::float8 as total
  from search_segments where state in (1, 2)`;

const shareOfKinds = `select coalesce(avg((kind = any($2::text[]))::int), 0)::float8 as share
  from (select kind from chunks where version_id = any($1::int[]) limit ${SAMPLE}) as few`;

/** For a statement of some milliseconds, more processes or a compiled plan take longer than they save. */
const planned = `select set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
  set_config('hnsw.max_scan_tuples', '${MOST_SCANNED}', true), set_config('hnsw.scan_mem_multiplier', '4', true),
  set_config('enable_seqscan', 'off', true), set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true)`;

const ofVersions = `select pk, content_hash from chunks where version_id = any($2::int[]) and ($3::text[] is null or kind = any($3::text[])) offset 0`;

const ofPks = `select chunk.pk, chunk.content_hash from unnest($2::bigint[]) as asked (pk)
  cross join lateral (select pk, content_hash from chunks where chunks.pk = asked.pk offset 0) as chunk offset 0`;

function compared(table: string, chunks: string, limit: number): string {
  return `select chunk.pk, -(near.embedding <#> $1::vector) as similarity from (${chunks}) as chunk
    cross join lateral (select embedding from ${table} where content_hash = chunk.content_hash offset 0) as near
    order by near.embedding <#> $1::vector, chunk.pk limit ${limit}`;
}

function passing(hash: string): string {
  return `select chunk.pk from (select pk, version_id, kind from chunks where content_hash = ${hash} offset 0) as chunk
    where chunk.version_id = any($2::int[]) and ($3::text[] is null or chunk.kind = any($3::text[]))`;
}

/** By text first: a text stands on many pages, and each of its chunks must pass by itself. */
function byIndex(table: string, limit: number): string {
  return `with near as materialized (
      select v.content_hash, v.embedding <#> $1::vector as distance from ${table} v
      where (${passing('v.content_hash')} limit 1) is not null order by v.embedding <#> $1::vector limit ${limit})
    select passed.pk, -near.distance as similarity from near cross join lateral (${passing('near.content_hash')} offset 0) as passed
    order by near.distance, passed.pk limit ${limit}`;
}

export async function nearestRows(engine: PostgresEngine, request: NearestRequest): Promise<readonly NearPk[]> {
  const { space, versions, filter, vector } = request;
  const limit = Math.trunc(request.limit);
  const table = tableOf(space);
  const pks = await pksThatPass(engine.reader, versions, filter);
  return engine.transaction(async (tx) => {
    const ask = async <Row>(sql: string, values: readonly unknown[]): Promise<Row[]> =>
      (tx as ArrayExecutor).all<Row>(sql, values);
    const near = (sql: string, ...values: unknown[]): Promise<NearPk[]> => ask(sql, [vectorText(vector), ...values]);
    await ask(planned, [String(Math.min(MOST_KEPT, Math.max(LEAST_KEPT, limit * KEPT)))]);
    // They were all read to be judged, which took longer than comparing them will.
    if (pks !== null) return near(compared(table, ofPks, limit), [...pks]);

    const kinds = filter.kinds ?? null;
    const { asked, total } = await estimate(ask, versions, kinds);
    const everyRow = (): Promise<NearPk[]> => near(compared(table, ofVersions, limit), versions, kinds);
    if (isSmall(asked, total, limit)) return everyRow();
    const found = await near(byIndex(table, limit), versions, kinds);
    return found.length < limit && asked <= MOST_EXACT ? everyRow() : found;
  });
}

/** The index passes over some `limit * total / asked` rows until enough are found, or over fewer where what is near is there. */
function isSmall(asked: number, total: number, limit: number): boolean {
  return asked <= Math.sqrt(PASSED_OVER * limit * total);
}

type Ask = <Row>(sql: string, values: readonly unknown[]) => Promise<Row[]>;

async function estimate(
  ask: Ask,
  versions: readonly number[],
  kinds: readonly string[] | null,
): Promise<{ readonly asked: number; readonly total: number }> {
  const [size] = await ask<{ asked: number; total: number }>(sizes, [versions]);
  const { asked = 0, total = 0 } = size ?? {};
  if (kinds === null) return { asked, total };
  const [of] = await ask<{ share: number }>(shareOfKinds, [versions, kinds]);
  return { asked: asked * (of?.share ?? 0), total };
}
