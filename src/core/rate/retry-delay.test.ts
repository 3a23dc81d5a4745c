import { expect, test } from 'vitest';
import { retryDelay } from './retry-delay.ts';

test('attempts are 1, 2, 4 seconds apart at least', () => {
  expect([1, 2, 3, 4].map((attempt) => retryDelay(attempt, 0, 1000))).toEqual([1000, 2000, 4000, 8000]);
});

test('jitter adds up to half, and never shortens', () => {
  expect(retryDelay(1, 0.5, 1000)).toBe(1250);
  expect(retryDelay(3, 0.999, 1000)).toBeLessThanOrEqual(6000);
});

test('no wait is longer than five minutes and its jitter', () => {
  expect(retryDelay(40, 0, 1000)).toBe(300_000);
  expect(retryDelay(4000, 0, 1000)).toBe(300_000);
  expect(retryDelay(0, 0, 1000)).toBe(1000);
});
