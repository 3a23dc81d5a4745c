// Counts the words of entries as they come, and forgets the texts.

import { fieldNames } from './fields.ts';
import { addCount, fieldCount, fieldTexts, type IndexEntry } from './lexical-index.ts';
import { createPostingPool, type PostingPool } from './posting-pool.ts';
import { eachToken } from './tokenize.ts';

export interface IndexDraft {
  /** Entries come in the order of `compareChunks`. */
  add(entry: IndexEntry): void;
  /** The numbers of terms in the pool, by the order in which they were first met. */
  readonly terms: ReadonlyMap<string, number>;
  readonly pool: PostingPool;
  /** Tokens of each entry in each field. */
  lengths(): Uint32Array;
}

export function createIndexDraft(): IndexDraft {
  const terms = new Map<string, number>();
  const pool = createPostingPool();
  /** Counts of each term in the entry at hand. */
  let current = new Uint32Array(1024);
  const touched: number[] = [];
  let lengths = new Uint32Array(1024 * fieldCount);
  let entries = 0;

  const numberOf = (token: string): number => {
    const known = terms.get(token);
    if (known !== undefined) return known;
    const added = terms.size;
    // A piece of a text keeps the whole text in memory; a copy of the piece does not.
    terms.set(` ${token}`.slice(1), added);
    if (added >= current.length) current = grown(current);
    return added;
  };

  function addText(text: string, field: number): number {
    let tokens = 0;
    eachToken(text, (token) => {
      const term = numberOf(token);
      const before = current[term] ?? 0;
      if (before === 0) touched.push(term);
      current[term] = addCount(before, field);
      tokens += 1;
    });
    return tokens;
  }

  return {
    terms,
    pool,
    lengths: () => lengths.slice(0, entries * fieldCount),
    add(entry) {
      if (entries * fieldCount >= lengths.length) lengths = grown(lengths);
      const texts = fieldTexts(entry);
      fieldNames.forEach((name, field) => {
        lengths[entries * fieldCount + field] = addText(texts[name], field);
      });
      for (const term of touched) {
        pool.add(term, entries, current[term] ?? 0);
        current[term] = 0;
      }
      touched.length = 0;
      entries += 1;
    },
  };
}

function grown(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
