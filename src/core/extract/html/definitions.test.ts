import { describe, expect, test } from 'vitest';
import { bundleLimits } from '../../chunk/chunker.ts';
import { markdownChunker } from '../../chunk/markdown/markdown-chunker.ts';
import type { OutlineEntry } from '../../model/document.ts';
import { pageUrl } from '../../model/page-url.ts';
import { extractHtml } from './extract-html.ts';

const url = pageUrl('https://docs.example.dev/page.html');
const extract = (body: string) => extractHtml({ url, html: `<main>${body}</main>` });
const outlineOf = (body: string): readonly OutlineEntry[] => extract(body).outline;

function definitionsOf(body: string): ReadonlyArray<readonly [string, string, string | null]> {
  return outlineOf(body).flatMap(({ text, anchor, definition }) =>
    definition === undefined ? [] : [[definition.symbol, text, anchor] as const],
  );
}

const sphinx = (id: string, names: string, description = '<p>Does.</p>', domain = 'py') =>
  `<dl class="${domain}"><dt class="sig sig-object ${domain}" id="${id}">${names}</dt><dd>${description}</dd></dl>`;
const named = (name: string, before = '') =>
  `<span class="sig-prename descclassname">${before}</span><span class="sig-name descname">${name}</span>`;

const PAGES: ReadonlyArray<
  readonly [generator: string, html: string, ReadonlyArray<readonly [string, string, string | null]>]
