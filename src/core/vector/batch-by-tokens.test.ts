import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchByTokens } from './batch-by-tokens.ts';

test('texts of similar length share a batch, longest first', () => {
  const batches = batchByTokens([10, 200, 12, 190, 11], { maxRows: 3, maxTokens: 600 });
  expect(batches).toEqual([
    [1, 3, 2],
    [4, 0],
  ]);
});

test('every text is in one batch, and only a single text may exceed the limits', () => {
  const limits = { maxRows: 8, maxTokens: 1000 };
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3000 })), (lengths) => {
      const batches = batchByTokens(lengths, limits);
      expect(batches.flat().sort((a, b) => a - b)).toEqual(lengths.map((_, at) => at));
      for (const batch of batches) {
        const cost = batch.length * Math.max(...batch.map((at) => lengths[at] ?? 0));
        expect(batch.length === 1 || (cost <= limits.maxTokens && batch.length <= limits.maxRows)).toBe(true);
      }
    }),
  );
});
