import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createByteSlicePool } from './byte-slice-pool.ts';

test('interleaved lists return their own bytes, across many blocks', () => {
  const writes = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 9000 })), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(writes, (runs) => {
      const pool = createByteSlicePool();
      const lists = new Map<number, number[]>();
      let byte = 0;
      for (const [number, length] of runs) {
        const list = lists.get(number) ?? [];
        lists.set(number, list);
        for (let times = 0; times < length; times += 1) {
          byte = (byte * 31 + 7) % 256;
          list.push(byte);
          pool.write(number, byte);
        }
      }
      for (let number = 0; number <= 41; number += 1) {
        const list = lists.get(number) ?? [];
        expect(pool.size(number)).toBe(list.length);
        const next = pool.reader(number);
        expect(list.every((each) => next() === each)).toBe(true);
      }
    }),
    { seed: 5, numRuns: 30 },
  );
});
