import { expect, test } from 'vitest';
import { editDistance, suggestNames, withSuggestions } from './edit-distance.ts';

test('a transposition, deletion, insertion and substitution are one edit each', () => {
  for (const wrong of ['recieve', 'recive', 'receeive', 'recaive'])
    expect(editDistance(wrong, 'receive', 2)).toBeLessThan(3);
  expect(editDistance('ab', 'ba', 2)).toBe(1);
});

test('anything farther than the maximum is one more than the maximum', () => {
  expect(editDistance('ab', 'abcdefgh', 2)).toBe(3);
  expect(editDistance('abcdefgh', 'ab', 2)).toBe(3);
});

test('a misspelled or partial name is suggested', () => {
  expect(suggestNames('pyhton', ['python', 'postgres'])).toEqual(['python']);
  expect(suggestNames('next', ['nextjs', 'node'])).toContain('nextjs');
  expect(suggestNames('zzzzzzzz', ['python'])).toEqual([]);
});

test('a name is followed by suggestions only if there are any', () => {
  expect(withSuggestions('pyhton', ['python', 'postgres'])).toBe('pyhton (did you mean python?)');
  expect(withSuggestions('zzzzzzzz', ['python'])).toBe('zzzzzzzz');
});
