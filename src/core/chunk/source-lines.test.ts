import { expect, test } from 'vitest';
import { extractHtml } from '../extract/html/extract-html.ts';
import { pageUrl } from '../model/page-url.ts';
import { createChunkers } from './chunkers.ts';
import { createGrammarLoader } from './code/grammar-loader.ts';
import { sourceLines } from './source-lines.ts';

const chunkers = createChunkers(
  createGrammarLoader({ load: () => Promise.reject(new Error('none is needed')) } as never),
);

function chunkLines(html: string): Array<readonly [first: number, last: number, heading: string]> {
  const document = extractHtml({ url: pageUrl('file:///a.html'), html });
  const { chunks } = chunkers.chunk(document, { targetChars: 60, capChars: 400, maxChunks: 100 });
  return sourceLines(chunks, document.lineOrigins).map(({ first, last }, at) => {
    return [first, last, chunks[at]?.headings.at(-1) ?? ''] as const;
  });
}

test('[C4] chunks of an HTML file have the lines of the HTML', () => {
  const html = `<!doctype html>
<title>Sprockets</title>
<style>
p { color: red }
</style>
<main>

<h1>Sprockets</h1>
<p>A sprocket is a wheel with teeth
that fit into a chain, a track or a film.</p>


<h2>Options</h2>
Speed sets how fast it turns, and size
sets how large it is.
<pre><code>turn(
  fast)
</code></pre>
<h2>Parts</h2>
<ul>
<li>The hub, which is in the middle of it
<li>The rim, which carries all the teeth
</ul>
</main>`;
  const lines = chunkLines(html);
  expect(lines.filter(([, , heading]) => heading === 'Sprockets')).toEqual([[8, 10, 'Sprockets']]);
  const options = lines.filter(([, , heading]) => heading === 'Options');
  expect([options[0]?.[0], options.at(-1)?.[1]]).toEqual([13, 18]);
  const parts = lines.filter(([, , heading]) => heading === 'Parts');
  expect([parts[0]?.[0], parts.at(-1)?.[1]]).toEqual([19, 23]);
  expect(chunkLines(html.replaceAll('\n', '\r\n'))).toEqual(lines);
});

test('ranges never go back, whatever the text was moved to', () => {
  const origins = [
    { line: 1, first: 9, last: 9 },
    { line: 3, first: 2, last: 4 },
    { line: 5, first: 12, last: 20 },
  ];
  const chunks = [
    { first: 1, last: 2 },
    { first: 3, last: 3 },
    { first: 5, last: 5 },
    { first: 6, last: 9 },
  ];
  expect(
    sourceLines(
      chunks.map((lines) => ({ lines })),
      origins,
    ),
  ).toEqual([
    { first: 9, last: 9 },
    { first: 9, last: 9 },
    { first: 12, last: 20 },
    { first: 12, last: 20 },
  ]);
  expect(sourceLines([{ lines: { first: 1, last: 3 } }], [])).toEqual([{ first: 1, last: 1 }]);
});
