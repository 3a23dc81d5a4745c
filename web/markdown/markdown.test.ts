import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MarkdownView } from './markdown-view.tsx';
import { parseMarkdown, type TokenNode } from './parse-markdown.ts';
import { safeLink } from './safe-link.ts';

const typesOf = (nodes: readonly TokenNode[]): string[] => nodes.map(({ token }) => token.type);

test('recognizes the blocks of a typical page', () => {
  const { blocks } = parseMarkdown(
    '# Title\n\nOne\ntwo.\n\n- a\n  - b\n- c\n\n1. x\n2. y\n\n> q\n\n```ts\ncode();\n```\n\n| a | b |\n| - | - |\n| `x\\|y` | 2 |\n\n---\n',
  );
  expect(typesOf(blocks)).toEqual([
    'heading_open',
    'paragraph_open',
    'bullet_list_open',
    'ordered_list_open',
    'blockquote_open',
    'fence',
    'table_open',
    'hr',
  ]);
  expect(typesOf(blocks[2]?.inside[0]?.inside ?? [])).toEqual(['paragraph_open', 'bullet_list_open']);
  expect(blocks[5]?.token).toMatchObject({ info: 'ts', content: 'code();\n' });
  expect(typesOf(blocks[6]?.inside ?? [])).toEqual(['thead_open', 'tbody_open']);
});

test('recognizes inline syntax', () => {
  const { inlinesOf } = parseMarkdown('');
  const nodes = inlinesOf('a **b** _c_ `d` [e](https://x.dev/(y)) ![f](g.png) snake_case_name ~~h~~');
  expect(typesOf(nodes).filter((type) => type !== 'text')).toEqual([
    'strong_open',
    'em_open',
    'code_inline',
    'link_open',
    'image',
    's_open',
  ]);
  expect(nodes.find(({ token }) => token.type === 'link_open')?.token.attrGet('href')).toBe('https://x.dev/(y)');
});

test('link definitions apply to the whole document', () => {
  const { inlinesOf } = parseMarkdown('[a]: https://x.dev/\n');
  expect(inlinesOf('[a]')[0]?.token.attrGet('href')).toBe('https://x.dev/');
});

test.each(['<img src=x onerror=alert(1)>', '<script>alert(1)</script>', '<a href="javascript:x">', 'www.x.dev'])(
  '%s stays text',
  (text) => {
    const { blocks, inlinesOf } = parseMarkdown(text);
    expect(typesOf(blocks)).toEqual(['paragraph_open']);
    expect(new Set(typesOf(inlinesOf(text)))).toEqual(new Set(['text']));
  },
);

const rendered = (text: string, title = ''): string =>
  renderToStaticMarkup(
    createElement(MarkdownView, {
      text,
      title,
      base: 'https://docs.dev/a/',
      pageLink: ({ url }, inside) => createElement('a', { href: `/page?${url}` }, inside),
    }),
  ).replace(/^<div class="markdown">(.*)<\/div>$/s, '$1');

test.each([
  ['# T\n\n### Two `x`', '<h2 id="line-3">Two <code>x</code></h2>'],
  ['- a\n- b\n  > c', '<ul><li><p>a</p></li><li><p>b</p><blockquote><p>c</p></blockquote></li></ul>'],
  ['3. a\n4. # b', '<ol start="3"><li><p>a</p></li><li><p id="line-2">b</p></li></ol>'],
  ['```ts x\n<b>\n\n```', '<pre data-language="ts" tabindex="0"><code>&lt;b&gt;\n</code></pre>'],
  ['one\ntwo\\\nthree &lt; ~~four~~', '<p>one two<br/>three &lt; <del>four</del></p>'],
  ['![an *image*](https://evil.dev/x.png)', '<p><span class="image">image: an *image*</span></p>'],
  [
    '[a](b) [c](https://else.dev/ä)',
    '<p><a href="/page?https://docs.dev/a/b">a</a> <a href="https://else.dev/%C3%A4" target="_blank" rel="noreferrer noopener">c</a></p>',
  ],
  [
    '[a](javascript:alert(1)) [b](data:text/html,x) [c]\n\n[c]: vbscript:x',
    '<p><span>a</span> <span>b</span> <span>c</span></p>',
  ],
  [
    '<javascript:alert(1)> <https://else.dev/>',
    '<p><span>javascript:alert(1)</span> <a href="https://else.dev/" target="_blank" rel="noreferrer noopener">https://else.dev/</a></p>',
  ],
  ['<img src=x onerror=alert(1)>', '<p>&lt;img src=x onerror=alert(1)&gt;</p>'],
])('%j is rendered as elements', (text, html) => {
  expect(rendered(text, 'T')).toBe(html);
});

test('a table has a header for every column', () => {
  expect(rendered('| a | |\n| - | - |\n| `x` | y |')).toContain(
    '<thead><tr><th scope="col">a</th><th scope="col"><span class="visually-hidden">column 2</span></th></tr></thead><tbody><tr><td><code>x</code></td><td>y</td></tr></tbody>',
  );
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
  ['closed links', '[a](b)'.repeat(50_000)],
  ['images', '!['.repeat(50_000)],
  ['entities', '&amp'.repeat(50_000)],
  ['autolinks', '<https://'.repeat(50_000)],
  ['tables', `${'|a'.repeat(5000)}\n${'|-'.repeat(5000)}\n${'|\n'.repeat(5000)}`],
  ['definitions', '[a]: b\n'.repeat(50_000)],
])('%s take linear time', (_name, text) => {
  const started = process.cpuUsage();
  const { blocks, inlinesOf } = parseMarkdown(text);
  const waiting = [...blocks];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.token.type === 'inline') inlinesOf(node.token.content);
    waiting.push(...node.inside);
  }
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(3000);
});
