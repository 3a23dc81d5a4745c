// Static word vectors: a table of vectors for words and parts of words, and the vectors of texts and queries that are sums of its
// rows. No model runs. scripts/build-word-vectors.ts builds the table.

import type { Chunk } from '../model/chunk.ts';
import { pinakesError } from '../model/errors.ts';

/** Dimensions of every vector; a stored one has a byte for each. */
export const WORD_VECTOR_DIMENSIONS = 256;

/** Part of a page's pipeline version: pages whose vectors come from another table, or another sum, are processed again. */
export const WORD_VECTORS_PIPELINE = 'words@1';

export interface WordTable {
  /** Rows of a word as it is written in a text: one, or those of its parts. Empty if the table has no part of it. */
  rowsOf(word: string): readonly number[];
  readonly rows: number;
  /** Row after row, from -7 to 7. */
  readonly values: Int8Array;
  /** Factor of each row's values. */
  readonly scales: Float32Array;
}

/** A unit vector. */
export type QueryVector = Float32Array & { readonly __noun: 'query-vector' };

const MAGIC = 0x31565750; // "PWV1"
const HEADER_BYTES = 20;
/** Largest value of a row: a value takes four bits. With eight the ranking was no better (decision 78). */
export const WORD_VECTOR_LEVELS = 7;
const ZERO_NIBBLE = 8;
const ROW_BYTES = WORD_VECTOR_DIMENSIONS / 2;

/** The parts of a table's file. Pieces continue a word: `ing` of `##ing`. */
export interface WordTableParts {
  readonly words: readonly string[];
  readonly pieces: readonly string[];
  readonly values: Int8Array;
  readonly scales: Float32Array;
}

/** Header (magic, dimensions, number of words and of pieces, bytes of their text), text, scales, two values a byte; little-endian. */
export function encodeWordTable({ words, pieces, values, scales }: WordTableParts): Uint8Array {
  const text = new TextEncoder().encode([...words, ...pieces].join('\n'));
  const valuesAt = HEADER_BYTES + text.length + scales.length * 4;
  const bytes = new Uint8Array(valuesAt + values.length / 2);
  const view = new DataView(bytes.buffer);
  [MAGIC, WORD_VECTOR_DIMENSIONS, words.length, pieces.length, text.length].forEach((value, at) =>
    view.setUint32(at * 4, value, true),
  );
  bytes.set(text, HEADER_BYTES);
  scales.forEach((scale, row) => view.setFloat32(HEADER_BYTES + text.length + row * 4, scale, true));
  for (let at = 0; at < values.length; at += 2)
    bytes[valuesAt + at / 2] = ((values[at] ?? 0) + ZERO_NIBBLE) | (((values[at + 1] ?? 0) + ZERO_NIBBLE) << 4);
  return bytes;
}

export function parseWordTable(bytes: Uint8Array): WordTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [magic = 0, dimensions = 0, wordCount = 0, pieceCount = 0, textBytes = 0] =
    bytes.length < HEADER_BYTES ? [] : [0, 4, 8, 12, 16].map((at) => view.getUint32(at, true));
  const rows = wordCount + pieceCount;
  const isWhole = bytes.length === HEADER_BYTES + textBytes + rows * (4 + ROW_BYTES);
  if (magic !== MAGIC || dimensions !== WORD_VECTOR_DIMENSIONS || !isWhole)
    throw pinakesError('internal', { reason: 'the table of word vectors is damaged' });
  const scalesAt = HEADER_BYTES + textBytes;
  const names = new TextDecoder().decode(bytes.subarray(HEADER_BYTES, scalesAt)).split('\n');
  return {
    rowsOf: createWordLookup(names.slice(0, wordCount), names.slice(wordCount)),
    rows,
    scales: Float32Array.from({ length: rows }, (_, row) => view.getFloat32(scalesAt + row * 4, true)),
    values: unpackValues(bytes.subarray(scalesAt + rows * 4)),
  };
}

function unpackValues(packed: Uint8Array): Int8Array {
  const values = new Int8Array(packed.length * 2);
  for (let at = 0; at < packed.length; at += 1) {
    const both = packed[at] ?? 0;
    values[2 * at] = (both & 15) - ZERO_NIBBLE;
    values[2 * at + 1] = (both >> 4) - ZERO_NIBBLE;
  }
  return values;
}

/** Longer runs of letters and digits are hashes and data, not words. */
const MAX_WORD_CHARS = 40;
/** Words as they were written, and their rows. */
export const CACHED_WORDS = 16_384;
const NO_ROWS: readonly number[] = [];

/** A word that is not in the table has the rows of its parts: `camelCase` those of `camel` and `case`, others those of pieces. */
export function createWordLookup(words: readonly string[], pieces: readonly string[]): WordTable['rowsOf'] {
  const wordRows = new Map(words.map((word, row): [string, readonly number[]] => [word, [row]]));
  const pieceRows = new Map(pieces.map((piece, at) => [piece, words.length + at]));
  let recent = new Map<string, readonly number[]>();
  let older = recent;

  /** In two halves, of which the older one is dropped: an exact order of use would cost more than finding the words again. */
  function remember(word: string, rows: readonly number[]): readonly number[] {
    if (recent.size === CACHED_WORDS / 2) [older, recent] = [recent, new Map()];
    recent.set(word, rows);
    return rows;
  }

  function partsOf(word: string): readonly number[] {
    return foldAccents(word)
      .replaceAll(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
      .toLowerCase()
      .split(' ')
      .flatMap((part) => wordRows.get(part) ?? piecesOf(part));
  }

  /** Greedy: the longest word that it begins with, then the longest piece that goes on. */
  function piecesOf(word: string): readonly number[] {
    const found: number[] = [];
    for (let start = 0; start < word.length;) {
      let end = word.length;
      let row: number | undefined;
      for (; end > start && row === undefined; end -= 1) {
        const part = word.slice(start, end);
        row = start === 0 ? wordRows.get(part)?.[0] : pieceRows.get(part);
      }
      if (row === undefined) return NO_ROWS;
      found.push(row);
      start = end + 1;
    }
    return found;
  }

  return (word) => {
    const known = recent.get(word);
    if (known !== undefined) return known;
    if (word.length > MAX_WORD_CHARS) return NO_ROWS;
    return remember(word, older.get(word) ?? wordRows.get(word.toLowerCase()) ?? partsOf(word));
  };
}

function foldAccents(word: string): string {
  return word.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '');
}

