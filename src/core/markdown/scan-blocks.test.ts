import { describe, expect, test } from 'vitest';
import { endsInFence, fencedCode, scanBlocks, scanMarkdown } from './scan-blocks.ts';

function kinds(text: string): string[] {
  return scanBlocks(text).map(({ kind, level }) => (level === 0 ? kind : `${kind}${level}`));
}

describe('blocks', () => {
  test.each([
    ['# One\n###### Six\n####### seven', ['heading1', 'heading6', 'paragraph']],
    ['#tag\n#', ['paragraph', 'heading1']],
    ['One\n===\nTwo\n---\n', ['heading1', 'heading2']],
    ['two lines\nof one heading\n---', ['heading2']],
    ['text\n\n---\n\ntext', ['paragraph', 'rule', 'paragraph']],
    ['---\na: b\n# c\n---\ntext', ['front-matter', 'paragraph']],
    ['---\nno end', ['rule', 'paragraph']],
    ['```js\n# no heading\n```\n# yes', ['fence', 'heading1']],
    ['````\n```\n# no\n````\n# yes', ['fence', 'heading1']],
    ['~~~\n```\n# no\n~~~\n# yes', ['fence', 'heading1']],
    ['```\n# no\n    ```\n# no\n```\n# yes', ['fence', 'heading1']],
    ['```\nnever closed\n# no', ['fence']],
    ['``` not `a fence\n# yes', ['paragraph', 'heading1']],
    ['- a\n- b\n\n  more of b\n- c\n\ntext', ['item', 'item', 'item', 'paragraph']],
    ['1. a\n   ```\n# no\n   ```\n2. b', ['item', 'item']],
    ['- a\nlazy\n# yes', ['item', 'heading1']],
    ['- ```\n  # no\n  ```\n# yes', ['item', 'heading1']],
    ['* * *\n* a', ['rule', 'item']],
    ['> a\nlazy\n> b\n\n# yes', ['quote', 'heading1']],
    ['> ```\n> # no\n\n# yes', ['quote', 'heading1']],
    ['| a | b |\n|---|---|\n| 1 | 2 |\n\ntext', ['table', 'paragraph']],
    ['text\n| a |\n|---|\n| 1 |', ['paragraph', 'table']],
    ['no bar\n|---|', ['paragraph']],
    ['<div>\n# no\n\n# yes', ['html', 'heading1']],
    ['<!-- a\n\n# no\n-->\n# yes', ['html', 'heading1']],
    ['<pre>\n\n# no\n</pre>\n# yes', ['html', 'heading1']],
    ['<preview> is text\n# yes', ['paragraph', 'heading1']],
    ['<script> is never closed\n\n# yes', ['paragraph', 'heading1']],
    ['<div>\n```\n# no\n```\n# yes', ['html', 'fence', 'heading1']],
    ['!!! note\n\n    # no\n\n# yes', ['admonition', 'heading1']],
    ['    # no\n\n    more\n\n# yes', ['indented', 'heading1']],
    ['text\n    goes on', ['paragraph']],
    ['', []],
    ['\n \n', []],
  ])('%j', (text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });
});

describe('kinds of lines', () => {
  test.each([
    ['a\n\n    b\n\n    c\n', {}, 'text blank code blank code blank'],
    ['- a\n\n      b', {}, 'text blank text'],
    ['> ```\n> a\nb', {}, 'fence code text'],
    ['- ```\na\n  ```\nb', {}, 'fence code fence text'],
    ['1. a\n\n       ```\n       b\n       ```', {}, 'text blank fence code fence'],
    ['<Note>\n\n    ```\n    a\n    ```\n</Note>', { isMdx: true }, 'text blank fence code fence text'],
    ['import a from "a"\nexport const b = {\n  c,\n}\n\nd', { isMdx: true }, 'module module module module blank text'],
    ['import a from "a"', {}, 'text'],
    ['---\na: b\n---', {}, 'text text text'],
    ['      ```\n      a\n      ```\n      b', { isExcerpt: true }, 'fence code fence text'],
  ])('%j %j', (text, options, expected) => {
    expect(scanMarkdown(text, options).lineKinds.join(' ')).toBe(expected);
  });
});

test('code is found in lists and quotes, with whether its fence is closed', () => {
  const text = '- a\n  ```js\n  b\n  ```\n> ~~~\n> c\n\n````\nd\n```';
  const found = fencedCode(text).map(({ start, end, fence }) => [text.slice(start, end), fence?.isClosed]);
  expect(found).toEqual([
    ['  ```js\n  b\n  ```\n', true],
    ['> ~~~\n> c\n', false],
    ['````\nd\n```', false],
  ]);
  expect(endsInFence(text)).toBe(true);
  expect(endsInFence('````\nd\n````\n')).toBe(false);
});

test('blocks cover the text without a gap', () => {
  const text = '\n\n# T\n\ntext\n\n\n- a\n- b\n\n```\nx\n```\n| a |\n|-|\n';
  const blocks = scanBlocks(text);
  expect(blocks[0]?.start).toBe(0);
  expect(blocks.at(-1)?.end).toBe(text.length);
  for (const [at, block] of blocks.entries()) expect(block.start).toBe(at === 0 ? 0 : blocks[at - 1]?.end);
});
