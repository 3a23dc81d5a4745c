// Vector search in PostgreSQL with pgvector. Each space has its own table, because an index needs a fixed number of dimensions.
//
// A small part of the library is compared row by row, which is exact; a large one goes through the HNSW index with an iterative
// scan, which continues until enough rows pass the filter. The statements leave the planner no choice: on tables that were just
// filled it has no statistics, and compared every row of a library of 100,000 chunks, which took 1.4 seconds instead of 10 ms.
// `offset 0` keeps a subquery as it is.

import { pinakesError } from '../../core/model/errors.ts';
import type { NearestRequest } from '../port/vectors.ts';
import type { ScoredPk, VectorParts } from '../sql/engine/engine-parts.ts';
import type { Executor } from '../sql/engine/engine.ts';
import { SEARCHED_STATES_SQL } from '../sql/engine/states.ts';
import type { ArrayExecutor, PostgresEngine } from './postgres-engine.ts';
import { indexedFormat, isIndexedSql, maintainIndex, tableOf, type IndexedFormat } from './vector-index.ts';
import { createVectorTables, vectorText } from './vector-tables.ts';

const NEEDED_VERSION = [0, 8] as const;

const extension = `select extversion as version from pg_extension where extname = 'vector'`;

export function createVectorSearch(engine: PostgresEngine): VectorParts {
  let isInstalled = false;
  const tables = createVectorTables(engine);

  /** Checked until it is found: an administrator may install it while the program runs. */
  async function hasPgvector(through: Executor): Promise<boolean> {
    if (isInstalled) return true;
    const [row] = await through.all<{ version: string }>(extension);
    isInstalled = row !== undefined && isNewEnough(row.version);
    return isInstalled;
  }

  const requirePgvector = async (): Promise<void> => {
    if (await hasPgvector(engine.reader)) return;
    // Needs administrator rights; without them the check below fails.
    await engine.reader.all(`create extension if not exists vector`).catch(() => undefined);
    if (!(await hasPgvector(engine.reader))) throw pinakesError('embed.unsupported', {});
  };

  return {
    requireSupport: requirePgvector,
    async onSpaceOpened(space) {
      await requirePgvector().catch(() => undefined);
      if (isInstalled) await tables.open(space);
    },
    write: (tx, space, vectors) => tables.write(tx, space, vectors),
    read: (space, hashes) => tables.read(space, hashes),
    async maintainIndex(space, progress) {
      if (await hasPgvector(engine.reader)) await maintainIndex(engine, space, progress);
    },
    async nearest(request) {
      await requirePgvector();
      return nearestRows(engine, request);
    },
  };
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > NEEDED_VERSION[0] || (major === NEEDED_VERSION[0] && minor >= NEEDED_VERSION[1]);
}

/** Cost of a row that the index skips, relative to a row that is compared: measured at 100,000 chunks. */
const SKIPPED_ROW_COST = 2.5;
/** ef_search per requested row: a factor of two found 98.1 % of the ten nearest, four found 98.6 %, for 1 ms more. */
const EF_SEARCH_PER_RESULT = 4;
const MIN_EF_SEARCH = 200;
/** The limit of pgvector. */
const MAX_EF_SEARCH = 1000;
/** Chunks sampled to estimate the share of a kind. */
const KIND_SAMPLE_ROWS = 2000;
/** If the index finds too few, up to this many rows are compared exactly, within half a second. */
const MAX_EXACT_ROWS = 100_000;
/** Rows that an iterative scan may visit; twice the default. */
const MAX_SCAN_TUPLES = 40_000;

const selectSizes = (
  space: number,
): string => `select ${isIndexedSql(space)} as is_indexed, coalesce(sum(chunks) filter (where version_id = any($1::int[])), 0)::float8 as candidates, coalesce(sum(chunks), 0)::float8 as total
  from search_segments where state in ${SEARCHED_STATES_SQL}`;

const selectKindShare = `select coalesce(avg((passage_kind = any($2::text[]))::int), 0)::float8 as share
  from (select passage_kind from chunks where version_id = any($1::int[]) limit ${KIND_SAMPLE_ROWS}) as few`;

