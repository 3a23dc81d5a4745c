import { describe, expect, test } from 'vitest';
import { scanBlocks } from './scan-blocks.ts';

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
    ['    # no\n\n    more\n\n# yes', ['indented', 'heading1']],
    ['text\n    goes on', ['paragraph']],
    ['', []],
    ['\n \n', []],
  ])('%j', (text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });
});

test('blocks cover the text without a gap', () => {
  const text = '\n\n# T\n\ntext\n\n\n- a\n- b\n\n```\nx\n```\n| a |\n|-|\n';
  const blocks = scanBlocks(text);
  expect(blocks[0]?.start).toBe(0);
  expect(blocks.at(-1)?.end).toBe(text.length);
  for (const [at, block] of blocks.entries()) expect(block.start).toBe(at === 0 ? 0 : blocks[at - 1]?.end);
});
