// Vector search in SQLite: a scan of quantized vectors in memory, then the exact similarity of the candidates, read from the
// database.
//
// The memory follows the database, whichever process writes it: vectors and chunks have ascending numbers, so the new ones are
// read before each search.

import { scanBits } from '../../core/vector/bit-scan.ts';
import { cosineSimilarity } from '../../core/vector/cosine-similarity.ts';
import type { PassageKind } from '../../core/model/chunk.ts';
import { yieldToEventLoop } from '../../platform/clock.ts';
import type { NearestRequest } from '../port/vectors.ts';
import { vectorOf } from '../sql/engine/codec.ts';
import type { ScoredPk, VectorParts } from '../sql/engine/engine-parts.ts';
import { batch, singleStatement, type Executor } from '../sql/engine/engine.ts';
import { readVectorBytes, writeVectorBytes } from '../sql/vectors/vector-bytes.ts';
import { createVectorRows, type VectorRows } from './vector-rows.ts';

/** Candidates rescored with the full-precision query, and candidates read exactly: recall stays above .98 (bench/vector/vectors.ts). */
const COARSE_ROWS = 3000;
const FINE_ROWS = 300;
/** Read in batches, so that a search during a large load does not wait for all of it. */
const BATCH_SIZE = 4000;
/** A rebuild drops dead rows; below this share they cost less than a rebuild. */
const MAX_DEAD_SHARE = 0.25;

const selectLast = `select coalesce((select max(seq) from vectors), 0) as seq, coalesce((select max(pk) from chunks), 0) as pk`;

const selectNewVectors = `select chunks.pk, chunks.version_id, chunks.passage_kind, vectors.vector, vectors.seq from vectors join chunks on chunks.content_hash = vectors.content_hash
  where vectors.seq > $2 and vectors.seq <= $3 and vectors.space_id = $1 and chunks.pk <= $4 order by vectors.seq limit $5`;

const selectNewChunks = `select chunks.pk, chunks.version_id, chunks.passage_kind, vectors.vector, vectors.seq from chunks join vectors on vectors.space_id = $1 and vectors.content_hash = chunks.content_hash
  where chunks.pk > $2 and chunks.pk <= $3 and vectors.seq <= $4`;

/** By sequence number, which is one lookup: by chunk and text it would be three. */
const selectExact = singleStatement(
  batch({ seq: 'int' }, `select vectors.seq, vectors.vector from vectors, {rows} r where vectors.seq = r.seq`),
);
const selectLiving = singleStatement(
  batch({ pk: 'int' }, `select chunks.pk from chunks, {rows} r where chunks.pk = r.pk`),
);

interface Row {
  readonly pk: number;
  readonly version_id: number;
  readonly passage_kind: PassageKind;
  readonly vector: Uint8Array;
  readonly seq: number;
}

interface CachedSpace {
  rows: VectorRows;
  seq: number;
  pk: number;
  loading: Promise<void> | null;
}

export function createVectorSearch(reader: Executor): VectorParts {
  const spaces = new Map<number, CachedSpace>();

  async function loadSpace(space: number, dimensions: number): Promise<CachedSpace> {
    let cached = spaces.get(space);
    if (cached === undefined || cached.rows.liveCount() < (1 - MAX_DEAD_SHARE) * cached.rows.bits().rows) {
      cached = { rows: createVectorRows(dimensions), seq: 0, pk: 0, loading: null };
      spaces.set(space, cached);
    }
    const current = cached;
    current.loading ??= refresh(reader, space, current).finally(() => {
      current.loading = null;
    });
    await current.loading;
    return current;
  }

  return {
    requireSupport: async () => undefined,
    onSpaceOpened: async () => undefined,
    write: writeVectorBytes,
    read: (space, hashes) => readVectorBytes(reader, space, hashes),
    maintainIndex: async () => undefined,
    async nearest(request) {
      const { rows } = await loadSpace(request.space, request.vector.length);
      const { versions, filter, limit } = request;
      const kinds = filter.passageKinds === undefined ? null : new Set(filter.passageKinds);
      const mask = rows.admitted(new Set(versions), kinds);
      const fine = Math.max(FINE_ROWS, limit * 4);
      const found = scanBits(rows.bits(), request.vector, mask.rows, {
        coarse: Math.max(COARSE_ROWS, fine * 4),
        fine,
      });
      const read = await readExactly(reader, request, rows, found);
      read.sort((a, b) => b.similarity - a.similarity || a.pk - b.pk);
      return firstLiving(reader, rows, read, limit);
    },
  };
}

interface ScoredRow extends ScoredPk {
  readonly row: number;
}

async function readExactly(
  reader: Executor,
  { vector }: NearestRequest,
  rows: VectorRows,
  found: Uint32Array,
): Promise<ScoredRow[]> {
  // In the order of the file, and each text once even if several chunks have it.
  const seqs = new Set(Float64Array.from(found, (row) => rows.seqAt(row)).sort());
  const read = await reader.each<Pick<Row, 'seq' | 'vector'>>(
    selectExact,
    Array.from(seqs, (seq) => [seq]),
  );
  const similarities = new Map(read.map((row) => [row.seq, cosineSimilarity(vector, vectorOf(row.vector))]));
  const near: ScoredRow[] = [];
  for (const row of found) {
    const exactSimilarity = similarities.get(rows.seqAt(row));
    if (exactSimilarity === undefined) rows.markDead(row);
    else near.push({ pk: rows.pkAt(row), row, similarity: exactSimilarity });
  }
  return near;
}

/** Up to `limit` of the chunks that still exist. */
async function firstLiving(
  reader: Executor,
  rows: VectorRows,
  near: readonly ScoredRow[],
  limit: number,
): Promise<ScoredPk[]> {
  const found: ScoredPk[] = [];
  for (let from = 0; from < near.length && found.length < limit;) {
    const some = near.slice(from, from + limit - found.length);
    from += some.length;
    const alive = await reader.each<{ pk: number }>(
      selectLiving,
      some.map(({ pk }) => [pk]),
    );
    const pks = new Set(alive.map(({ pk }) => pk));
    for (const one of some) {
      if (pks.has(one.pk)) found.push({ pk: one.pk, similarity: one.similarity });
      else rows.markDead(one.row);
    }
  }
  return found;
}

/** New vectors of all chunks, then new chunks of existing vectors: together every new pair, once. */
async function refresh(reader: Executor, space: number, cached: CachedSpace): Promise<void> {
  const [now] = await reader.all<{ seq: number; pk: number }>(selectLast);
  if (now === undefined || (now.seq === cached.seq && now.pk === cached.pk)) return;
  const before = { seq: cached.seq, pk: cached.pk };
  const add = (row: Row): void => cached.rows.add({ ...row, vector: vectorOf(row.vector) });
  for (let from = before.seq; from < now.seq;) {
    const rows = await reader.all<Row>(selectNewVectors, [space, from, now.seq, now.pk, BATCH_SIZE]);
    const end = rows.length < BATCH_SIZE ? now.seq : (rows.at(-1)?.seq ?? now.seq) - 1;
    // A text of many chunks may be cut at the end of a batch: it is left for the next one, unless it fills a batch alone.
    const whole = end > from ? rows.filter((row) => row.seq <= end) : rows;
    whole.forEach(add);
    from = Math.max(end, from + 1);
    await yieldToEventLoop();
  }
  if (before.seq > 0) (await reader.all<Row>(selectNewChunks, [space, before.pk, now.pk, before.seq])).forEach(add);
  cached.seq = now.seq;
  cached.pk = now.pk;
}
