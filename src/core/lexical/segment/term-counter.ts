// Counts the words of one text after another. Words have numbers, spellings that were met before are not taken apart
// again, and counts are kept in arrays that are used again for each text: nearly nothing is made for a word.

import { copyOf } from '../tokenize/detach-string.ts';
import { fieldNames } from './fields.ts';
import { createKnownSpellings } from '../tokenize/term-id-cache.ts';
import { markedAfter, markedBefore } from '../marks.ts';
import { nameTokens } from '../tokenize/tokenize-word.ts';
import { eachName, type NameAt } from '../tokenize/scan-words.ts';
import { grownNumbers } from '../tokenize/grow-array.ts';

export interface WordCounter {
  /** The words by their numbers. */
  readonly words: readonly string[];
  /** Adds the words of a text to those of a field of the chunk at hand; returns how many they are. */
  add(text: string, field: number): number;
  /** Each word of the chunk at hand once, with its counts by field, which are only lent. The next text begins a new chunk. */
  take(visit: (word: number, counts: Uint32Array) => void): void;
  /** Forgets all words if they are more than `most`. Only where nobody holds numbers. */
  trim(most?: number): void;
}

const FIELDS = fieldNames.length;
/** Words that outlive a `trim`: some megabytes. */
const MOST_WORDS = 60_000;

export function createWordCounter(): WordCounter {
  const numbers = new Map<string, number>();
  const words: string[] = [];
  const spellings = createKnownSpellings();
  const tally = createTally();

  function numberOf(word: string): number {
    const known = numbers.get(word);
    if (known !== undefined) return known;
    const own = copyOf(word);
    numbers.set(own, words.length);
    return words.push(own) - 1;
  }

  return {
    words,
    add(text, field) {
      let count = 0;
      const add = (word: number): void => {
        tally.add(word, field);
        count += 1;
      };
      const addNew = (name: NameAt): string => {
        const { tokens, whole } = nameTokens(text.slice(name.start, name.end));
        const own = tokens.map(numberOf);
        for (const word of own) add(word);
        spellings.remember(name, own, whole);
        return whole;
      };
      eachName(text, (name) => {
        const known = spellings.find(name);
        if (known !== -1) spellings.eachWord(known, add);
        const whole = known === -1 ? addNew(name) : spellings.whole(known);
        const before = markedBefore(name, whole);
        if (before !== '') add(numberOf(before));
        const after = markedAfter(name, whole);
        if (after !== '') add(numberOf(after));
      });
      return count;
    },
    take: (visit) => tally.take(visit),
    trim(most = MOST_WORDS) {
      if (words.length <= most) return;
      numbers.clear();
      spellings.clear();
      words.length = 0;
    },
  };
}

interface Tally {
  add(word: number, field: number): void;
  take(visit: (word: number, counts: Uint32Array) => void): void;
}

/** Each word of the chunk at hand has a row of counts, one a field. */
function createTally(): Tally {
  let rowOfWord = new Uint32Array(4096);
  let counts = new Uint32Array(512 * FIELDS);
  const found: number[] = [];
  const own = new Uint32Array(FIELDS);

  function newRow(word: number): number {
    while (word >= rowOfWord.length) rowOfWord = grownNumbers(rowOfWord);
    // Counted from 1: a word without a row has 0.
    const row = found.push(word);
    rowOfWord[word] = row;
    if (row * FIELDS > counts.length) counts = grownNumbers(counts);
    return row;
  }

  return {
    add(word, field) {
      let row = rowOfWord[word] ?? 0;
      if (row === 0) row = newRow(word);
      const at = (row - 1) * FIELDS + field;
      counts[at] = (counts[at] ?? 0) + 1;
    },
    take(visit) {
      for (let row = 0; row < found.length; row += 1) {
        for (let field = 0; field < FIELDS; field += 1) own[field] = counts[row * FIELDS + field] ?? 0;
        const word = found[row] ?? 0;
        rowOfWord[word] = 0;
        visit(word, own);
      }
      counts.fill(0, 0, found.length * FIELDS);
      found.length = 0;
    },
  };
}
