import { expect, test } from 'vitest';
import { etaSeconds, runRates, type RunProgress } from './run-rates.ts';

const zero = { found: 0, queueSize: 0, stored: 0, failed: 0, bytes: 0, requests: 0, downloads: 0 };

function point(seconds: number, counts: Partial<RunProgress> = {}): RunProgress {
  return { at: new Date(seconds * 1000), ...zero, ...counts };
}

test('rates are differences over time', () => {
  const now = point(30, { requests: 60, downloads: 45, bytes: 90_000, failed: 2 });
  expect(runRates(point(0), now)).toEqual({
    requestsPerSec: 2,
    downloadsPerSec: 1.5,
    bytesPerSec: 3000,
    errorRatePerMin: 4,
  });
  expect(runRates(point(29.9), now)).toBeNull();
});

test('the time left follows the queue, whether or not it still gets links', () => {
  const earlier = point(0, { found: 100, queueSize: 100 });
  expect(etaSeconds(earlier, point(10, { found: 100, queueSize: 80 }), null)).toBe(40);
  expect(etaSeconds(earlier, point(10, { found: 150, queueSize: 90 }), null)).toBe(90);
});

test('nothing is promised while the queue grows or stands still', () => {
  const earlier = point(0, { found: 100, queueSize: 50 });
  expect(etaSeconds(earlier, point(10, { found: 200, queueSize: 120, stored: 30 }), null)).toBeNull();
  expect(etaSeconds(earlier, point(10, { found: 100, queueSize: 50 }), null)).toBeNull();
  expect(etaSeconds(point(0), point(10), null)).toBeNull();
});

test('a run with a maximum of pages ends when it has stored them', () => {
  const earlier = point(0, { found: 100, queueSize: 50 });
  expect(etaSeconds(earlier, point(10, { found: 500, queueSize: 400, stored: 20 }), 120)).toBe(50);
  expect(etaSeconds(point(0, { found: 9, queueSize: 9 }), point(3, { found: 9, queueSize: 6, stored: 3 }), 1000)).toBe(
    6,
  );
});

test('an empty queue leaves nothing to wait for', () => {
  expect(etaSeconds(point(0, { found: 5, queueSize: 5 }), point(5, { found: 5 }), null)).toBe(0);
});
