import { expect, test } from 'vitest';
import { pinakesError } from '../../core/model/errors.ts';
import { postgresFailure } from './postgres-failure.ts';

const serverError = (code: string): Error => Object.assign(new Error('from the server'), { code });

test.each([
  ['57P01', 'database.unreachable'],
  ['57P03', 'database.unreachable'],
  ['08006', 'database.unreachable'],
  ['53300', 'database.connections'],
  ['25P03', 'database.unreachable'],
  ['53100', 'database.full'],
  ['25006', 'database.readonly'],
  ['ECONNRESET', 'database.unreachable'],
])('%s is %s, and retryable', (code, meant) => {
  expect(postgresFailure(serverError(code))).toMatchObject({ code: meant, retryable: true });
});

test('a connection that ends without a response is an unreachable database', () => {
  expect(postgresFailure(new Error('Query read timeout'))).toMatchObject({ code: 'database.unreachable' });
});

test('a cancelled statement is not an unreachable database (finding B2)', () => {
  expect(postgresFailure(serverError('57014'))).toMatchObject({ code: 'database.timeout' });
});

test.each(['40001', '23505', '42P01'])('%s is returned unchanged', (code) => {
  const error = serverError(code);
  expect(postgresFailure(error)).toBe(error);
});

test('an error of Pinakes is returned unchanged', () => {
  const error = pinakesError('source.unknown', { source: 'x' });
  expect(postgresFailure(error)).toBe(error);
});