/** Calls back with each run of Latin letters and digits, in the order of the text. */
export function eachLatinWord(text: string, onWord: (word: string) => void): void {
  let start = -1;
  for (let at = 0; at < text.length; at += 1) {
    const isWord = isWordUnit(text.charCodeAt(at));
    if (isWord && start < 0) start = at;
    else if (!isWord && start >= 0) {
      onWord(text.slice(start, at));
      start = -1;
    }
  }
  if (start >= 0) onWord(text.slice(start));
}

/** ASCII letters and digits, and the Latin letters with accents. */
function isWordUnit(unit: number): boolean {
  if (unit < 0x80)
    return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x30 && unit <= 0x39);
  return unit >= 0xc0 && unit < 0x250 && unit !== 0xd7 && unit !== 0xf7;
}

/** Words in headings count as often. */
const HEADING_COUNT = 2;

/**
 * The vector of a chunk, as it is stored: the direction alone, a signed byte per dimension. Null without a known word. Its sums have
 * one order, so it has the same bytes on every machine.
 */
export function chunkVector(table: WordTable, { headings, text }: Pick<Chunk, 'headings' | 'text'>): Uint8Array | null {
  const counts = new Map<number, number>();
  const count = (by: number) => (word: string) => {
    for (const row of table.rowsOf(word)) counts.set(row, (counts.get(row) ?? 0) + by);
  };
  for (const heading of headings) eachLatinWord(heading, count(HEADING_COUNT));
  eachLatinWord(text, count(1));
  return quantize(sumRows(table, counts, countWeight));
}

/** Returns the chunks unchanged if there is no table. */
export function withWordVectors(table: WordTable | null, chunks: readonly Chunk[]): readonly Chunk[] {
  if (table === null) return chunks;
  return chunks.map((chunk) => {
    const wordVector = chunkVector(table, chunk);
    return wordVector === null ? chunk : { ...chunk, wordVector };
  });
}

/** Returns null if no word is known. */
export function queryVector(table: WordTable, query: string): QueryVector | null {
  const counts = new Map<number, number>();
  eachLatinWord(query, (word) => {
    for (const row of table.rowsOf(word)) counts.set(row, (counts.get(row) ?? 0) + 1);
  });
  const sum = sumRows(table, counts, (times) => times);
  const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
  return length === 0 ? null : (Float32Array.from(sum, (value) => value / length) as QueryVector);
}

/** Cosine similarity of a query and the stored vector of a chunk. */
export function chunkSimilarity(query: QueryVector, stored: Uint8Array): number {
  let dot = 0;
  let squares = 0;
  for (let d = 0; d < WORD_VECTOR_DIMENSIONS; d += 1) {
    const value = ((stored[d] ?? 0) << 24) >> 24;
    dot += value * (query[d] ?? 0);
    squares += value * value;
  }
  return squares === 0 ? 0 : dot / Math.sqrt(squares);
}

/** Engines may compute logarithms that differ in the last bit; rounded, they agree. */
function countWeight(times: number): number {
  return Math.round(Math.log(1 + times) * 4096) / 4096;
}

function sumRows(
  { values, scales }: WordTable,
  counts: ReadonlyMap<number, number>,
  weightOf: (times: number) => number,
): Float64Array {
  const starts = new Uint32Array(counts.size);
  const factors = new Float64Array(counts.size);
  let used = 0;
  for (const [row, times] of counts) {
    starts[used] = row * WORD_VECTOR_DIMENSIONS;
    factors[used] = (scales[row] ?? 0) * weightOf(times);
    used += 1;
  }
  const sum = new Float64Array(WORD_VECTOR_DIMENSIONS);
  // The hottest loop of parsing: four sums at a time stay in registers. Every index is inside its array.
  for (let d = 0; d < WORD_VECTOR_DIMENSIONS; d += 4) {
    let [first, second, third, fourth] = [0, 0, 0, 0];
    for (let nth = 0; nth < used; nth += 1) {
      const at = (starts[nth] as number) + d;
      const factor = factors[nth] as number;
      first += factor * (values[at] as number);
      second += factor * (values[at + 1] as number);
      third += factor * (values[at + 2] as number);
      fourth += factor * (values[at + 3] as number);
    }
    sum[d] = first;
    sum[d + 1] = second;
    sum[d + 2] = third;
    sum[d + 3] = fourth;
  }
  return sum;
}

/** Signed bytes from -127 to 127, in proportion to the largest. Null for a zero vector. */
function quantize(vector: Float64Array): Uint8Array | null {
  let largest = 0;
  for (let d = 0; d < WORD_VECTOR_DIMENSIONS; d += 1) largest = Math.max(largest, Math.abs(vector[d] ?? 0));
  if (largest === 0) return null;
  const bytes = new Uint8Array(WORD_VECTOR_DIMENSIONS);
  for (let d = 0; d < WORD_VECTOR_DIMENSIONS; d += 1) bytes[d] = Math.round(((vector[d] ?? 0) / largest) * 127);
  return bytes;
}
