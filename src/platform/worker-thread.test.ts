import { expect, test } from 'vitest';
import { pinakesError } from '../core/model/errors.ts';
import { failureOf, rebuiltFailure } from './worker-thread.ts';

const across = (error: unknown) => rebuiltFailure(structuredClone(failureOf(error)));

test('a failure of ours keeps its code, its details and its place', () => {
  const error = pinakesError('database.full', { why: 'no room' });
  expect(across(error)).toMatchObject({ code: 'database.full', message: error.message, stack: error.stack });
});

test('any other failure is internal and says why', () => {
  expect(across(new TypeError('x is not a function'))).toMatchObject({
    code: 'internal',
    details: { why: 'x is not a function' },
  });
  expect(across('a text')).toMatchObject({ code: 'internal', details: { why: 'a text' } });
});
