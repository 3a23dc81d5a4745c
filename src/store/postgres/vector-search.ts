// Near vectors in PostgreSQL, by pgvector. Each space has a table of its own, since an index needs a fixed number of
// dimensions. Rows go with the vectors they were made from.

import { pinakesError } from '../../core/model/errors.ts';
import type { Space } from '../port.ts';
import { vectorOf } from '../sql/engine/codec.ts';
import type { VectorParts, WrittenVector } from '../sql/engine/engine-parts.ts';
import { batch, type Batch, type Executor } from '../sql/engine/engine.ts';
import { nearestRows, tableOf, vectorText } from './nearest-rows.ts';
import type { PostgresEngine } from './postgres-engine.ts';

const FILL_ROWS = 500;
const NEEDED_VERSION = [0, 8] as const;

const extension = `select extversion as version from pg_extension where extname = 'vector'`;

export function createVectorSearch(engine: PostgresEngine): VectorParts {
  let isThere = false;
  const tables = new Set<number>();

  /** Looked for until it is found: an administrator may add it while the program runs. */
  async function hasPgvector(through: Executor): Promise<boolean> {
    if (isThere) return true;
    const [row] = await through.all<{ version: string }>(extension);
    isThere = row !== undefined && isNewEnough(row.version);
    return isThere;
  }

  const requirePgvector = async (): Promise<void> => {
    if (await hasPgvector(engine.reader)) return;
    // Only an administrator may; whoever may not finds it missing below.
    await engine.reader.all(`create extension if not exists vector`).catch(() => undefined);
    if (!(await hasPgvector(engine.reader))) throw pinakesError('embed.unsupported', {});
  };

  /** Asked after the vectors are written: making the table waits for whoever writes vectors, so it is there or not yet filled. */
  async function hasTable(tx: Executor, space: number): Promise<boolean> {
    if (!tables.has(space) && (await isTable(tx, space))) tables.add(space);
    return tables.has(space);
  }

  return {
    require: requirePgvector,
    async opened(space) {
      await requirePgvector().catch(() => undefined);
      if (isThere) await openTable(engine, space);
    },
    async written(tx, space, vectors) {
      if (vectors.length > 0 && (await hasTable(tx, space))) await insertRows(tx, space, vectors);
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

async function isTable(tx: Executor, space: number): Promise<boolean> {
  const [found] = await tx.all<{ name: string | null }>(`select to_regclass('${tableOf(space)}')::text as name`);
  return found?.name != null;
}

async function openTable(engine: PostgresEngine, { id, dimensions }: Space): Promise<void> {
  const table = tableOf(id);
  await engine.transaction(async (tx) => {
    await tx.all(`select pg_advisory_xact_lock(7069699, ${Math.trunc(id)})`);
    if (await isTable(tx, id)) return;
    await tx.all(`create table ${table} (
      space_id integer not null default ${Math.trunc(id)},
      content_hash bytea primary key,
      embedding vector(${Math.trunc(dimensions)}) not null,
      foreign key (space_id, content_hash) references vectors (space_id, content_hash) on delete cascade)`);
    // Before the rows: built over many of them at once, it would take longer than one statement may.
    await tx.all(`create index on ${table} using hnsw (embedding vector_ip_ops)`);
    await fillTable(tx, id);
  });
}

/** Vectors that were kept before pgvector was there. */
async function fillTable(tx: Executor, space: number): Promise<void> {
  let after = 0;
  for (;;) {
    const rows = await tx.all<{ seq: number; content_hash: Uint8Array; vector: Uint8Array }>(
      `select seq, content_hash, vector from vectors where space_id = $1 and seq > $2 order by seq limit ${FILL_ROWS}`,
      [space, after],
    );
    if (rows.length === 0) return;
    await insertRows(
      tx,
      space,
      rows.map((row) => ({ contentHash: row.content_hash, vector: vectorOf(row.vector) })),
    );
    after = rows.at(-1)?.seq ?? after;
  }
}

const inserts = new Map<number, Batch>();

async function insertRows(tx: Executor, space: number, vectors: readonly WrittenVector[]): Promise<void> {
  const insert =
    inserts.get(space) ??
    batch(
      { content_hash: 'bytes', embedding: 'text' },
      `insert into ${tableOf(space)} (content_hash, embedding) select r.content_hash, r.embedding::vector from {rows} r where true
       on conflict (content_hash) do update set embedding = excluded.embedding`,
    );
  inserts.set(space, insert);
  await tx.each(
    insert,
    vectors.map(({ contentHash, vector }) => [contentHash, vectorText(vector)]),
  );
}
