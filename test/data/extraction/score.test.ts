// Tests of the scorer: what counts as preserved, and what does not.

import { expect, test } from 'vitest';
import { families } from './families.table.ts';
import { scorePage } from './score.ts';
import { truthOf } from './truth.ts';

const sphinx = families.find((family) => family.name === 'sphinx')!;
const mdbook = families.find((family) => family.name === 'mdbook')!;

const page = `<html><head><title>Guide</title></head><body><div class="related" role="navigation">next chapter</div>
<div role="main"><h1>Guide<a class="headerlink" href="#g">¶</a></h1><p>Call <code>run()</code> first.</p>
<div class="highlight-python3 notranslate"><div class="highlight"><pre><span></span><span class="k">def</span> f():
    <span class="k">return</span> 1
</pre></div></div><nav class="contents">On this page</nav></div><div class="footer">Copyright</div></body></html>`;
const truth = truthOf(page, sphinx);

const perfect = '# Guide\n\nCall `run()` first.\n\n```python\ndef f():\n    return 1\n```\n';

test('an exact document gets the full score', () => {
  expect(scorePage(truth, perfect)).toEqual({
    codes: 1,
    codesExact: 1,
    languages: 1,
    languagesKept: 1,
    headings: 1,
    headingsFound: 1,
    headingsAtLevel: 1,
    wordsWanted: 8,
    wordsFound: 8,
    wordsWritten: 8,
    wordsRight: 8,
    nearEmpty: false,
  });
});

test('a block that lost one space of indentation is not exact', () => {
  expect(scorePage(truth, perfect.replace('    return', '   return')).codesExact).toBe(0);
});

test('a language counts whether or not the text is exact', () => {
  const dented = perfect.replace('    return', '   return');
  expect(scorePage(truth, dented).languagesKept).toBe(1);
  expect(scorePage(truth, perfect.replace('```python', '```')).languagesKept).toBe(0);
});

test('a block inside a list item is compared without the indentation of the list', () => {
  const inList = '- Call `run()` first.\n\n  ```python\n  def f():\n      return 1\n  ```\n';
  expect(scorePage(truth, inList).codesExact).toBe(1);
});

test('a block written as HTML counts', () => {
  expect(scorePage(truth, '<pre><code class="language-python">def f():\n    return 1\n</code></pre>').codesExact).toBe(
    1,
  );
});

test('a permalink mark makes a different heading', () => {
  expect(scorePage(truth, perfect.replace('# Guide', '# Guide¶')).headingsFound).toBe(0);
});

test('a heading at another level is found, but not at its level', () => {
  const score = scorePage(truth, perfect.replace('# Guide', '## Guide'));
  expect([score.headingsFound, score.headingsAtLevel]).toEqual([1, 0]);
});

test('navigation costs precision, a table of contents does not', () => {
  expect(scorePage(truth, `${perfect}\nnext chapter\n`).wordsRight).toBe(8);
  expect(scorePage(truth, `${perfect}\nnext chapter\n`).wordsWritten).toBe(10);
  expect(scorePage(truth, `${perfect}\nOn this page\n`).wordsRight).toBe(11);
});

test('an unescaped generic type in prose is text', () => {
  const generic = truthOf('<body><div role="main"><p>A Vec&lt;T&gt; of items</p></div></body>', sphinx);
  expect(scorePage(generic, 'A Vec<T> of items').wordsFound).toBe(5);
});

test('a page with content and next to no output is near-empty', () => {
  const words = Array.from({ length: 30 }, (_, n) => `word${n}`).join(' ');
  const long = truthOf(`<body><div role="main"><p>${words}</p></div></body>`, sphinx);
  expect(scorePage(long, 'word1 word2').nearEmpty).toBe(true);
  expect(scorePage(long, words).nearEmpty).toBe(false);
});

test('lines that a page can hide are optional', () => {
  const html = `<body><div id="content"><main><pre><pre class="playground"><code class="language-rust"><span class="boring">fn main() {
</span>let x = 1;
<span class="boring">}
</span></code></pre></pre></main></div></body>`;
  const hidden = truthOf(html, mdbook);
  expect(hidden.codes).toHaveLength(1);
  expect(scorePage(hidden, '```rust\nlet x = 1;\n```').codesExact).toBe(1);
  expect(scorePage(hidden, '```rust\nfn main() {\nlet x = 1;\n}\n```').codesExact).toBe(1);
  expect(scorePage(hidden, '```rust\nfn main() {\nlet x = 1;\n```').codesExact).toBe(0);
});
