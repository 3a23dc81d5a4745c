import { expect, test } from 'vitest';
import {
  CLOSED,
  QUERY_POLICY,
  QUEUE_POLICY,
  recordFailure,
  remainingOpenMs,
  type CircuitBreaker,
} from './circuit-breaker.ts';

const soft = { retryable: true, waitMs: 0 };

/** How long the breaker is open after each of so many consecutive failures. */
function openTimes(times: number, policy: typeof QUEUE_POLICY): number[] {
  let breaker: CircuitBreaker = CLOSED;
  return Array.from({ length: times }, () => {
    breaker = recordFailure(breaker, 1000, soft, policy);
    return remainingOpenMs(breaker, 1000);
  });
}

test('five consecutive failures open the breaker of the queue, each further one for twice as long, up to a minute', () => {
  expect(openTimes(10, QUEUE_POLICY)).toEqual([0, 0, 0, 0, 5000, 10_000, 20_000, 40_000, 60_000, 60_000]);
});

test('one failure opens the breaker of queries, and after many there is a trial every half minute', () => {
  expect(openTimes(7, QUERY_POLICY)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(openTimes(2000, QUERY_POLICY).at(-1)).toBe(30_000);
});

test('the breaker closes by itself after its time', () => {
  expect(remainingOpenMs(recordFailure(CLOSED, 1000, soft, QUERY_POLICY), 2000)).toBe(0);
});

test('a permanent failure opens it at once, and a server can ask for a longer time', () => {
  expect(remainingOpenMs(recordFailure(CLOSED, 0, { retryable: false, waitMs: 0 }, QUEUE_POLICY), 0)).toBe(60_000);
  expect(remainingOpenMs(recordFailure(CLOSED, 0, { retryable: true, waitMs: 2500 }, QUEUE_POLICY), 0)).toBe(2500);
});
