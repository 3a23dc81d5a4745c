// An inverted index over chunks: for each word the chunks that have it, and how often in each field.

import type { Chunk } from '../../model/chunk.ts';
import { fieldNames, type FieldName } from '../segment/fields.ts';

export interface IndexEntry {
  /** The page's URL, or the file's path inside its folder. */
  readonly path: string;
  readonly title: string;
  readonly chunk: Chunk;
}

/**
 * Entries are in the order of `compareChunks`; the postings of term `t` are `offsets[t]` to `offsets[t + 1]`, with
 * ascending entry numbers. A search reads it and changes nothing.
 */
export interface LexicalIndex {
  readonly entries: readonly IndexEntry[];
  /** Sorted by code units; the value is the term's number. */
  readonly terms: ReadonlyMap<string, number>;
  readonly offsets: Uint32Array;
  readonly postings: Uint32Array;
  /** Counts of a posting by field, packed by `packCounts`. */
  readonly counts: Uint32Array;
  /** Tokens of each entry in each field: `lengths[entry * fields + field]`. */
  readonly lengths: Uint32Array;
}

/** Body counts have 16 bits, the others 4: a title that repeats a word 15 times is no better for a 16th. */
const FIELD_BITS: readonly number[] = [16, 20, 24, 28, 0];
const FIELD_MOST: readonly number[] = [15, 15, 15, 15, 0xffff];

/** From the counts of a word by field. */
export function packCounts(counts: ArrayLike<number>): number {
  let packed = 0;
  for (let field = 0; field < fieldCount; field += 1) {
    const count = Math.min(counts[field] ?? 0, FIELD_MOST[field] ?? 0);
    packed += count * 2 ** (FIELD_BITS[field] ?? 0);
  }
  return packed;
}

export function countIn(packed: number, field: number): number {
  return (packed >>> (FIELD_BITS[field] ?? 0)) & (FIELD_MOST[field] ?? 0);
}

/** The part of an entry that has words. */
export interface WordedEntry extends Pick<IndexEntry, 'path' | 'title'> {
  readonly chunk: Pick<Chunk, 'headings' | 'symbol' | 'text'>;
}

/** The texts of an entry by field. The title is not counted again among the headings. */
export function fieldTexts({ path, title, chunk }: WordedEntry): Readonly<Record<FieldName, string>> {
  const headings = chunk.headings.filter((heading) => heading !== title);
  return {
    title,
    headings: headings.join('\n'),
    symbols: chunk.symbol ?? '',
    path: pathWords(path),
    body: chunk.text,
  };
}

/** Host and file ending say the same for every page. */
function pathWords(path: string): string {
  const local = path.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/[?#].*$/, '');
  return local.replace(/\.(?:x?html?|mdx?)$/, '').replaceAll('/', ' ');
}

export const fieldCount = fieldNames.length;
