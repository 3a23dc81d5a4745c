import { expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

test('a burst passes, then requests pass evenly, each principal for itself', () => {
  let now = 0;
  const limit = createRateLimit(60, () => now);
  const passed = Array.from({ length: 20 }, () => limit.take('a')).filter((wait) => wait === 0);
  expect(passed).toHaveLength(10);
  expect(limit.take('b')).toBe(0);
  expect(limit.take('a')).toBe(1);
  now += 1000;
  expect(limit.take('a')).toBe(0);
  expect(limit.take('a')).toBe(1);
});
