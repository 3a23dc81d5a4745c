import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  chunkSimilarity,
  chunkVector,
  encodeWordTable,
  parseWordTable,
  queryVector,
  WORD_VECTOR_DIMENSIONS,
  WORD_VECTORS_PIPELINE,
  type WordTable,
} from './word-vectors.ts';

const shipped = readFileSync(new URL('word-vectors.bin', import.meta.url));

/** Row `n` points along dimension `n`. */
function tableOf(words: readonly string[], pieces: readonly string[] = []): WordTable {
  const rows = words.length + pieces.length;
  const values = new Int8Array(rows * WORD_VECTOR_DIMENSIONS);
  for (let row = 0; row < rows; row += 1) values[row * WORD_VECTOR_DIMENSIONS + row] = 7;
  return parseWordTable(encodeWordTable({ words, pieces, values, scales: new Float32Array(rows).fill(0.1) }));
}

function similarity(table: WordTable, query: string, text: string, headings: readonly string[] = []): number {
  const vector = chunkVector(table, { headings, text });
  const requested = queryVector(table, query);
  return vector === null || requested === null ? 0 : chunkSimilarity(requested, vector);
}

describe('words', () => {
  const table = tableOf(['connection', 'pool', 'max', 'un', 'u'], ['pool', 'ed', 's']);

  test.each([
    ['Pool', [1]],
    ['maxConnection', [2, 0]],
    ['MAXPool', [2, 1]],
    ['unpooled', [3, 5, 6]],
    ['Pôol', [1]],
    ['pöols', [1, 7]],
    ['zebra', []],
    ['unzebra', []],
    ['un'.repeat(30), []],
  ])('%s has the rows %j', (word, rows) => {
    expect(table.rowsOf(word)).toEqual(rows);
  });

  test('are divided at everything but letters and digits', () => {
    expect(similarity(table, 'connection', 'max_connection', [])).toBeCloseTo(Math.SQRT1_2, 2);
    expect(similarity(table, 'pool', '連接pool。')).toBeCloseTo(1);
  });
});

describe('vectors', () => {
  const table = tableOf(['lock', 'row', 'table']);

  test('a text with the words of the query is nearest', () => {
    expect(similarity(table, 'lock row', 'lock a row')).toBeCloseTo(1, 2);
    expect(similarity(table, 'lock row', 'lock a table')).toBeCloseTo(0.5, 2);
    expect(similarity(table, 'lock row', 'a table')).toBe(0);
  });

  test('a repeated word counts less each time, and one in a heading twice', () => {
    const weights = [Math.log(3), Math.log(2)] as const;
    const expected = weights[0] / Math.hypot(...weights);
    expect(similarity(table, 'lock', 'lock lock row')).toBeCloseTo(expected, 2);
    expect(similarity(table, 'lock', 'row', ['Lock'])).toBeCloseTo(expected, 2);
  });

  test('a text without a known word has none', () => {
    expect(chunkVector(table, { headings: ['零'], text: '一二三 ???' })).toBeNull();
    expect(queryVector(table, '???')).toBeNull();
  });

  test('a damaged table is rejected', () => {
    expect(() => parseWordTable(shipped.subarray(0, -1))).toThrow(/table of word vectors is damaged/);
    expect(() => parseWordTable(new Uint8Array(3))).toThrow(/damaged/);
  });

  test('a long text of any characters takes linear time', () => {
    const long = parseWordTable(shipped);
    for (const unit of ['a', 'aB', '1', 'é', ' x', '\ud800']) {
      const text = unit.repeat(500_000);
      const started = performance.now();
      chunkVector(long, { headings: [], text });
      expect(performance.now() - started).toBeLessThan(2000);
    }
  });
});

describe('the table that ships', () => {
  const table = parseWordTable(shipped);

  test('is at most 3 MB, and has the version of the pipeline', () => {
    expect(shipped.length).toBeLessThanOrEqual(3_000_000);
    // After a new table the version must change as well, so that stored pages are processed again.
    const digest = createHash('sha256').update(shipped).digest('hex').slice(0, 16);
    expect([WORD_VECTORS_PIPELINE, digest]).toEqual(['words@1', '8b1b2af2005ab2cd']);
  });

  test('a text that says the same in other words is nearer than one about something else', () => {
    const query = 'delete a directory';
    const same = similarity(table, query, 'Remove the folder and its files.');
    const other = similarity(table, query, 'Colors of the legend.');
    expect(same).toBeGreaterThan(other + 0.1);
  });
});
