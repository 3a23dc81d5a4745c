import { expect, test } from 'vitest';
import { headerTemplateProblem, parseHeaderTemplate } from './setting-formats.ts';

test('a header names its secrets by environment variables', () => {
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

test('a secret that is written out, and what is no header, is refused', () => {
  expect(headerTemplateProblem('Authorization: Bearer abc')).toMatch(/environment variable in braces/);
  expect(headerTemplateProblem('Authorization: Bearer {lower}')).toMatch(/environment variable in braces/);
  for (const text of ['', 'X-Key', 'X Key: {KEY}', 'X-Key: {KEY}\r\nHost: evil', ': {KEY}']) {
    expect(headerTemplateProblem(text)).toMatch(/^not a header/);
  }
});
