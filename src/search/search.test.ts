import { expect, test } from 'vitest';
import { suggestTitles } from './search.ts';

test('titles with a word similar to a query term are suggested', () => {
  expect(suggestTitles('conection pooling', ['Connection', 'Zebras'])).toEqual(['Connection']);
});
