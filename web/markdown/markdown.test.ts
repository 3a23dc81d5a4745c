import { expect, test } from 'vitest';
import { parseBlocks } from './parse-blocks.ts';
import { parseInline } from './parse-inline.ts';
import { safeLink } from './safe-link.ts';

test('recognizes the blocks of a typical page', () => {
  const text =
    '# Title\n\nOne\ntwo.\n\n- a\n  - b\n- c\n\n1. x\n2. y\n\n> q\n\n```ts\ncode();\n```\n\n| a | b |\n| - | - |\n| `x|y` | 2 |\n\n---\n';
  const blocks = parseBlocks(text);
  expect(blocks.map(({ kind }) => kind)).toEqual([
    'heading',
    'paragraph',
    'list',
    'list',
    'quote',
    'code',
    'table',
    'rule',
  ]);
  expect(blocks[2]).toMatchObject({ items: [[{ kind: 'paragraph' }, { kind: 'list' }], [{ kind: 'paragraph' }]] });
  expect(blocks[5]).toEqual({ kind: 'code', language: 'ts', text: 'code();' });
  expect(blocks[6]).toMatchObject({ head: ['a', 'b'], rows: [['`x|y`', '2']] });
});

test('recognizes inline syntax', () => {
  const kinds = parseInline('a **b** _c_ `d` [e](https://x.dev/(y)) ![f](g.png) snake_case_name \\*h\\*').map(
    ({ kind }) => kind,
  );
  expect(kinds).toEqual(['text', 'strong', 'text', 'em', 'text', 'code', 'text', 'link', 'text', 'image', 'text']);
});

test('HTML stays text', () => {
  expect(parseInline('<img src=x onerror=alert(1)>')).toEqual([{ kind: 'text', text: '<img src=x onerror=alert(1)>' }]);
});

test('a link leads to the web, to a page on the same host, or nowhere', () => {
  const base = 'https://docs.dev/a/';
  expect(safeLink('b#c', base)).toEqual({ kind: 'page', url: 'https://docs.dev/a/b', fragment: 'c' });
  expect(safeLink('https://else.dev/', base)).toEqual({ kind: 'web', url: 'https://else.dev/' });
  for (const bad of [
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'JaVaScRiPt:x',
    'java\nscript:x',
  ])
    expect(safeLink(bad, base)).toEqual({ kind: 'none' });
});

test.each([
  ['open brackets', '['.repeat(200_000)],
  ['stars', '*a '.repeat(100_000)],
  ['backticks', Array.from({ length: 3000 }, (_, n) => '`'.repeat((n % 50) + 1)).join('x')],
  ['quotes', '>'.repeat(100_000)],
  ['items', '- '.repeat(50_000)],
  ['links', '[a]('.repeat(50_000)],
])('%s take linear time', (_name, text) => {
  const startedAt = performance.now();
  for (const block of parseBlocks(text)) if (block.kind === 'paragraph') parseInline(block.text);
  expect(performance.now() - startedAt).toBeLessThan(3000);
});
