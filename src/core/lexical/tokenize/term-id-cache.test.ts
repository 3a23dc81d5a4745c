import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachName, type NameAt } from './scan-words.ts';
import { createSpellingTable } from '../spelling-table.ts';

/** What `read` makes of the only name of a text. */
function ofName(text: string, read: (name: NameAt) => number): number {
  let result = Number.NaN;
  eachName(text, (name) => (result = read(name)));
  return result;
}

test('a spelling is found wherever it stands, and only if it was added', () => {
  const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', 'b', 'é', '日') });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 200 }), (words) => {
      const table = createSpellingTable(12);
      const numbers = new Map<string, number>();
      for (const [nth, each] of words.entries()) {
        const number = ofName(`${' '.repeat(nth % 9)}${each} `, (name) => {
          const known = table.find(name);
          return known === -1 ? table.add(name) : known;
        });
        expect(number).toBe(numbers.get(each) ?? numbers.size);
        numbers.set(each, number);
      }
      table.clear();
      for (const each of words) expect(ofName(each, (name) => table.find(name))).toBe(-1);
    }),
    { seed: 7, numRuns: 100 },
  );
});

test('a spelling for which there is no room near its slot is not remembered', () => {
  const table = createSpellingTable(2);
  const added = ['a', 'b', 'c', 'd', 'e'].map((each) => ofName(each, (name) => table.add(name)));
  expect(added).toEqual([0, 1, 2, 3, -1]);
  expect(ofName('e', (name) => table.find(name))).toBe(-1);
});
