// Counts the words of entries as they come, and forgets the texts.

import { fieldNames } from '../segment/fields.ts';
import { fieldCount, fieldTexts, packCounts, type WordedEntry } from './lexical-index.ts';
import { createPostingPool, type PostingPool } from '../posting-pool.ts';
import { createWordCounter } from '../segment/term-counter.ts';
import { grownNumbers } from '../tokenize/grow-array.ts';

export interface IndexDraft {
  /** Entries come in the order of `compareChunks`. */
  add(entry: WordedEntry): void;
  /** Terms by their numbers in the pool, in the order in which they were first met. */
  readonly words: readonly string[];
  readonly pool: PostingPool;
  /** Tokens of each entry in each field. */
  lengths(): Uint32Array;
}

export function createIndexDraft(): IndexDraft {
  const counter = createWordCounter();
  const pool = createPostingPool();
  let lengths = new Uint32Array(1024 * fieldCount);
  let entries = 0;

  return {
    words: counter.words,
    pool,
    lengths: () => lengths.slice(0, entries * fieldCount),
    add(entry) {
      if (entries * fieldCount >= lengths.length) lengths = grownNumbers(lengths);
      const texts = fieldTexts(entry);
      for (const [field, name] of fieldNames.entries())
        lengths[entries * fieldCount + field] = counter.add(texts[name], field);
      counter.take((term, counts) => pool.add(term, entries, packCounts(counts)));
      entries += 1;
    },
  };
}

/** The numbers of a draft's terms, in the order of the terms' code units. */
export function termsInOrder({ words }: IndexDraft): Uint32Array {
  return Uint32Array.from(words.keys()).sort((left, right) => ((words[left] ?? '') < (words[right] ?? '') ? -1 : 1));
}
