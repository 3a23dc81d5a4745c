// Makes an inverted index. Postings grow in three flat arrays, linked per term: objects would take ten times the memory.

import { compareChunks } from '../chunk/chunk-names.ts';
import { fieldNames } from './fields.ts';
import { addCount, fieldCount, fieldTexts, type IndexEntry, type LexicalIndex } from './lexical-index.ts';
import { eachToken } from './tokenize.ts';

const NONE = 0xffffffff;

export function buildIndex(unordered: readonly IndexEntry[]): LexicalIndex {
  const entries = [...unordered].sort(compareChunks);
  const lengths = new Uint32Array(entries.length * fieldCount);
  const draft = createDraft();
  entries.forEach((entry, number) => addEntry(draft, entry, number, lengths));
  return { entries, lengths, ...draft.finish() };
}

export interface IndexBuilder {
  /** Entries come in the order of `compareChunks`. */
  add(entry: IndexEntry): void;
  finish(): LexicalIndex;
}

/** For a library that is read piece by piece: the texts are not kept, so the index can be written but its hits have none. */
export function createIndexBuilder(): IndexBuilder {
  const entries: IndexEntry[] = [];
  const draft = createDraft();
  let lengths = new Uint32Array(1024 * fieldCount);
  return {
    add(entry) {
      if (entries.length * fieldCount >= lengths.length) lengths = grown(lengths, 0);
      addEntry(draft, entry, entries.length, lengths);
      entries.push({ ...entry, chunk: { ...entry.chunk, text: '' } });
    },
    finish: () => ({ entries, lengths: lengths.slice(0, entries.length * fieldCount), ...draft.finish() }),
  };
}

function addEntry(draft: Draft, entry: IndexEntry, number: number, lengths: Uint32Array): void {
  const texts = fieldTexts(entry);
  fieldNames.forEach((field, at) => {
    lengths[number * fieldCount + at] = draft.addText(texts[field], at);
  });
  draft.endEntry(number);
}

interface Draft {
  /** Returns the number of tokens. */
  addText(text: string, field: number): number;
  endEntry(number: number): void;
  finish(): Pick<LexicalIndex, 'terms' | 'offsets' | 'postings' | 'counts'>;
}

function createDraft(): Draft {
  const terms = new Map<string, number>();
  /** Per term: counts in the entry at hand, the newest posting, how many there are. */
  let current = new Uint32Array(1024);
  let newest = new Uint32Array(1024).fill(NONE);
  let totals = new Uint32Array(1024);
  /** Per posting: entry, counts, the posting before it of the same term. */
  let pool = new Uint32Array(3 * 4096);
  let used = 0;
  const touched: number[] = [];

  const numberOf = (token: string): number => {
    const known = terms.get(token);
    if (known !== undefined) return known;
    const added = terms.size;
    terms.set(token, added);
    if (added >= current.length) {
      current = grown(current, 0);
      newest = grown(newest, NONE);
      totals = grown(totals, 0);
    }
    return added;
  };
  return {
    addText(text, field) {
      let tokens = 0;
      eachToken(text, (token) => {
        const term = numberOf(token);
        const before = current[term] ?? 0;
        if (before === 0) touched.push(term);
        current[term] = addCount(before, field);
        tokens += 1;
      });
      return tokens;
    },
    endEntry(number) {
      for (const term of touched) {
        if (used + 3 > pool.length) pool = grown(pool, 0);
        pool[used] = number;
        pool[used + 1] = current[term] ?? 0;
        pool[used + 2] = newest[term] ?? NONE;
        newest[term] = used;
        totals[term] = (totals[term] ?? 0) + 1;
        current[term] = 0;
        used += 3;
      }
      touched.length = 0;
    },
    finish() {
      const laidOut = layOut(terms, { pool, newest, totals, used });
      // Whoever writes the index next needs the room.
      pool = new Uint32Array();
      return laidOut;
    },
  };
}

interface Linked {
  readonly pool: Uint32Array;
  readonly newest: Uint32Array;
  readonly totals: Uint32Array;
  readonly used: number;
}

/** Sorts terms and puts each one's postings side by side, oldest first. */
function layOut(draft: ReadonlyMap<string, number>, linked: Linked): ReturnType<Draft['finish']> {
  const names = [...draft.keys()].sort();
  const terms = new Map<string, number>();
  const offsets = new Uint32Array(names.length + 1);
  const postings = new Uint32Array(linked.used / 3);
  const counts = new Uint32Array(linked.used / 3);
  names.forEach((name, number) => {
    terms.set(name, number);
    const old = draft.get(name) ?? 0;
    const end = (offsets[number] ?? 0) + (linked.totals[old] ?? 0);
    offsets[number + 1] = end;
    let at = end - 1;
    for (let link = linked.newest[old] ?? NONE; link !== NONE; link = linked.pool[link + 2] ?? NONE) {
      postings[at] = linked.pool[link] ?? 0;
      counts[at] = linked.pool[link + 1] ?? 0;
      at -= 1;
    }
  });
  return { terms, offsets, postings, counts };
}

function grown(array: Uint32Array<ArrayBuffer>, filler: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  if (filler !== 0) larger.fill(filler, array.length);
  return larger;
}
