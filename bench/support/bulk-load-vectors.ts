// Fills the table that pgvector searches in bulk: building the index over all rows takes a minute, where inserting rows one by one,
// as they come from a model, takes ten.

import type pg from 'pg';
import { tableOf, vectorText } from '../../src/store/postgres/vector-search.ts';
import { vectorOf } from '../../src/store/sql/engine/codec.ts';

const BATCH_SIZE = 1000;

/** The space's table exists and is empty; its vectors are in `vectors`. */
export async function bulkLoadVectors(client: pg.Client, space: number): Promise<void> {
  const table = tableOf(space);
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes where tablename = $1 and indexdef like '%hnsw%'`,
    [table],
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  for (let after = 0; ;) {
    const { rows } = await client.query<{ seq: number; content_hash: Uint8Array; vector: Uint8Array }>(
      `select seq::int, content_hash, vector from vectors where space_id = $1 and seq > $2 order by seq limit ${BATCH_SIZE}`,
      [space, after],
    );
    if (rows.length === 0) break;
    await client.query(
      `insert into ${table} (content_hash, embedding) select r.hash, r.embedding::vector from unnest($1::bytea[], $2::text[]) as r (hash, embedding)`,
      [rows.map((row) => row.content_hash), rows.map((row) => vectorText(vectorOf(row.vector)))],
    );
    after = rows.at(-1)?.seq ?? after;
  }
  await client.query(`set maintenance_work_mem = '1GB'`);
  for (const { definition } of indexes) await client.query(definition);
}
