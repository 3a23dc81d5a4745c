import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNumberLists } from './number-lists.ts';

test('lists are read as they were added, however many; after a clear they begin anew', () => {
  const list = fc.array(fc.nat({ max: 2 ** 32 - 1 }), { maxLength: 6 });
  const lists = createNumberLists();
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
