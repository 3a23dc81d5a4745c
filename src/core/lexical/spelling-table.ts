// Numbers for spellings, found by their codes where they stand in a text: no string is made for a word that was met
// before.

import { grownNumbers } from './tokenize/grow-array.ts';
import type { NameAt } from './tokenize/scan-words.ts';

export interface SpellingTable {
  /** The number of a name's spelling, or -1 if it is not known. */
  find(name: NameAt): number;
  /** Gives a new spelling the next number, from 0; -1 where there is no room for it. */
  add(name: NameAt): number;
  clear(): void;
}

/** What is known of a spelling, side by side in one array. */
const FIELDS = 3;
const HASH = 0;
const START = 1;
const LENGTH = 2;
/** A look goes no further: spellings that are made to meet in one slot are not remembered. */
const MOST_STEPS = 16;

export function createSpellingTable(slotBits: number): SpellingTable {
  const slots = new Uint32Array(2 ** slotBits);
  let known = new Uint32Array(1024 * FIELDS);
  let letters = new Uint32Array(8192);
  let size = 0;
  let used = 0;

  /** The slot that holds the spelling, or a free one for it, or -1. */
  function slotOf(name: NameAt): number {
    const hash = name.hash >>> 0;
    const home = hash ^ (hash >>> 16);
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const slot = (home + step) & (slots.length - 1);
      const number = slots[slot] ?? 0;
      if (number === 0) return slot;
      const at = (number - 1) * FIELDS;
      if (known[at + HASH] === hash && isSame(at, name)) return slot;
    }
    return -1;
  }

  function isSame(at: number, { codes, start, end }: NameAt): boolean {
    if (known[at + LENGTH] !== end - start) return false;
    const from = (known[at + START] ?? 0) - start;
    for (let place = start; place < end; place += 1) if (letters[from + place] !== codes[place]) return false;
    return true;
  }

  return {
    find(name) {
      const slot = slotOf(name);
      return slot === -1 ? -1 : (slots[slot] ?? 0) - 1;
    },
    add(name) {
      const slot = slotOf(name);
      if (slot === -1) return -1;
      const { codes, start, end, hash } = name;
      while ((size + 1) * FIELDS > known.length) known = grownNumbers(known);
      while (used + end - start > letters.length) letters = grownNumbers(letters);
      known[size * FIELDS + HASH] = hash;
      known[size * FIELDS + START] = used;
      known[size * FIELDS + LENGTH] = end - start;
      for (let at = start; at < end; at += 1, used += 1) letters[used] = codes[at] ?? 0;
      size += 1;
      slots[slot] = size;
      return size - 1;
    },
    clear() {
      slots.fill(0);
      size = 0;
      used = 0;
    },
  };
}
