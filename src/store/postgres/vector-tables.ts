// The table of each space in PostgreSQL, with pgvector's type and a fixed number of dimensions. It has the only copy of a vector:
// the row in `vectors`, with which it is deleted, has no bytes.

import type { Sha256 } from '../../core/model/hash.ts';
import type { StoredSpace } from '../port/vectors.ts';
import { hashOf, vectorOf } from '../sql/engine/codec.ts';
import type { VectorParts, WrittenVector } from '../sql/engine/engine-parts.ts';
import { batch, type Batch, type Executor } from '../sql/engine/engine.ts';
import { readVectorBytes, writeBytes, writeVectorBytes } from '../sql/vectors/vector-bytes.ts';
import type { ArrayExecutor, PostgresEngine } from './postgres-engine.ts';
import { createIndexSql, tableOf } from './vector-index.ts';

const MOVED_ROWS = 500;
/** In `vectors`, of a vector that the table of its space has. */
const NO_BYTES = new Uint8Array();

export function vectorText(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}

export interface VectorTables {
  /** Creates the table of a space if there is none, and moves into it what is stored elsewhere. */
  open(space: StoredSpace): Promise<void>;
  readonly write: VectorParts['write'];
  readonly read: VectorParts['read'];
}

export function createVectorTables(engine: PostgresEngine): VectorTables {
  const tables = new Set<number>();

  async function hasTable(tx: Executor, space: number): Promise<boolean> {
    if (!tables.has(space) && (await isTable(tx, space))) tables.add(space);
    return tables.has(space);
  }

  return {
    async open(space) {
      await createTable(engine, space);
      await moveVectors(engine, space.id);
    },
    async write(tx, space, vectors) {
      if (vectors.length === 0) return;
      const rows = vectors.map(({ contentHash }) => [contentHash, NO_BYTES] as const);
      if (await hasTable(tx, space)) await writeBytes(tx, space, rows);
      else {
        await writeVectorBytes(tx, space, vectors);
        // Creating the table waits for writers of vectors: now it exists, or it will be created after they are committed.
        if (!(await hasTable(tx, space))) return;
      }
      await insertRows(tx, space, vectors);
    },
    async read(space, hashes) {
      const rows = (await hasTable(engine.reader, space)) ? await readRows(engine.reader, space, hashes) : [];
      const found = new Set<string>(rows.map(([hash]) => hash));
      const others = hashes.filter((hash) => !found.has(hashOf(hash)));
      return [...rows, ...(await readVectorBytes(engine.reader, space, others))];
    },
  };
}

async function isTable(tx: Executor, space: number): Promise<boolean> {
  const [found] = await tx.all<{ name: string | null }>(`select to_regclass('${tableOf(space)}')::text as name`);
  return found?.name != null;
}

async function createTable(engine: PostgresEngine, { id, dimensions }: StoredSpace): Promise<void> {
  if (await isTable(engine.reader, id)) return;
  await engine.transaction(async (tx) => {
    await tx.all(`select pg_advisory_xact_lock(7069699, ${Math.trunc(id)})`);
    if (await isTable(tx, id)) return;
    await tx.all(`create table ${tableOf(id)} (
      space_id integer not null default ${Math.trunc(id)},
      content_hash bytea primary key,
      embedding vector(${Math.trunc(dimensions)}) not null,
      foreign key (space_id, content_hash) references vectors (space_id, content_hash) on delete cascade)`);
    // Through a pooler alone it cannot be built later, so it is filled with the rows.
    const createIndex = engine.driver.connectDirect === null ? createIndexSql(id, dimensions, 'at once') : null;
    if (createIndex !== null) await tx.all(createIndex);
  });
}

const selectBytes = `select seq, content_hash, vector from vectors where space_id = $1 and seq > $2 and length(vector) > 0 order by seq limit ${MOVED_ROWS} for update skip locked`;
const clearBytes = batch({ seq: 'int' }, `update vectors set vector = '' from {rows} r where vectors.seq = r.seq`);

interface BytesRow {
  readonly seq: number;
  readonly content_hash: Uint8Array;
  readonly vector: Uint8Array;
}

/** Moves the vectors from a time without pgvector, in steps. */
async function moveVectors(engine: PostgresEngine, space: number): Promise<void> {
  for (let after: number | null = 0; after !== null;) {
    const position: number = after;
    after = await engine.transaction(async (tx) => {
      const rows = await tx.all<BytesRow>(selectBytes, [space, position]);
      await insertRows(
        tx,
        space,
        rows.map((row) => ({ contentHash: row.content_hash, vector: vectorOf(row.vector) })),
      );
      await tx.each(
        clearBytes,
        rows.map((row) => [row.seq]),
      );
      return rows.at(-1)?.seq ?? null;
    });
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

/** pgvector's binary form: the number of dimensions and a reserved number of 2 bytes each, then floats with the highest byte first. */
async function readRows(
  reader: Executor,
  space: number,
  hashes: readonly Uint8Array[],
): Promise<Array<readonly [Sha256, Float32Array]>> {
  const rows = await (reader as ArrayExecutor).all<{ content_hash: Uint8Array; sent: Uint8Array }>(
    `select content_hash, vector_send(embedding) as sent from ${tableOf(space)} where content_hash = any($1::bytea[])`,
    [hashes],
  );
  return rows.map(({ content_hash, sent }) => {
    const view = new DataView(sent.buffer, sent.byteOffset, sent.byteLength);
    const vector = Float32Array.from({ length: view.getUint16(0) }, (_, i) => view.getFloat32(4 + 4 * i));
    return [hashOf(content_hash), vector];
  });
}
