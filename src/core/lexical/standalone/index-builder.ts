// Builds the postings of a standalone index entry by entry, without retaining the texts.

import { createByteSlicePool } from '../segment/byte-slice-pool.ts';
import { fieldNames, fieldTexts, type IndexableEntry } from '../segment/fields.ts';
import { createTermCounter } from '../segment/term-counter.ts';
import { growArray } from '../tokenize/grow-array.ts';
import { fieldCount, packCounts } from './lexical-index.ts';

export interface IndexBuilder {
  /** Entries must be in the order of `compareChunks`. */
  add(entry: IndexableEntry): void;
  /** Terms by id, in the order of their first occurrence. */
  readonly terms: readonly string[];
  readonly pool: PostingPool;
  /** Tokens of each entry in each field. */
  lengths(): Uint32Array;
}

export function createIndexBuilder(): IndexBuilder {
  const counter = createTermCounter();
  const pool = createPostingPool();
  let lengths = new Uint32Array(1024 * fieldCount);
  let entries = 0;

  return {
    terms: counter.terms,
    pool,
    lengths: () => lengths.slice(0, entries * fieldCount),
    add(entry) {
      if (entries * fieldCount >= lengths.length) lengths = growArray(lengths);
      const texts = fieldTexts(entry);
      for (const [field, name] of fieldNames.entries())
        lengths[entries * fieldCount + field] = counter.add(texts[name], field);
      counter.drain((term, counts) => pool.add(term, entries, packCounts(counts)));
      entries += 1;
    },
  };
}

/** Term ids, sorted by the code units of the terms. */
export function termsInOrder({ terms }: IndexBuilder): Uint32Array {
  return Uint32Array.from(terms.keys()).sort((left, right) => ((terms[left] ?? '') < (terms[right] ?? '') ? -1 : 1));
}

/**
 * Postings of all terms in one byte pool. A posting is two varints: the gap to the previous entry and the packed counts.
 * Three bytes on average, where arrays of integers take twelve.
 */
export interface PostingPool {
  /** Entries of a term must be ascending. */
  add(term: number, entry: number, counts: number): void;
  /** Number of postings of a term. */
  size(term: number): number;
  /** In insertion order: the gap to the previous entry (the first from 0) and the packed counts. */
  read(term: number, visit: (step: number, counts: number) => void): void;
}

/** The record of a term in one flat array. */
const FIELDS = 2;
const LAST = 0;
const SIZE = 1;

function createPostingPool(): PostingPool {
  const slices = createByteSlicePool();
  let terms = new Uint32Array(1024 * FIELDS);

  return {
    add(number, entry, counts) {
      const term = number * FIELDS;
      while (term >= terms.length) terms = growArray(terms);
      slices.writeVarint(number, entry - (terms[term + LAST] ?? 0));
      slices.writeVarint(number, counts);
      terms[term + LAST] = entry;
      terms[term + SIZE] = (terms[term + SIZE] ?? 0) + 1;
    },
    size: (number) => terms[number * FIELDS + SIZE] ?? 0,
    read(number, visit) {
      const next = varintsOf(slices.reader(number));
      for (let left = terms[number * FIELDS + SIZE] ?? 0; left > 0; left -= 1) visit(next(), next());
    },
  };
}

function varintsOf(nextByte: () => number): () => number {
  return () => {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = nextByte();
      number += (byte & 127) * 2 ** shift;
      if (byte < 128) return number;
    }
  };
}
