// The metadata of an HTML extraction, and its linear running time.

import { expect, test } from 'vitest';
import { pageUrl } from '../../model/page-url.ts';
import { extractHtml } from './extract-html.ts';

const url = pageUrl('https://docs.example.dev/guide/page.html');
const extract = (html: string) => extractHtml({ url, html });

test('the outline has level, text, anchor and line of each heading', () => {
  const { text, outline } = extract(
    '<main><h1>Guide<a class="headerlink" href="#guide">¶</a></h1><p>a<br>b</p><section id="in"><h2>In <code>x</code></h2></section>' +
      '<pre>1\n2</pre><a name="old"></a><h3>Old</h3><h4>None</h4></main>',
  );
  const lines = text.split('\n');
  expect(outline.map(({ level, text: title, anchor }) => [level, title, anchor])).toEqual([
    [1, 'Guide', 'guide'],
    [2, 'In x', 'in'],
    [3, 'Old', 'old'],
    [4, 'None', null],
  ]);
  for (const entry of outline) expect(lines[entry.line - 1]).toMatch(/^#{1,4} /);
  expect(lines[(outline[1]?.line ?? 0) - 1]).toBe('## In `x`');
});

test('a mark that links to its heading is not part of its text', () => {
  const { text, outline } = extract(
    '<main><h2><code>fs.access(path)</code><span><a class="mark" href="#fsaccess" id="fsaccess">#</a></span></h2><p>x</p><h2>C#</h2></main>',
  );
  expect(outline.map(({ text: title, anchor }) => [title, anchor])).toEqual([
    ['fs.access(path)', 'fsaccess'],
    ['C#', null],
  ]);
  expect(text).toContain('## `fs.access(path)`\n');
});

test('definitions carry their anchor and the line of their signature', () => {
  const { text, outline } = extract(
    '<main><p>x</p><dl class="py"><dt class="sig" id="m.f">m.f(<em>a</em>)<a class="headerlink" href="#m.f">¶</a></dt><dd><p>Does.</p></dd></dl></main>',
  );
  const definition = { symbol: 'm.f', lastLine: 5 };
  expect(outline).toEqual([{ level: 2, text: 'm.f', anchor: 'm.f', line: 3, definition }]);
  expect(text.split('\n')[2]).toBe('[`m.f(a)`](https://docs.example.dev/guide/page.html#m.f)');
});

test('links are absolute and unique, and say whether they are in the content', () => {
  const { links } = extract(
    '<base href="/other/"><nav><a href="a.html" rel="nofollow">A</a><a href="b.html">B</a></nav>' +
      '<main><p>Text with <a href="a.html">again A</a>, <a href="https://x.dev/ok" rel="NoFollow ugc">out</a>, <a href="mailto:a@b.c">mail</a>.</p></main>',
  );
  expect(links).toEqual([
    { href: 'https://docs.example.dev/other/a.html', text: 'A', rel: [], inContent: true, level: 1 },
    { href: 'https://docs.example.dev/other/b.html', text: 'B', rel: [], inContent: false, level: 1 },
    { href: 'https://x.dev/ok', text: 'out', rel: ['nofollow', 'ugc'], inContent: true },
  ]);
});

test('links over the limit are counted', () => {
  const { links, linksDropped } = extract(
    Array.from({ length: 5_010 }, (_, index) => `<a href="/p${index}">x</a>`).join(''),
  );
  expect([links.length, linksDropped]).toEqual([5_000, 10]);
});

test('the head gives title, description, language, canonical, robots, refresh and alternate', () => {
  const page = extract(
    '<html lang="en-GB"><head><title> Page &amp; more\n| Site </title><meta name="description" content="About it."><meta name=ROBOTS content="noindex, nofollow">' +
      '<meta http-equiv="Refresh" content="3; URL=\'../new.html\'"><meta name="generator" content="Gen 1.0"><link rel="canonical" href="/guide/">' +
      '<link rel="alternate" type="text/markdown" href="page.md"></head><body><h1>Page &amp; more</h1><form><input type=password></form><noscript>Use scripts</noscript><script>1</script></body>',
  );
  expect(page).toMatchObject({
    title: 'Page & more',
    headTitle: 'Page & more | Site',
    description: 'About it.',
    language: 'en-GB',
    canonical: 'https://docs.example.dev/guide/',
    metaRobots: ['noindex, nofollow'],
    metaRefresh: { seconds: 3, url: 'https://docs.example.dev/new.html' },
    generator: 'Gen 1.0',
    markdownAlternate: 'https://docs.example.dev/guide/page.md',
    hasPasswordInput: true,
    scriptCount: 1,
    noscriptText: 'Use scripts',
  });
});

test('source code of Sphinx loses its links and the name of the site (finding T1.17)', () => {
  const block = '<div class="viewcode-block" id="A"><a class="viewcode-back" href="../t.html#A">[docs]</a>';
  const { text, title } = extract(
    `<title>web.middleware — Web 2.8.0 documentation</title><main><h1>Source code for web.middleware</h1>
<div class="highlight"><pre><span class="kn">import</span> re\n\n${block}<span class="k">class</span> A:\n    pass</div></pre></div></main>`,
  );
  expect(text).toContain('```\nimport re\n\nclass A:\n    pass\n```');
  expect(title).toBe('web.middleware');
});

test('the signature of a definition has no link to its source (finding T1.17)', () => {
  const { text } = extract(
    '<main><p>x</p><dl class="py"><dt class="sig" id="f">f(<em>a</em>)<a class="reference internal" href="m.html#f"><span class="viewcode-link"><span class="pre">[source]</span></span></a></dt><dd><p>Does.</p></dd></dl></main>',
  );
  expect(text).not.toContain('source');
});

test.each([
  ['Documentation — writing it', 'Documentation — writing it'],
  ['Web 2.8 documentation', 'Web 2.8 documentation'],
  ['pydoc — Documentation generator', 'pydoc — Documentation generator'],
  ['Search | Web Documentation', 'Search'],
])('the title %s is %s', (head, title) => {
  expect(extract(`<title>${head}</title><main><p>x</p></main>`).title).toBe(title);
});

test('a page of nothing but links keeps them', () => {
  const { text } = extract(`<body><nav>${'<a href="/a">A page of the manual</a> '.repeat(20)}</nav></body>`);
  expect(text).toContain('A page of the manual');
});

test('text nested over the depth limit is kept', () => {
  for (const open of [
    '<div>',
    '<b><i>',
    '<table><tr><td>',
    '<ul><li>',
    '<blockquote>',
    '<dl><dd>',
    '<section><span>',
  ]) {
    expect(extract(`${open.repeat(20_000)}needle`).text).toContain('needle');
  }
});

const HOSTILE: Readonly<Record<string, (size: number) => string>> = {
  divs: (size) => '<div>'.repeat(size / 5),
  'end tags': (size) => '<div>'.repeat(500) + '</b>'.repeat(size / 4),
  emphasis: (size) => '<b>x</b>'.repeat(size / 8),
  code: (size) => '<code>x</code>'.repeat(size / 14),
  underscores: (size) => `<p>${'_'.repeat(size)}</p>`,
  backticks: (size) => `<code>${'` '.repeat(size / 2)}</code>`,
  cells: (size) => `<table>${'<tr><td>x'.repeat(size / 9)}</table>`,
  breaks: (size) => `<p>${'x<br>'.repeat(size / 5)}</p>`,
  panels: (size) => `<div>${'<div role=tabpanel>x</div>'.repeat(size / 26)}</div>`,
  headings: (size) => '<h2>x</h2>'.repeat(size / 10),
  articles: (size) => '<article>x</article>'.repeat(size / 20),
  admonitions: (size) => '<div class="admonition note">x</div>'.repeat(size / 36),
  terms: (size) => `<dl>${'<dt id=a>x<dd>y'.repeat(size / 16)}</dl>`,
  lines: (size) => `<pre>${'<span class=line>x</span>'.repeat(size / 25)}</pre>`,
  digits: (size) => `<table><tr><td><pre>${'1\n'.repeat(size / 2)}x</pre></table>`,
  entities: (size) => `<p>${'&amp;'.repeat(size / 5)}</p>`,
};

for (const [name, page] of Object.entries(HOSTILE)) {
  test(`time is linear in size: ${name}`, () => {
    const small = cpuMs(page(100_000));
    const large = cpuMs(page(800_000));
    // Eight times the size may cost eight times the work; quadratic time would cost 64 times.
    expect(large).toBeLessThan(Math.max(150, small * 24));
  });
}

function cpuMs(html: string): number {
  const spent = (): number => {
    const before = process.cpuUsage();
    extract(html);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  return Math.min(spent(), spent());
}
