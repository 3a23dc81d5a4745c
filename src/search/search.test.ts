import { expect, test } from 'vitest';
import { indexReaderOf } from '../../test/support/index-reader.ts';
import { openTestSqlite } from '../../test/support/stores.ts';
import { createSearch, suggestTitles } from './search.ts';

test('titles with a word similar to a query term are suggested', () => {
  expect(suggestTitles('conection pooling', ['Connection', 'Zebras'])).toEqual(['Connection']);
});

test('a search that was cancelled before its turn does nothing (finding X10)', async () => {
  const { store, close } = await openTestSqlite();
  const gone = AbortSignal.abort(new Error('the client is gone'));
  const request = { query: 'pool', limit: 5, budget: 1000, offset: 0, explain: false };
  await expect(createSearch(store, indexReaderOf(store))(request, gone)).rejects.toThrow('the client is gone');
  await close();
});
