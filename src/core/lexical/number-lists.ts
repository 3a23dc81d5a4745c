// Short lists of numbers, one after the other in one array: a hundred thousand of them are no objects for the engine to
// look through.

import { grownNumbers } from './tokenize/grow-array.ts';

export interface NumberLists {
  /** Adds a list; lists are numbered from 0. */
  add(list: readonly number[]): void;
  /** In the order of the list. */
  each(list: number, visit: (number: number) => void): void;
  clear(): void;
}

export function createNumberLists(): NumberLists {
  let numbers = new Uint32Array(8192);
  /** Where each list ends and the next begins; the first one begins at 0. */
  let bounds = new Uint32Array(4096);
  let lists = 0;
  let used = 0;
  return {
    add(list) {
      while (used + list.length > numbers.length) numbers = grownNumbers(numbers);
      if (lists + 2 > bounds.length) bounds = grownNumbers(bounds);
      numbers.set(list, used);
      used += list.length;
      lists += 1;
      bounds[lists] = used;
    },
    each(list, visit) {
      const end = bounds[list + 1] ?? 0;
      for (let at = bounds[list] ?? 0; at < end; at += 1) visit(numbers[at] ?? 0);
    },
    clear() {
      lists = 0;
      used = 0;
    },
  };
}
