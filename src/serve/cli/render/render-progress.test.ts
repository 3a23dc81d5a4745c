import { expect, test } from 'vitest';
import { createThrottle } from '../follow-run.ts';
import { createRateEstimator } from './render-progress.ts';

test('[R3] estimates nothing before a second of work', () => {
  const rate = createRateEstimator();
  expect(rate(0, { found: 10, queued: 10 })).toEqual({ perSecond: null, secondsLeft: null });
  expect(rate(500, { found: 10, queued: 8 })).toEqual({ perSecond: null, secondsLeft: null });
});

test('[R3] estimates the rate of the last seconds and the time left', () => {
  const rate = createRateEstimator();
  rate(0, { found: 100, queued: 100 });
  expect(rate(2000, { found: 100, queued: 90 })).toEqual({ perSecond: 5, secondsLeft: 18 });
});

test('[R3] ignores the rate of long ago', () => {
  const rate = createRateEstimator();
  for (let second = 0; second <= 10; second += 1) rate(second * 1000, { found: 1000, queued: 1000 - second * 10 });
  let last = rate(10_000, { found: 1000, queued: 900 });
  for (let second = 11; second <= 60; second += 1) last = rate(second * 1000, { found: 1000, queued: 910 - second });
  expect(last.perSecond).toBe(1);
});

test('an output that keeps every line gets one each ten seconds (finding T1.4)', () => {
  const isDue = createThrottle(10_000, 0);
  const due = Array.from({ length: 433 }, (_, tick) => tick * 100).filter(isDue);
  expect(due).toEqual([10_000, 20_000, 30_000, 40_000]);
});
