import { expect, test } from 'vitest';
import { retryAfterMs } from '../pace/retry-after.ts';

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0);
const read = (value: string | null): number | null => retryAfterMs(value, NOW, 3_600_000);

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
  expect(read(value)).toBe(expected);
});

test.each([null, '', 'soon', '-5', '1.5', '2026', '1e9', `Thu${' '.repeat(200)}`, '99999999999999999999'])(
  '%j says nothing usable, or no more than a number of seconds',
  (value) => {
    expect(read(value)).toBe(value === '2026' ? 2_026_000 : null);
  },
);
