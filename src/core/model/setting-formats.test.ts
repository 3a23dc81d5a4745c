import { expect, test } from 'vitest';
import { headerTemplateProblem, MAX_AGE, maxAgeMs, parseHeaderTemplate } from './setting-formats.ts';

test('a header references its secrets as environment variables', () => {
  expect(parseHeaderTemplate('Authorization: Bearer {DOCS_TOKEN}')).toEqual({
    name: 'authorization',
    parts: [{ text: 'Bearer ' }, { variable: 'DOCS_TOKEN' }],
  });
  expect(parseHeaderTemplate('Cookie: a={A}; b={B}')?.parts).toEqual([
    { text: 'a=' },
    { variable: 'A' },
    { text: '; b=' },
    { variable: 'B' },
  ]);
  expect(headerTemplateProblem('X-Key: {KEY}')).toBeNull();
});

test('a literal secret or a malformed header is rejected', () => {
  expect(headerTemplateProblem('Authorization: Bearer abc')).toMatch(/environment variable in braces/);
  expect(headerTemplateProblem('Authorization: Bearer {lower}')).toMatch(/environment variable in braces/);
  for (const text of ['', 'X-Key', 'X Key: {KEY}', 'X-Key: {KEY}\r\nHost: evil', ': {KEY}']) {
    expect(headerTemplateProblem(text)).toMatch(/^not a header/);
  }
});

test('an age for one page kind overrides the general one', () => {
  const ages = ['6h', 'reference=7d', 'index=5m'];
  expect(maxAgeMs(ages, 'article')).toBe(6 * 3_600_000);
  expect(maxAgeMs(ages, null)).toBe(6 * 3_600_000);
  expect(maxAgeMs(ages, 'reference')).toBe(7 * 86_400_000);
  expect(maxAgeMs(ages, 'index')).toBe(5 * 60_000);
  expect(maxAgeMs(['reference=7d'], 'article')).toBe(0);
  expect(maxAgeMs([], 'article')).toBe(0);
});

test.each(['0h', '6', 'h', 'page=6h', '6h ', '1.5d', '-1h', '999999d'])('%s is not an age', (text) => {
  expect(MAX_AGE.test(text)).toBe(false);
});
