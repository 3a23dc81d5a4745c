// Builds an inverted index that is searched in memory.

import { compareChunks } from '../../chunk/chunk-names.ts';
import { createIndexBuilder, termsInOrder, type IndexBuilder } from './index-builder.ts';
import type { IndexEntry, LexicalIndex } from './lexical-index.ts';

export function buildIndex(unordered: readonly IndexEntry[]): LexicalIndex {
  const entries = [...unordered].sort(compareChunks);
  const builder = createIndexBuilder();
  for (const entry of entries) builder.add(entry);
  return { entries, lengths: builder.lengths(), ...layOut(builder) };
}

/** Sorts the terms and lays out their postings contiguously. */
function layOut(builder: IndexBuilder): Pick<LexicalIndex, 'terms' | 'offsets' | 'postings' | 'counts'> {
  const { terms: words, pool } = builder;
  const numbers = termsInOrder(builder);
  const offsets = new Uint32Array(numbers.length + 1);
  numbers.forEach((term, at) => {
    offsets[at + 1] = (offsets[at] ?? 0) + pool.size(term);
  });
  const postings = new Uint32Array(offsets[numbers.length] ?? 0);
  const counts = new Uint32Array(postings.length);
  let at = 0;
  for (const term of numbers) {
    let entry = 0;
    pool.read(term, (step, packed) => {
      entry += step;
      postings[at] = entry;
      counts[at] = packed;
      at += 1;
    });
  }
  const terms = new Map(Array.from(numbers, (term, number) => [words[term] ?? '', number]));
  return { terms, offsets, postings, counts };
}
