// An in-memory inverted index over chunks: postings per term, with counts per field.

import type { Chunk } from '../../model/chunk.ts';
import { fieldNames } from '../segment/fields.ts';

export interface IndexEntry {
  /** The page's URL, or the file's path inside its folder. */
  readonly path: string;
  readonly title: string;
  readonly chunk: Chunk;
}

/**
 * Entries are in the order of `compareChunks`; the postings of term `t` are `offsets[t]` to `offsets[t + 1]`, with
 * ascending entry numbers. A search reads it and changes nothing.
 */
export interface LexicalIndex {
  readonly entries: readonly IndexEntry[];
  /** Sorted by code units; the value is the term id. */
  readonly terms: ReadonlyMap<string, number>;
  readonly offsets: Uint32Array;
  readonly postings: Uint32Array;
  /** Counts of a posting per field, packed by `packCounts`. */
  readonly counts: Uint32Array;
  /** Tokens of each entry in each field: `lengths[entry * fields + field]`. */
  readonly lengths: Uint32Array;
}

/** Body counts have 16 bits, the others 4: a title that repeats a word 15 times gains nothing from a 16th. */
const FIELD_BITS: readonly number[] = [16, 20, 24, 28, 0];
const FIELD_MAX: readonly number[] = [15, 15, 15, 15, 0xffff];

/** Packs the counts of a term per field. */
export function packCounts(counts: ArrayLike<number>): number {
  let packed = 0;
  for (let field = 0; field < fieldCount; field += 1) {
    const count = Math.min(counts[field] ?? 0, FIELD_MAX[field] ?? 0);
    packed += count * 2 ** (FIELD_BITS[field] ?? 0);
  }
  return packed;
}

export function countIn(packed: number, field: number): number {
  return (packed >>> (FIELD_BITS[field] ?? 0)) & (FIELD_MAX[field] ?? 0);
}

export const fieldCount = fieldNames.length;