> = [
  ['a function of Sphinx', sphinx('json.dumps', named('dumps', 'json.')), [['json.dumps', 'json.dumps', 'json.dumps']]],
  [
    'a method of Sphinx',
    sphinx('a.B', named('B', 'a.'), `<p>It.</p>${sphinx('a.B.run', `${named('run')}()`)}`),
    [
      ['a.B', 'a.B', 'a.B'],
      ['a.B.run', 'B.run', 'a.B.run'],
    ],
  ],
  [
    'a method of Sphinx with a numbered id',
    sphinx('a.B', named('B', 'a.'), sphinx('id0', named('run'))),
    [
      ['a.B', 'a.B', 'a.B'],
      ['a.B.run', 'B.run', 'id0'],
    ],
  ],
  [
    'a function in C',
    sphinx('c.PyList_New', named('PyList_New'), '', 'c'),
    [['PyList_New', 'PyList_New', 'c.PyList_New']],
  ],
  [
    'an option of Sphinx',
    sphinx('cmdoption-indent', named('--indent'), '', 'std'),
    [['--indent', '--indent', 'cmdoption-indent']],
  ],
  [
    'a parameter of DocBook',
    '<dl><dt id="GUC-SIZE"><span class="term"><code>max_size</code> (<code>integer</code>)</span></dt><dd><p>It.</p></dd></dl>',
    [['max_size', 'max_size', 'GUC-SIZE']],
  ],
  [
    'a term with an inner anchor',
    '<dl><dt><a name="lease"></a>Lease</dt><dd>A claim.</dd></dl>',
    [['Lease', 'Lease', 'lease']],
  ],
  [
    'a method of rustdoc',
    `<h1 class="fqn">Struct std::vec::Vec</h1><h2>Implementations</h2><details><summary><section id="method.push"><span class="rightside">source</span>
       <h4 class="code-header">pub fn <a href="#method.push">push</a>(&amp;mut self, value: T)</h4></section></summary><p>Appends.</p></details>
       <div id="trait-implementations-list"><section id="method.clone"><h4 class="code-header">fn clone(&amp;self)</h4></section></div>`,
    [
      ['std::vec::Vec', 'Struct std::vec::Vec', null],
      ['std::vec::Vec::push', 'Vec::push', 'method.push'],
    ],
  ],
  [
    'a type of newer rustdoc',
    `<section id="main-content"><div class="main-heading"><div class="rustdoc-breadcrumbs"><a href="../">abacus</a>::<wbr><a href="./">queue</a></div>
       <h1>Struct <span class="struct">Queue</span><button id="copy-path">Copy item path</button></h1></div><p>A queue.</p></section>`,
    [['abacus::queue::Queue', 'Struct Queue', null]],
  ],
  [
    'a method of javadoc',
    `<div class="header"><div class="sub-title">Package&nbsp;<a href="package-summary.html">java.util</a></div><h1 class="title">Class HashMap&lt;K,V&gt;</h1></div>
       <h2>Method Details</h2><section class="detail" id="merge(K,V)"><h3>merge</h3><p>Merges.</p></section>`,
    [
      ['java.util.HashMap', 'Class HashMap<K,V>', null],
      ['java.util.HashMap#merge', 'HashMap.merge', 'merge(K,V)'],
    ],
  ],
  [
    'a member of Doxygen',
    `<h1 class="title">Eigen::LU&lt; M &gt; Class Template Reference</h1><a id="a5c0"></a><h2 class="memtitle"><span class="permalink"><a href="#a5c0">&#9670;&nbsp;</a></span>solve() <span>[1/2]</span></h2><p>Solves.</p>`,
    [
      ['Eigen::LU', 'Eigen::LU< M > Class Template Reference', null],
      ['Eigen::LU::solve', 'LU::solve', 'a5c0'],
    ],
  ],
  [
    'a function of mkdocstrings',
    '<h2 id="pkg.open" class="doc doc-heading"><code>open(path)</code></h2><p>Opens.</p>',
    [['pkg.open', 'pkg.open', 'pkg.open']],
  ],
  [
    'a method of JSDoc',
    '<h1 class="page-title">Class: Pool</h1><h4 class="name" id="close">close(callback)</h4><h4 class="name" id=".open">(static) open()</h4>',
    [
      ['Pool', 'Class: Pool', null],
      ['Pool#close', 'Pool.close', 'close'],
      ['Pool.open', 'Pool.open', '.open'],
    ],
  ],
  [
    'a directive of Apache',
    '<div class="directive-section"><h2 id="acceptfilter"><span id="AcceptFilter">AcceptFilter</span> Directive</h2></div>',
    [['AcceptFilter', 'AcceptFilter', 'acceptfilter']],
  ],
  [
    'a function of gtk-doc',
    '<div class="refsect2"><a name="g-new"></a><h3>g_hash_table_new ()</h3><p>Creates.</p></div>',
    [['g_hash_table_new', 'g_hash_table_new', 'g-new']],
  ],
  [
    'a member of QDoc',
    '<h3 class="fn" id="append">QString &amp;QString::<span class="name">append</span>(QChar c)</h3>',
    [['QString::append', 'QString::append', 'append']],
  ],
  [
    'a heading that is one name in code',
    '<h2 id="accept-content"><code>accept_content</code></h2><p>Types.</p><h2><code>npm install</code></h2>',
    [['accept_content', 'accept_content', 'accept-content']],
  ],
];

test.each(PAGES)('%s is a definition', (_, html, expected) => {
  expect(definitionsOf(html)).toEqual(expected);
});

