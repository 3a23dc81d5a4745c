import { expect, test } from 'vitest';
import { intervalMs, nextRunDelayMs } from './interval.ts';

test.each([
  ['15m', 900_000],
  ['6h', 21_600_000],
  ['1d', 86_400_000],
  ['2w', 1_209_600_000],
  ['52w', 31_449_600_000],
])('%s is an interval', (text, ms) => {
  expect(intervalMs(text)).toBe(ms);
});

test.each(['', '1', 'd', '1 d', '1D', '-1d', '1.5h', '14m', '0d', '53w', '999999w', '1d6h', '٣d'])(
  '%j is not an interval',
  (text) => {
    expect(intervalMs(text)).toBeNull();
  },
);

test('jitter delays the next run a little, and never moves it forward', () => {
  expect(nextRunDelayMs(100_000, 0)).toBe(100_000);
  expect(nextRunDelayMs(100_000, 0.5)).toBe(102_500);
  expect(nextRunDelayMs(100_000, 0.999_999)).toBe(105_000);
});
