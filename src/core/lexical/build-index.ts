// Makes an inverted index that is searched in memory.

import { compareChunks } from '../chunk/chunk-names.ts';
import { createIndexDraft, type IndexDraft } from './index-draft.ts';
import type { IndexEntry, LexicalIndex } from './lexical-index.ts';

export function buildIndex(unordered: readonly IndexEntry[]): LexicalIndex {
  const entries = [...unordered].sort(compareChunks);
  const draft = createIndexDraft();
  for (const entry of entries) draft.add(entry);
  return { entries, lengths: draft.lengths(), ...layOut(draft) };
}

/** Sorts terms and puts each one's postings side by side. */
function layOut({ terms: drafted, pool }: IndexDraft): Pick<LexicalIndex, 'terms' | 'offsets' | 'postings' | 'counts'> {
  const names = [...drafted.keys()].sort();
  const numbers = names.map((name) => drafted.get(name) ?? 0);
  const offsets = new Uint32Array(names.length + 1);
  numbers.forEach((term, at) => {
    offsets[at + 1] = (offsets[at] ?? 0) + pool.size(term);
  });
  const postings = new Uint32Array(offsets[names.length] ?? 0);
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
  return { terms: new Map(names.map((name, number) => [name, number])), offsets, postings, counts };
}
