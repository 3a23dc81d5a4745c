import { expect, test } from 'vitest';
import { afterFailure, CLOSED, QUESTION_POLICY, QUEUE_POLICY, restMs, type Breaker } from './circuit-breaker.ts';

const soft = { retryable: true, waitMs: 0 };

/** The rest after each of so many failures in a row. */
function rests(times: number, policy: typeof QUEUE_POLICY): number[] {
  let breaker: Breaker = CLOSED;
  return Array.from({ length: times }, () => {
    breaker = afterFailure(breaker, 1000, soft, policy);
    return restMs(breaker, 1000);
  });
}

test('five failures in a row open the queue, and each further one for twice as long, up to a minute', () => {
  expect(rests(10, QUEUE_POLICY)).toEqual([0, 0, 0, 0, 5000, 10_000, 20_000, 40_000, 60_000, 60_000]);
});

test('one failure keeps the next questions from waiting, and after many they try every half minute', () => {
  expect(rests(7, QUESTION_POLICY)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(rests(2000, QUESTION_POLICY).at(-1)).toBe(30_000);
});

test('the rest ends by itself', () => {
  expect(restMs(afterFailure(CLOSED, 1000, soft, QUESTION_POLICY), 2000)).toBe(0);
});

test('what no retry mends opens it at once, and a server may ask for a longer rest', () => {
  expect(restMs(afterFailure(CLOSED, 0, { retryable: false, waitMs: 0 }, QUEUE_POLICY), 0)).toBe(60_000);
  expect(restMs(afterFailure(CLOSED, 0, { retryable: true, waitMs: 2500 }, QUEUE_POLICY), 0)).toBe(2500);
});