describe('a definition', () => {
  const before = '<h2 id="api">API</h2>';

  test('ends with its description, and the text below belongs to the section again', () => {
    const { text, outline } = extract(`${before}${sphinx('m.f', named('f', 'm.'))}<p>Afterwards.</p>`);
    const entry = outline.find(({ definition }) => definition !== undefined);
    expect(entry).toMatchObject({ level: 3, line: 3, definition: { symbol: 'm.f', lastLine: 5 } });
    expect(text.split('\n').slice(4, 7)).toEqual(['Does.', '', 'Afterwards.']);
  });

  test('shares its description with the terms beside it', () => {
    const terms = ['load', 'loads'].map((name) => `<dt class="sig py" id="json.${name}">${named(name, 'json.')}</dt>`);
    const [entry] = outlineOf(`<dl class="py">${terms.join('')}<dd><p>Reads.</p></dd></dl>`);
    const others = [{ symbol: 'json.loads', anchor: 'json.loads' }];
    expect(entry).toMatchObject({ anchor: 'json.load', definition: { symbol: 'json.load', others } });
  });

  test('that contains a heading contains what is below it', () => {
    const outline = outlineOf(`${before}${sphinx('m.f', named('f', 'm.'), '<h3>Example</h3><p>So.</p>')}<h3>Next</h3>`);
    expect(outline.map(({ level, text }) => [level, text])).toEqual([
      [2, 'API'],
      [3, 'm.f'],
      [4, 'Example'],
      [3, 'Next'],
    ]);
  });

  test('is not an entry of an index', () => {
    const entry = (name: string) => `<dt id="i-${name}">${name}, <a href="/${name}">${name} and more</a></dt>`;
    expect(definitionsOf(`<p>${'Text. '.repeat(60)}</p><dl>${['a', 'b'].map(entry).join('')}<dd></dd></dl>`)).toEqual(
      [],
    );
  });

  test('continues below the list where the generator of the Linux kernel puts its parameters', () => {
    const tail = '<p><strong>Parameters</strong></p><p>The list.</p>';
    const page = `${sphinx('c.list_add', named('list_add'), '', 'c')}${tail}${sphinx('c.list_del', named('list_del'), '', 'c')}`;
    const chunks = chunksOf(page);
    expect(chunks.map(({ symbol }) => symbol)).toEqual(['list_add', 'list_del']);
    expect(chunks[0]?.text).toContain('The list.');
  });

  test('inside too many others is plain text', () => {
    const nest = (depth: number): string =>
      depth === 9 ? '' : sphinx(`d${depth}`, named(`d${depth}`), nest(depth + 1));
    expect(definitionsOf(nest(0))).toHaveLength(4);
  });

  test('begins a chunk with its name, anchor and symbol', () => {
    const method = sphinx('a.B.run', `${named('run')}()`, '<p>Runs.</p>');
    const page = `${before}<p>All.</p>${sphinx('a.B', named('B', 'a.'), `<p>It.</p>${method}<p>More of B.</p>`)}<p>After.</p>`;
    expect(
      chunksOf(page).map(({ headings, anchor, symbol, text }) => [headings, anchor, symbol, text.split('\n').at(-1)]),
    ).toEqual([
      [['API'], 'api', null, 'All.'],
      [['API', 'a.B'], 'a.B', 'a.B', 'It.'],
      [['API', 'a.B', 'B.run'], 'a.B.run', 'a.B.run', 'Runs.'],
      [['API', 'a.B'], 'a.B', 'a.B', 'More of B.'],
      [['API'], 'api', null, 'After.'],
    ]);
  });

  const chunksOf = (page: string) => markdownChunker.chunk(extract(page), bundleLimits).chunks;
});

test('pages of thousands of definitions lose no text', () => {
  const page = Array.from({ length: 3000 }, (_, at) => sphinx(`m.f${at}`, named(`f${at}`, 'm.'))).join('');
  const document = extract(page);
  const { chunks, warnings } = markdownChunker.chunk(document, bundleLimits);
  expect(warnings).toEqual([]);
  expect(chunks.at(-1)?.text).toContain('m.f2999');
});

test('a note of DocBook is a quote, not a section', () => {
  const { text, outline } = extract(
    '<h2>Set</h2><div class="note"><h3 class="title">Note</h3><p>Beware.</p></div><p>Go.</p>',
  );
  expect(outline).toHaveLength(1);
  expect(text).toContain('> **Note**\n>\n> Beware.');
});

test('a heading takes the id of the section that it begins, through the boxes around it', () => {
  const [entry] = outlineOf(
    '<div class="sect2" id="WAL"><div class="titlepage"><div><div><h3>Settings</h3></div></div></div></div>',
  );
  expect(entry?.anchor).toBe('WAL');
  expect(outlineOf('<div id="box"><p>Text first.</p><div><h3>Settings</h3></div></div>')[0]?.anchor).toBeNull();
});
