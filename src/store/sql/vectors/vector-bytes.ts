// Vectors as bytes in the table `vectors`: where SQLite has them, and PostgreSQL without pgvector.

import { hashOf, vectorBytes, vectorOf } from '../engine/codec.ts';
import type { WrittenVector } from '../engine/engine-parts.ts';
import { batch, type Executor } from '../engine/engine.ts';
import type { Sha256 } from '../../../core/model/hash.ts';

const insertVectors = batch(
  { content_hash: 'bytes', vector: 'bytes' },
  `insert into vectors (space_id, content_hash, vector) select cast($1 as integer), r.content_hash, r.vector from {rows} r where true
   on conflict (space_id, content_hash) do update set vector = excluded.vector`,
  ['int'],
);

const selectVectors = batch(
  { content_hash: 'bytes' },
  `select vectors.content_hash, vector from vectors, {rows} r where vectors.content_hash = r.content_hash and space_id = $1`,
  ['int'],
);

export async function writeBytes(
  tx: Executor,
  space: number,
  rows: ReadonlyArray<readonly [contentHash: Uint8Array, bytes: Uint8Array]>,
): Promise<void> {
  await tx.each(insertVectors, rows, [space]);
}

export function writeVectorBytes(tx: Executor, space: number, vectors: readonly WrittenVector[]): Promise<void> {
  return writeBytes(
    tx,
    space,
    vectors.map(({ contentHash, vector }) => [contentHash, vectorBytes(vector)]),
  );
}

export async function readVectorBytes(
  reader: Executor,
  space: number,
  hashes: readonly Uint8Array[],
): Promise<Array<[Sha256, Float32Array]>> {
  const rows = await reader.each<{ content_hash: Uint8Array; vector: Uint8Array }>(
    selectVectors,
    hashes.map((hash) => [hash]),
    [space],
  );
  return rows.filter((row) => row.vector.length > 0).map((row) => [hashOf(row.content_hash), vectorOf(row.vector)]);
}