/** For a statement of a few milliseconds, parallel workers and JIT compilation cost more than they save. */
const setPlanner = `select set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
  set_config('hnsw.max_scan_tuples', '${MAX_SCAN_TUPLES}', true), set_config('hnsw.scan_mem_multiplier', '4', true),
  set_config('enable_seqscan', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`;

const ofVersions = `select pk, content_hash from chunks where version_id = any($2::int[]) and ($3::text[] is null or passage_kind = any($3::text[])) offset 0`;

function compared(table: string, chunks: string, limit: number): string {
  return `select chunk.pk, -(near.embedding <#> $1::vector) as similarity from (${chunks}) as chunk
    cross join lateral (select embedding from ${table} where content_hash = chunk.content_hash offset 0) as near
    order by near.embedding <#> $1::vector, chunk.pk limit ${limit}`;
}

function passing(hash: string): string {
  return `select chunk.pk from (select pk, version_id, passage_kind from chunks where content_hash = ${hash} offset 0) as chunk
    where chunk.version_id = any($2::int[]) and ($3::text[] is null or chunk.passage_kind = any($3::text[]))`;
}

/** By text first: a text may be on many pages, and each of its chunks must pass the filter by itself. */
function byIndex(table: string, { expression, type }: IndexedFormat, limit: number): string {
  return `with near as materialized (
      select v.content_hash, v.embedding <#> $1::vector as distance from ${table} v
      where (${passing('v.content_hash')} limit 1) is not null order by ${expression} <#> $1::${type} limit ${limit})
    select passed.pk, -near.distance as similarity from near cross join lateral (${passing('near.content_hash')} offset 0) as passed
    order by near.distance, passed.pk limit ${limit}`;
}

async function nearestRows(engine: PostgresEngine, request: NearestRequest): Promise<readonly ScoredPk[]> {
  const { space, versions, filter, vector } = request;
  const limit = Math.trunc(request.limit);
  const table = tableOf(space);
  return engine.transaction(async (tx) => {
    const query = async <Row>(sql: string, values: readonly unknown[]): Promise<Row[]> =>
      (tx as ArrayExecutor).all<Row>(sql, values);
    const near = (sql: string, ...values: unknown[]): Promise<ScoredPk[]> =>
      query(sql, [vectorText(vector), ...values]);
    await query(setPlanner, [String(Math.min(MAX_EF_SEARCH, Math.max(MIN_EF_SEARCH, limit * EF_SEARCH_PER_RESULT)))]);
    const kinds = filter.passageKinds ?? null;
    const { candidates, total, isIndexed } = await estimate(query, space, versions, kinds);
    const everyRow = (): Promise<ScoredPk[]> => near(compared(table, ofVersions, limit), versions, kinds);
    const indexed = indexedFormat(vector.length);
    if (indexed === null || isSmall(candidates, total, limit)) return everyRow();
    if (!isIndexed) return candidates <= MAX_EXACT_ROWS ? everyRow() : [];
    const found = await near(byIndex(table, indexed, limit), versions, kinds);
    return found.length < limit && candidates <= MAX_EXACT_ROWS ? everyRow() : found;
  });
}

/** The index skips about `limit * total / candidates` rows until enough are found, or fewer if the nearest rows pass the filter. */
function isSmall(candidates: number, total: number, limit: number): boolean {
  return candidates <= Math.sqrt(SKIPPED_ROW_COST * limit * total);
}

type Query = <Row>(sql: string, values: readonly unknown[]) => Promise<Row[]>;

interface Estimate {
  readonly candidates: number;
  readonly total: number;
  readonly isIndexed: boolean;
}

async function estimate(
  query: Query,
  space: number,
  versions: readonly number[],
  kinds: readonly string[] | null,
): Promise<Estimate> {
  const [size] = await query<{ candidates: number; total: number; is_indexed: boolean }>(selectSizes(space), [
    versions,
  ]);
  const { candidates = 0, total = 0, is_indexed: isIndexed = false } = size ?? {};
  if (kinds === null) return { candidates, total, isIndexed };
  const [of] = await query<{ share: number }>(selectKindShare, [versions, kinds]);
  return { candidates: candidates * (of?.share ?? 0), total, isIndexed };
}
