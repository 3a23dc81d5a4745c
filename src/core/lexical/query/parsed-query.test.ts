import { describe, expect, test } from 'vitest';
import { identifiersIn, queryTerms } from './parsed-query.ts';

const weights = (query: string): Record<string, number> =>
  Object.fromEntries(queryTerms(query, 0.2).map(({ term, weight }) => [term, weight]));

test('stop words of a query written as a sentence are dropped', () => {
  expect(Object.keys(weights('how to use a connection pool'))).toEqual(['connection', 'pool']);
});

test('stop words are kept if the query has little else', () => {
  expect(weights('to be')).toEqual({ to: 0.2, be: 0.2 });
});

test('low-weight words count less next to two other content words', () => {
  const { between, connection, pool } = weights('difference between connection and pool');
  expect(between).toBeLessThan(1);
  expect([connection, pool]).toEqual([1, 1]);
});

test('low-weight words count in full if there is nothing else', () => {
  expect(weights('find between')).toEqual({ find: 1, between: 1 });
});

describe('identifiers in a query', () => {
  test.each([
    ['how does readFileSync work', ['readfilesync']],
    ['set --max-old-space-size for node', ['--max-old-space-size']],
    ['what is EACCES', ['eacces']],
    ['os.path.join()', ['os.path.join']],
    ['plain words only', []],
  ])('%s', (query, identifiers) => {
    expect(identifiersIn(query)).toEqual(identifiers);
  });
});
