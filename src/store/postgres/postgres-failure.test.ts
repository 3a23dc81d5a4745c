import { expect, test } from 'vitest';
import { pinakesError } from '../../core/model/errors.ts';
import { postgresFailure } from './postgres-failure.ts';

const answer = (code: string): Error => Object.assign(new Error('said the server'), { code });

test.each([
  ['57P01', 'database.unreachable'],
  ['57P03', 'database.unreachable'],
  ['08006', 'database.unreachable'],
  ['53300', 'database.unreachable'],
  ['53100', 'database.full'],
  ['25006', 'database.readonly'],
  ['ECONNRESET', 'database.unreachable'],
])('%s means %s, and passes', (code, meant) => {
  expect(postgresFailure(answer(code))).toMatchObject({ code: meant, retryable: true });
});

test('a connection that ends without an answer is a database that is away', () => {
  expect(postgresFailure(new Error('Query read timeout'))).toMatchObject({ code: 'database.unreachable' });
});

test.each(['40001', '23505', '42P01'])('%s is left to whoever knows the statement', (code) => {
  const error = answer(code);
  expect(postgresFailure(error)).toBe(error);
});

test('what has a name of ours keeps it', () => {
  const error = pinakesError('source.unknown', { source: 'x' });
  expect(postgresFailure(error)).toBe(error);
});
