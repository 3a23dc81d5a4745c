import { expect, test } from 'vitest';
import { queryTerms } from '../query-terms.ts';

const weights = (query: string): Record<string, number> =>
  Object.fromEntries(queryTerms(query, 0.2).map(({ term, weight }) => [term, weight]));

test('stop words of a question in words are left out', () => {
  expect(Object.keys(weights('how to use a connection pool'))).toEqual(['connection', 'pool']);
});

test('stop words are kept where a question has little else', () => {
  expect(weights('to be')).toEqual({ to: 0.2, be: 0.2 });
});

test('light words count less where two others say more', () => {
  const { between, connection, pool } = weights('difference between connection and pool');
  expect(between).toBeLessThan(1);
  expect([connection, pool]).toEqual([1, 1]);
});

test('light words count in full where they are the question', () => {
  expect(weights('find between')).toEqual({ find: 1, between: 1 });
});
