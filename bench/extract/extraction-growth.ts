// Pages of four shapes, each from 10 kB to 10 MB: repetition must not cost more per byte as a page grows.

const SIZES = [10_000, 100_000, 1_000_000, 10_000_000] as const;

const SECTION = `<h2 id="run">Run a job<a class="headerlink" href="#run">¶</a></h2>
<p>Call <code>run()</code> with a <a href="/reference#name">name</a>, and <strong>wait</strong> for its end.</p>
<ul><li>one is enough</li><li>two run side by side</li></ul>
<pre><code class="language-js"><span class="k">await</span> run(<span class="s">'nightly'</span>);\n</code></pre>
<div class="admonition note"><p class="admonition-title">Note</p><p>Names are unique.</p></div>\n`;
const CODE_LINE = `<span class="line"><span class="k">const</span> <span class="n">x</span> = <span class="s">'a &lt; b'</span>;</span>\n`;
const ROW = '<tr><td><code>--limit</code></td><td>8</td><td>how many run at once</td></tr>\n';
const ITEM = '<li><p>One more <em>item</em> with a <a href="#x">link</a>.</p></li>\n';

const SHAPES = [
  { shape: 'sections', before: '', unit: SECTION, after: '' },
  { shape: 'one block of code', before: '<pre><code class="language-js">', unit: CODE_LINE, after: '</code></pre>' },
  {
    shape: 'one table',
    before: '<table><tr><th>Flag</th><th>Default</th><th>Use</th></tr>',
    unit: ROW,
    after: '</table>',
  },
  { shape: 'one list', before: '<ul>', unit: ITEM, after: '</ul>' },
] as const;

export function growingPages() {
  return SHAPES.map(({ shape, before, unit, after }) => ({
    shape,
    sizes: SIZES.map((bytes) => ({
      bytes,
      html: `<!doctype html><html lang="en"><head><title>Growth</title></head><body><nav><a href="/">Home</a></nav><main><h1>Growth</h1><p>A page of one shape.</p>${before}${unit.repeat(Math.ceil(bytes / unit.length))}${after}</main><footer>End</footer></body></html>`,
    })),
  }));
}
