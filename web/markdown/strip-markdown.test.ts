import { expect, test } from 'vitest';
import { plainWords } from './strip-markdown.ts';

test.each([
  ['# Title\n\nText.', 'Text.'],
  ['> **Note**\n>\n> `scrapy.log` is old.', 'Note scrapy.log is old.'],
  ['- one\n- two\n1. three', 'one two three'],
  ['See [the guide](/guide "x") and [this](https://x.dev/a_b).', 'See [the guide](/guide "x") and this.'],
  ['```js\nconst a = 1;\n```', 'const a = 1;'],
  ['| a | b |\n|---|---|\n| 1 | 2 |', 'a b 1 2'],
  ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
])('%j is read as %j', (markdown, words) => {
  expect(plainWords(markdown)).toBe(words);
});

test('a hostile line takes no longer than its length', () => {
  const began = performance.now();
  plainWords(`${'['.repeat(50_000)}${'>'.repeat(50_000)}${'| '.repeat(50_000)}`);
  expect(performance.now() - began).toBeLessThan(1000);
});
