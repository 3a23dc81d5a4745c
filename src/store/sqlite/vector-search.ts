// Near vectors in SQLite: a scan over bits in memory, then the exact similarity of what it found, read from the database.
//
// What is in memory follows the database, whoever writes it: vectors and chunks have numbers that only grow, so the new
// ones are asked for before each search.

import { scanBits } from '../../core/vector/bit-scan.ts';
import { similarity } from '../../core/vector/cosine-similarity.ts';
import type { ChunkKind } from '../../core/model/chunk.ts';
import type { NearestRequest } from '../port.ts';
import { vectorOf } from '../sql/engine/codec.ts';
import type { NearPk, VectorParts } from '../sql/engine/engine-parts.ts';
import { batch, together, type Executor } from '../sql/engine/engine.ts';
import { pksThatPass } from '../sql/vectors/matching-chunks.ts';
import { createVectorRows, type VectorRows } from './vector-rows.ts';

/** Rows scored again with the question's own numbers, and rows read exactly: recall stays above .98 (bench/vector/vectors.ts). */
const COARSE_ROWS = 3000;
const FINE_ROWS = 300;
/** Read in pieces, so that a search beside a large load does not wait for all of it. */
const PIECE = 4000;
/** A rebuild forgets dead rows; below this share they cost less than it. */
const MOST_DEAD = 0.25;

const last = `select coalesce((select max(seq) from vectors), 0) as seq, coalesce((select max(pk) from chunks), 0) as pk`;

const newVectors = `select chunks.pk, chunks.version_id, chunks.kind, vectors.vector, vectors.seq from vectors join chunks on chunks.content_hash = vectors.content_hash
  where vectors.seq > $2 and vectors.seq <= $3 and vectors.space_id = $1 and chunks.pk <= $4 order by vectors.seq limit $5`;

const newChunks = `select chunks.pk, chunks.version_id, chunks.kind, vectors.vector, vectors.seq from chunks join vectors on vectors.space_id = $1 and vectors.content_hash = chunks.content_hash
  where chunks.pk > $2 and chunks.pk <= $3 and vectors.seq <= $4`;

/** By its own number, which is one step: through the chunk and its text it would be three. */
const exact = together(
  batch({ seq: 'int' }, `select vectors.seq, vectors.vector from vectors, {rows} r where vectors.seq = r.seq`),
);
const living = together(batch({ pk: 'int' }, `select chunks.pk from chunks, {rows} r where chunks.pk = r.pk`));

interface Row {
  readonly pk: number;
  readonly version_id: number;
  readonly kind: ChunkKind;
  readonly vector: Uint8Array;
  readonly seq: number;
}

interface Held {
  rows: VectorRows;
  seq: number;
  pk: number;
  loading: Promise<void> | null;
}

export function createVectorSearch(reader: Executor): VectorParts {
  const spaces = new Map<number, Held>();

  async function heldOf(space: number, dimensions: number): Promise<Held> {
    let held = spaces.get(space);
    if (held === undefined || held.rows.living() < (1 - MOST_DEAD) * held.rows.bits().rows) {
      held = { rows: createVectorRows(dimensions), seq: 0, pk: 0, loading: null };
      spaces.set(space, held);
    }
    const current = held;
    current.loading ??= refresh(reader, space, current).finally(() => {
      current.loading = null;
    });
    await current.loading;
    return current;
  }

  return {
    require: async () => undefined,
    opened: async () => undefined,
    written: async () => undefined,
    async nearest(request) {
      const { rows } = await heldOf(request.space, request.vector.length);
      const { versions, filter, limit } = request;
      const pks = await pksThatPass(reader, versions, filter);
      const kinds = filter.kinds === undefined ? null : new Set(filter.kinds);
      const mask = rows.admitted(new Set(versions), kinds, pks);
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

interface NearRow extends NearPk {
  readonly row: number;
}

async function readExactly(
  reader: Executor,
  { vector }: NearestRequest,
  rows: VectorRows,
  found: Uint32Array,
): Promise<NearRow[]> {
  // In the order of the file, and a text that several chunks have once.
  const seqs = new Set(Float64Array.from(found, (row) => rows.seqAt(row)).sort());
  const read = await reader.each<Pick<Row, 'seq' | 'vector'>>(
    exact,
    Array.from(seqs, (seq) => [seq]),
  );
  const similarities = new Map(read.map((row) => [row.seq, similarity(vector, vectorOf(row.vector))]));
  const near: NearRow[] = [];
  for (const row of found) {
    const known = similarities.get(rows.seqAt(row));
    if (known === undefined) rows.bury(row);
    else near.push({ pk: rows.pkAt(row), row, similarity: known });
  }
  return near;
}

/** As many as are asked for, of chunks that are still there. */
async function firstLiving(
  reader: Executor,
  rows: VectorRows,
  near: readonly NearRow[],
  limit: number,
): Promise<NearPk[]> {
  const found: NearPk[] = [];
  for (let from = 0; from < near.length && found.length < limit;) {
    const some = near.slice(from, from + limit - found.length);
    from += some.length;
    const alive = await reader.each<{ pk: number }>(
      living,
      some.map(({ pk }) => [pk]),
    );
    const pks = new Set(alive.map(({ pk }) => pk));
    for (const one of some) {
      if (pks.has(one.pk)) found.push({ pk: one.pk, similarity: one.similarity });
      else rows.bury(one.row);
    }
  }
  return found;
}

/** New vectors of all chunks, then new chunks of vectors that were there: together they are every new pair, once. */
async function refresh(reader: Executor, space: number, held: Held): Promise<void> {
  const [now] = await reader.all<{ seq: number; pk: number }>(last);
  if (now === undefined || (now.seq === held.seq && now.pk === held.pk)) return;
  const before = { seq: held.seq, pk: held.pk };
  const add = (row: Row): void => held.rows.add({ ...row, vector: vectorOf(row.vector) });
  for (let from = before.seq; from < now.seq;) {
    const rows = await reader.all<Row>(newVectors, [space, from, now.seq, now.pk, PIECE]);
    const end = rows.length < PIECE ? now.seq : (rows.at(-1)?.seq ?? now.seq) - 1;
    // A text of many chunks may be cut in two by the piece: it is left for the next one, unless it fills a piece alone.
    const whole = end > from ? rows.filter((row) => row.seq <= end) : rows;
    whole.forEach(add);
    from = Math.max(end, from + 1);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  if (before.seq > 0) (await reader.all<Row>(newChunks, [space, before.pk, now.pk, before.seq])).forEach(add);
  held.seq = now.seq;
  held.pk = now.pk;
}
