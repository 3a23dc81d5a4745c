import { expect, test } from 'vitest';
import { stripMarkdown } from './strip-markdown.ts';

test.each([
  ['# Title\n\nText.', 'Text.'],
  ['> **Note**\n>\n> `scrapy.log` is old.', 'Note scrapy.log is old.'],
  ['- one\n- two\n1. three', 'one two three'],
  ['See [the guide](/guide "x") and [this](https://x.dev/a_b).', 'See [the guide](/guide "x") and this.'],
  ['```js\nconst a = 1;\n```', 'const a = 1;'],
  ['| a | b |\n|---|---|\n| 1 | 2 |', 'a b 1 2'],
  ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
])('%j becomes %j', (markdown, text) => {
  expect(stripMarkdown(markdown)).toBe(text);
});

test('a hostile line takes linear time', () => {
  const startedAt = performance.now();
  stripMarkdown(`${'['.repeat(50_000)}${'>'.repeat(50_000)}${'| '.repeat(50_000)}`);
  expect(performance.now() - startedAt).toBeLessThan(1000);
});
