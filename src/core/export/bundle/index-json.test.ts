import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEntry } from '../../../../test/support/index-entry.ts';
import { createSegmentBuilder } from '../../lexical/segment/segment-builder.ts';
import { packSegment } from '../../lexical/segment/memory-index.ts';
import { indexToJson, packCounts, segmentFromJson, unpackCounts } from './index-json.ts';
import { readVarints, writeVarints } from './varint-base64.ts';

const library = [
  createEntry('/fs', 'Reads the whole file and blocks until it is done.', { symbol: 'fs.readFileSync' }),
  createEntry('/fs', 'Reads a file. Use read and sync and file together.', { lines: { first: 9, last: 9 } }),
  // Of the same lines: the file orders them by id, the page by position.
  ...['four', 'three', 'two', 'one'].map((word) => createEntry('/cli', `The heap has ${word} parts`, { title: 'CLI' })),
  createEntry('/ja', '全文検索エンジンの設計', { title: '検索' }),
];
const pages = [...Map.groupBy(library, ({ path }) => path)].map(([path, entries]) => {
  return { path, entries, chunks: entries.map(({ chunk }) => chunk) };
});
const json = indexToJson(library);

describe('the index of a bundle', () => {
  test('is the same for chunks in any order', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(library, { minLength: library.length }), (shuffled) => {
        expect(indexToJson(shuffled)).toBe(json);
      }),
      { numRuns: 30, seed: 7 },
    );
  });

  test('gives the segment that is built from its pages, in whatever order they are', () => {
    for (const ordered of [pages, pages.toReversed()]) {
      const builder = createSegmentBuilder();
      for (const { entries } of ordered) builder.addPage(entries);
      expect(segmentFromJson(json, ordered)).toEqual(packSegment(builder.pageSizes, builder.terms()));
    }
  });

  test('is rejected with different chunks', () => {
    expect(() => segmentFromJson(json, pages.slice(1))).toThrow(/different chunks/);
  });

  test.each([
    ['fewer postings than it declares', /"steps":"../, '"steps":"'],
    ['a chunk that does not exist', /"steps":"../, '"steps":"f3'],
    ['fewer lengths', /"lengths":"../, '"lengths":"'],
  ])('is rejected with %s', (_, part, replacement) => {
    expect(() => segmentFromJson(json.replace(part, replacement), pages)).toThrow(/truncated/);
  });
});

test('counts of a field saturate and leave the others alone', () => {
  expect(unpackCounts(packCounts([1, 0, 0, 20, 300]))).toEqual([1, 0, 0, 15, 300]);
});

test('numbers survive a round trip through text', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffffffff }), { maxLength: 200 }), (numbers) => {
      expect([...readVarints(writeVarints(numbers))]).toEqual(numbers);
    }),
    { seed: 8 },
  );
});
