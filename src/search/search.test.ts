import { expect, test } from 'vitest';
import { closestTerms } from './lexical-retrieval.ts';
import { suggestTitles } from './search.ts';

test('the closest indexed terms come first, frequent before rare', () => {
  const vocabulary = [
    { term: 'program', docFrequency: 3 },
    { term: 'progress', docFrequency: 90 },
    { term: 'programs', docFrequency: 1 },
  ];
  expect(closestTerms('progam', vocabulary, 2).map(({ term }) => term)).toEqual(['program']);
});

test('titles with a word similar to a query term are suggested', () => {
  expect(suggestTitles('conection pooling', ['Connection', 'Zebras'])).toEqual(['Connection']);
});
