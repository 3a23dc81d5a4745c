import { expect, test } from 'vitest';
import type { FetchOutcome } from '../../fetch/port.ts';
import { observationOf } from '../pace/observation-of.ts';

const failure = { kind: 'failed', code: 'fetch.failed', reason: 'x' } as const;

test.each<[string, FetchOutcome, ReturnType<typeof observationOf>]>([
  ['a missing page', { kind: 'gone', status: 404, firstByteMs: 9 }, { kind: 'answered', firstByteMs: 9 }],
  [
    'a redirect',
    { kind: 'redirected', status: 301, to: null, permanent: true },
    { kind: 'answered', firstByteMs: null },
  ],
  ['a plea', { kind: 'throttled', status: 429, retryAfterMs: 5 }, { kind: 'throttled', retryAfterMs: 5 }],
  ['a server error', { ...failure, status: 500, retryable: true }, { kind: 'failed' }],
  ['no answer', { ...failure, status: null, retryable: true }, { kind: 'failed' }],
  ['a refusal', { ...failure, status: 403, retryable: false }, { kind: 'answered', firstByteMs: null }],
  ['no room here', { ...failure, code: 'fetch.exhausted', status: null, retryable: true }, null],
  ['a closed address', { ...failure, status: null, retryable: false }, null],
])('%s', (_, outcome, expected) => {
  expect(observationOf(outcome)).toEqual(expected);
});
