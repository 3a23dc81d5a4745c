import { expect, test } from 'vitest';
import { editDistance } from './edit-distance.ts';

test('a transposition, deletion, insertion and substitution are one edit each', () => {
  for (const wrong of ['recieve', 'recive', 'receeive', 'recaive'])
    expect(editDistance(wrong, 'receive', 2)).toBeLessThan(3);
  expect(editDistance('ab', 'ba', 2)).toBe(1);
});
