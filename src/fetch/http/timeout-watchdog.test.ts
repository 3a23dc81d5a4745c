import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTimeoutWatchdog } from './timeout-watchdog.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('it checks at an interval, until there is nothing left to check', () => {
  let now = 0;
  const watch = createTimeoutWatchdog(100, () => now);
  const seen: number[] = [];
  watch.add((nowMs) => {
    seen.push(nowMs);
    return nowMs >= 300 ? 'over' : 'on';
  });
  for (let i = 0; i < 6; i++) {
    now += 100;
    vi.advanceTimersByTime(100);
  }
  expect(seen).toEqual([100, 200, 300]);
  expect(vi.getTimerCount()).toBe(0);
});

test('after a stall of the program itself, one check is skipped, but not a second one', () => {
  let now = 0;
  const watch = createTimeoutWatchdog(100, () => now);
  const seen: number[] = [];
  watch.add((nowMs) => {
    seen.push(nowMs);
    return 'on';
  });
  for (const pass of [100, 5000, 5000, 100]) {
    now += pass;
    vi.advanceTimersByTime(100);
  }
  expect(seen).toEqual([100, 10_100, 10_200]);
  watch.close();
  expect(vi.getTimerCount()).toBe(0);
});
