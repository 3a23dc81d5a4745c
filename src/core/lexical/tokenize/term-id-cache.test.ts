import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachWord, type WordSpan } from './scan-words.ts';
import { createSurfaceFormTable, createUint32Lists } from './term-id-cache.ts';

/** The result of `read` for the only word of a text. */
function withWord(text: string, read: (span: WordSpan) => number): number {
  let result = Number.NaN;
  eachWord(text, (span) => (result = read(span)));
  return result;
}

test('a surface form is found at any offset, and only if it was added', () => {
  const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', 'b', 'é', '日') });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 200 }), (words) => {
      const table = createSurfaceFormTable(12);
      const ids = new Map<string, number>();
      for (const [nth, each] of words.entries()) {
        const id = withWord(`${' '.repeat(nth % 9)}${each} `, (span) => {
          const cached = table.find(span);
          return cached === -1 ? table.add(span) : cached;
        });
        expect(id).toBe(ids.get(each) ?? ids.size);
        ids.set(each, id);
      }
      table.clear();
      for (const each of words) expect(withWord(each, (span) => table.find(span))).toBe(-1);
    }),
    { seed: 7, numRuns: 100 },
  );
});

test('a surface form whose slots are all taken is not cached', () => {
  const table = createSurfaceFormTable(2);
  const added = ['a', 'b', 'c', 'd', 'e'].map((each) => withWord(each, (span) => table.add(span)));
  expect(added).toEqual([0, 1, 2, 3, -1]);
  expect(withWord('e', (span) => table.find(span))).toBe(-1);
});

test('lists are read back as they were added, and a cleared collection starts over', () => {
  const list = fc.array(fc.nat({ max: 2 ** 32 - 1 }), { maxLength: 6 });
  const lists = createUint32Lists();
  fc.assert(
    fc.property(fc.array(list, { maxLength: 300 }), fc.integer({ min: 1, max: 60 }), (some, times) => {
      const added = Array.from({ length: times }, () => some).flat();
      for (const each of added) lists.add(each);
      const read = added.map((_, number) => {
        const numbers: number[] = [];
        lists.each(number, (one) => numbers.push(one));
        return numbers;
      });
      expect(read).toEqual(added);
      lists.clear();
    }),
    { seed: 3, numRuns: 30 },
  );
});
