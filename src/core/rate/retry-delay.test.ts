import { expect, test } from 'vitest';
import { retryAfterMs, retryDelay } from './retry-delay.ts';

test('attempts are at least 1, 2, 4 seconds apart', () => {
  expect([1, 2, 3, 4].map((attempt) => retryDelay(attempt, 0, 1000))).toEqual([1000, 2000, 4000, 8000]);
});

test('jitter adds up to half, and never shortens the delay', () => {
  expect(retryDelay(1, 0.5, 1000)).toBe(1250);
  expect(retryDelay(3, 0.999, 1000)).toBeLessThanOrEqual(6000);
});

test('no delay is longer than five minutes plus jitter', () => {
  expect(retryDelay(40, 0, 1000)).toBe(300_000);
  expect(retryDelay(4000, 0, 1000)).toBe(300_000);
  expect(retryDelay(0, 0, 1000)).toBe(1000);
});

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0);
const parse = (value: string | null): number | null => retryAfterMs(value, NOW, 3_600_000);

test.each([
  ['30', 30_000],
  [' 0 ', 0],
  ['31536000', 3_600_000],
  ['999999999999999', 3_600_000],
  ['Thu, 01 Jan 2026 12:02:00 GMT', 120_000],
  ['Thursday, 01-Jan-26 12:00:05 GMT', 5000],
  ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
  ['Thu, 01 Jan 2099 12:00:00 GMT', 3_600_000],
])('%j means %d ms', (value, expected) => {
  expect(parse(value)).toBe(expected);
});

test.each([null, '', 'soon', '-5', '1.5', '2026', '1e9', `Thu${' '.repeat(200)}`, '99999999999999999999'])(
  '%j is unusable, or only a number of seconds',
  (value) => {
    expect(parse(value)).toBe(value === '2026' ? 2_026_000 : null);
  },
);
