import { expect, test } from 'vitest';
import { closestTerms } from './spelling.ts';

test('the closest indexed terms come first, frequent before rare', () => {
  const vocabulary = [
    { term: 'program', docFrequency: 3 },
    { term: 'progress', docFrequency: 90 },
    { term: 'programs', docFrequency: 1 },
  ];
  expect(closestTerms('progam', vocabulary, 2).map(({ term }) => term)).toEqual(['program']);
});
