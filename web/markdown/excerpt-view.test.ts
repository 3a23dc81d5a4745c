import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { matchExcerpt, excerptTerms } from '../../src/core/answer/match-excerpt.ts';
import { ExcerptView } from './excerpt-view.tsx';

function rendered(text: string, query: string): string {
  const passage = { text, url: 'https://x.dev/', title: 'Pools', headings: ['Pools'] };
  const { blocks } = matchExcerpt(passage, excerptTerms(query));
  return renderToStaticMarkup(createElement(ExcerptView, { blocks })).replace(
    /^<div class="excerpt">(.*)<\/div>$/s,
    '$1',
  );
}

test.each([
  ['# Pools\n\nSet **`max pool`** or [wait](/a).', '<p>Set <code>max <mark>pool</mark></code> or wait.</p>'],
  ['```js\nopen();\n\npool();\n```', '<pre class="code" tabindex="0">open();\n\n<mark>pool</mark>();</pre>'],
  [
    '- one\n  - two\n1. three',
    '<ul><li style="margin-inline-start:0rem">one</li><li style="margin-inline-start:1.4rem">two</li><li style="margin-inline-start:0rem;list-style-type:&quot;1. &quot;">three</li></ul>',
  ],
  ['## On Linux\n\nA <b>pool</b> &lt;i&gt;', '<p><strong>On Linux</strong></p><p>A <mark>pool</mark> &lt;i&gt;</p>'],
  [
    '| a | |\n| - | - |\n| pool | 1 |\n…\n| z | 2 |',
    '<div class="wide-table" tabindex="0" role="region" aria-label="Table"><table><thead><tr><th scope="col">a</th><td></td></tr></thead><tbody><tr><td><mark>pool</mark></td><td>1</td></tr><tr><td colSpan="2">…</td></tr><tr><td>z</td><td>2</td></tr></tbody></table></div>',
  ],
])('%j is rendered, not shown as Markdown (finding T22)', (text, html) => {
  expect(rendered(text, 'pool')).toBe(html);
});
