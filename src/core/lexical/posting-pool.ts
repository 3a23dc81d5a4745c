// Postings of all terms in one array of bytes. A posting is two variable-length numbers: the step from the entry before,
// and the counts. Three bytes on average, where an array of numbers takes twelve.

import { createByteChains } from './segment/byte-slice-pool.ts';
import { grownNumbers } from './tokenize/grow-array.ts';

export interface PostingPool {
  /** Of one term, with ascending entries. */
  add(term: number, entry: number, counts: number): void;
  /** Postings of a term. */
  size(term: number): number;
  /** In the order in which they came: the step from the entry before (the first from 0), and the counts. */
  read(term: number, visit: (step: number, counts: number) => void): void;
}

/** What is known of a term, side by side in one array. */
const FIELDS = 2;
const LAST = 0;
const SIZE = 1;

export function createPostingPool(): PostingPool {
  const chains = createByteChains();
  let terms = new Uint32Array(1024 * FIELDS);

  return {
    add(number, entry, counts) {
      const term = number * FIELDS;
      while (term >= terms.length) terms = grownNumbers(terms);
      chains.writeNumber(number, entry - (terms[term + LAST] ?? 0));
      chains.writeNumber(number, counts);
      terms[term + LAST] = entry;
      terms[term + SIZE] = (terms[term + SIZE] ?? 0) + 1;
    },
    size: (number) => terms[number * FIELDS + SIZE] ?? 0,
    read(number, visit) {
      const next = numbersOf(chains.reader(number));
      for (let left = terms[number * FIELDS + SIZE] ?? 0; left > 0; left -= 1) visit(next(), next());
    },
  };
}

function numbersOf(nextByte: () => number): () => number {
  return () => {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = nextByte();
      number += (byte & 127) * 2 ** shift;
      if (byte < 128) return number;
    }
  };
}
