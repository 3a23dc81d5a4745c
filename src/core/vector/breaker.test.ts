import { expect, test } from 'vitest';
import { afterFailure, CLOSED, restMs, type Breaker } from './breaker.ts';

const soft = { retryable: true, waitMs: 0 };

test('five failures in a row open it for a minute, and one more keeps it open', () => {
  let breaker: Breaker = CLOSED;
  for (let i = 0; i < 4; i += 1) breaker = afterFailure(breaker, 1000, soft);
  expect(restMs(breaker, 1000)).toBe(0);
  breaker = afterFailure(breaker, 1000, soft);
  expect(restMs(breaker, 1000)).toBe(60_000);
  expect(restMs(breaker, 61_000)).toBe(0);
  expect(restMs(afterFailure(breaker, 61_000, soft), 61_000)).toBe(60_000);
});

test('what no retry mends opens it at once, and a server may ask for a longer rest', () => {
  expect(restMs(afterFailure(CLOSED, 0, { retryable: false, waitMs: 0 }), 0)).toBe(60_000);
  expect(restMs(afterFailure(CLOSED, 0, { retryable: true, waitMs: 2500 }), 0)).toBe(2500);
});
