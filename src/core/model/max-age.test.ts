import { expect, test } from 'vitest';
import { MAX_AGE, maxAgeMs } from './max-age.ts';

test('an age for one kind stands over the age for all', () => {
  const ages = ['6h', 'reference=7d', 'index=5m'];
  expect(maxAgeMs(ages, 'article')).toBe(6 * 3_600_000);
  expect(maxAgeMs(ages, null)).toBe(6 * 3_600_000);
  expect(maxAgeMs(ages, 'reference')).toBe(7 * 86_400_000);
  expect(maxAgeMs(ages, 'index')).toBe(5 * 60_000);
  expect(maxAgeMs(['reference=7d'], 'article')).toBe(0);
  expect(maxAgeMs([], 'article')).toBe(0);
});

test.each(['0h', '6', 'h', 'page=6h', '6h ', '1.5d', '-1h', '999999d'])('%s is no age', (text) => {
  expect(MAX_AGE.test(text)).toBe(false);
});
