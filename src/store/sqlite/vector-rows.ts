// The vectors of one space in memory: one bit per dimension, with the columns that filters need. Rows are only added; the row of
// a removed chunk is marked dead when a search finds it.

import type { PassageKind } from '../../core/model/chunk.ts';
import { quantize, wordsPerVector, type BitRows } from '../../core/vector/bit-scan.ts';

export interface VectorRow {
  readonly pk: number;
  /** Sequence number of the vector. */
  readonly seq: number;
  readonly version_id: number;
  readonly passage_kind: PassageKind;
  readonly vector: Float32Array;
}

export interface VectorRows {
  add(row: VectorRow): void;
  bits(): BitRows;
  pkAt(row: number): number;
  seqAt(row: number): number;
  /** 1 for each live row of the versions and kinds. */
  admitted(versions: ReadonlySet<number>, kinds: ReadonlySet<PassageKind> | null): Mask;
  markDead(row: number): void;
  /** Rows that are not dead. */
  liveCount(): number;
}

export interface Mask {
  readonly rows: Uint8Array;
  readonly count: number;
}

const FIRST_ROWS = 1024;

export function createVectorRows(dimensions: number): VectorRows {
  const width = wordsPerVector(dimensions);
  const kinds: PassageKind[] = [];
  let columns = allocateColumns(FIRST_ROWS, width);
  let count = 0;
  let dead = 0;
  let highestVersion = 0;

  const kindNumber = (kind: PassageKind): number => {
    const at = kinds.indexOf(kind);
    return at === -1 ? kinds.push(kind) - 1 : at;
  };

  return {
    add({ pk, seq, version_id: version, passage_kind: kind, vector }) {
      if (count === columns.pks.length) columns = copyColumns(columns, allocateColumns(count * 2, width));
      columns.pks[count] = pk;
      columns.seqs[count] = seq;
      columns.versions[count] = version;
      highestVersion = Math.max(highestVersion, version);
      columns.kinds[count] = kindNumber(kind);
      quantize(vector, columns.words, count * width);
      count += 1;
    },
    bits: () => ({ words: columns.words, rows: count, dimensions }),
    pkAt: (row) => columns.pks[row] ?? 0,
    seqAt: (row) => columns.seqs[row] ?? 0,
    admitted(versions, admittedKinds) {
      const rows = new Uint8Array(count);
      // Looked up by number for each row: a Set would take longer than the scan that follows.
      const isVersion = Uint8Array.from({ length: highestVersion + 1 }, (_, version) => Number(versions.has(version)));
      const isKind = Uint8Array.from(kinds, (kind) => Number(admittedKinds?.has(kind) ?? true));
      let admitted = 0;
      for (let row = 0; row < count; row += 1) {
        if (columns.dead[row] === 1 || isVersion[columns.versions[row] ?? 0] !== 1) continue;
        if (isKind[columns.kinds[row] ?? 0] !== 1) continue;
        rows[row] = 1;
        admitted += 1;
      }
      return { rows, count: admitted };
    },
    markDead(row) {
      if (columns.dead[row] === 0) dead += 1;
      columns.dead[row] = 1;
    },
    liveCount: () => count - dead,
  };
}

interface Columns {
  readonly words: Uint32Array;
  /** Keys may pass 2^32. */
  readonly pks: Float64Array;
  readonly seqs: Float64Array;
  readonly versions: Uint32Array;
  readonly kinds: Uint8Array;
  readonly dead: Uint8Array;
}

function allocateColumns(rows: number, width: number): Columns {
  return {
    words: new Uint32Array(rows * width),
    pks: new Float64Array(rows),
    seqs: new Float64Array(rows),
    versions: new Uint32Array(rows),
    kinds: new Uint8Array(rows),
    dead: new Uint8Array(rows),
  };
}

function copyColumns(from: Columns, to: Columns): Columns {
  to.words.set(from.words);
  to.pks.set(from.pks);
  to.seqs.set(from.seqs);
  to.versions.set(from.versions);
  to.kinds.set(from.kinds);
  to.dead.set(from.dead);
  return to;
}
