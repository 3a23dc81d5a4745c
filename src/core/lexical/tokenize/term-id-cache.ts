// Interns surface forms on the index side: the term ids of a word that was seen before are read from flat arrays, without
// tokenizing it again and without allocating a string.

import { detachString } from './detach-string.ts';
import { growArray } from './grow-array.ts';
import type { WordSpan } from './scan-words.ts';

export interface TermIdCache {
  /** The entry of a surface form, or -1. */
  find(span: WordSpan): number;
  eachTerm(entry: number, visit: (termId: number) => void): void;
  /** The word without its joiners. */
  whole(entry: number): string;
  add(span: WordSpan, termIds: readonly number[], whole: string): void;
  clear(): void;
}

/** A few megabytes. */
const MAX_CACHE_ENTRIES = 60_000;
/** Twice as many slots as entries keep probe sequences short. */
const SLOT_BITS = 17;
/** Longer surface forms rarely recur. */
const MAX_SURFACE_CHARS = 32;

export function createTermIdCache(): TermIdCache {
  const table = createSurfaceFormTable(SLOT_BITS);
  const lists = createUint32Lists();
  const wholes: string[] = [];
  const clear = (): void => {
    table.clear();
    lists.clear();
    wholes.length = 0;
  };
  return {
    find: (span) => table.find(span),
    eachTerm: (entry, visit) => lists.each(entry, visit),
    whole: (entry) => wholes[entry] ?? '',
    add(span, termIds, whole) {
      if (span.end - span.start > MAX_SURFACE_CHARS) return;
      if (wholes.length >= MAX_CACHE_ENTRIES) clear();
      if (table.add(span) === -1) return;
      lists.add(termIds);
      wholes.push(detachString(whole));
    },
    clear,
  };
}

/** An open-addressing hash table from surface forms to ids. */
export interface SurfaceFormTable {
  /** The id of a surface form, or -1. */
  find(span: WordSpan): number;
  /** Gives a new surface form the next id, from 0; -1 if all its slots are taken. */
  add(span: WordSpan): number;
  clear(): void;
}

/** The record of a surface form in one flat array. */
const FIELDS = 3;
const HASH = 0;
const START = 1;
const LENGTH = 2;
/** Bounds a lookup: surface forms crafted to collide are simply not cached. */
const MAX_PROBES = 16;

export function createSurfaceFormTable(slotBits: number): SurfaceFormTable {
  const slots = new Uint32Array(2 ** slotBits);
  let records = new Uint32Array(1024 * FIELDS);
  let codeUnits = new Uint32Array(8192);
  let size = 0;
  let used = 0;

  /** The slot that holds the surface form, or a free one for it, or -1. */
  function findSlot(span: WordSpan): number {
    const hash = span.hash >>> 0;
    const home = hash ^ (hash >>> 16);
    for (let step = 0; step < MAX_PROBES; step += 1) {
      const slot = (home + step) & (slots.length - 1);
      const id = slots[slot] ?? 0;
      if (id === 0) return slot;
      const at = (id - 1) * FIELDS;
      if (records[at + HASH] === hash && isSame(at, span)) return slot;
    }
    return -1;
  }

  function isSame(at: number, { codes, start, end }: WordSpan): boolean {
    if (records[at + LENGTH] !== end - start) return false;
    const from = (records[at + START] ?? 0) - start;
    for (let position = start; position < end; position += 1)
      if (codeUnits[from + position] !== codes[position]) return false;
    return true;
  }

  return {
    find(span) {
      const slot = findSlot(span);
      return slot === -1 ? -1 : (slots[slot] ?? 0) - 1;
    },
    add(span) {
      const slot = findSlot(span);
      if (slot === -1) return -1;
      const { codes, start, end, hash } = span;
      while ((size + 1) * FIELDS > records.length) records = growArray(records);
      while (used + end - start > codeUnits.length) codeUnits = growArray(codeUnits);
      records[size * FIELDS + HASH] = hash;
      records[size * FIELDS + START] = used;
      records[size * FIELDS + LENGTH] = end - start;
      for (let at = start; at < end; at += 1, used += 1) codeUnits[used] = codes[at] ?? 0;
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

/** Many short lists in one flat array: a hundred thousand of them cost the garbage collector nothing to trace. */
export interface Uint32Lists {
  /** Adds a list; lists are numbered from 0. */
  add(list: readonly number[]): void;
  /** Visits the numbers in list order. */
  each(list: number, visit: (number: number) => void): void;
  clear(): void;
}

export function createUint32Lists(): Uint32Lists {
  let numbers = new Uint32Array(8192);
  /** Where each list ends and the next one begins; the first begins at 0. */
  let bounds = new Uint32Array(4096);
  let lists = 0;
  let used = 0;
  return {
    add(list) {
      while (used + list.length > numbers.length) numbers = growArray(numbers);
      if (lists + 2 > bounds.length) bounds = growArray(bounds);
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
