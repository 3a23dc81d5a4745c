// Spellings that were met before, with the numbers of their words: they are not taken apart again.

import { copyOf } from './detach-string.ts';
import { createNumberLists } from '../number-lists.ts';
import type { NameAt } from './scan-words.ts';
import { createSpellingTable } from '../spelling-table.ts';

export interface KnownSpellings {
  /** The number of a name's spelling, or -1. */
  find(name: NameAt): number;
  eachWord(spelling: number, visit: (word: number) => void): void;
  /** The name without its joiners. */
  whole(spelling: number): string;
  remember(name: NameAt, words: readonly number[], whole: string): void;
  clear(): void;
}

/** Some megabytes. */
const MOST_SPELLINGS = 60_000;
/** Twice as many slots as spellings: a look ends soon. */
const SLOT_BITS = 17;
/** Longer spellings rarely come again. */
const LONGEST_SPELLING = 32;

export function createKnownSpellings(): KnownSpellings {
  const table = createSpellingTable(SLOT_BITS);
  const lists = createNumberLists();
  const wholes: string[] = [];
  const clear = (): void => {
    table.clear();
    lists.clear();
    wholes.length = 0;
  };
  return {
    find: (name) => table.find(name),
    eachWord: (spelling, visit) => lists.each(spelling, visit),
    whole: (spelling) => wholes[spelling] ?? '',
    remember(name, words, whole) {
      if (name.end - name.start > LONGEST_SPELLING) return;
      if (wholes.length >= MOST_SPELLINGS) clear();
      if (table.add(name) === -1) return;
      lists.add(words);
      wholes.push(copyOf(whole));
    },
    clear,
  };
}
