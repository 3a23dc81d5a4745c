import { expect, test } from 'vitest';
import { pageUrl } from '../../model/page-url.ts';
import { extractMarkdown } from './markdown.ts';

const read = (text: string, isMdx = false) =>
  extractMarkdown({ url: pageUrl('https://docs.test/guide/page.md'), text, isMdx }).document;

test('front matter names the document and is dropped', () => {
  const document = read(
    '---\ntitle: "A: guide"\ndescription: >\n  Two\n  lines\ncanonical: /guide/page\nlist: [a, b]\n---\n\nBody.\n',
  );
  expect(document).toMatchObject({
    title: 'A: guide',
    description: 'Two lines',
    canonical: 'https://docs.test/guide/page',
    text: 'Body.\n',
  });
});

test.each([
  ['title: "One \\"two\\" \\u00e9" # remark', 'One "two" é'],
  ["title: 'One\n  two'", 'One two'],
  ['title: &t One\nother: [*t]', 'One'],
  ['title: 1.10', '1.10'],
  ['title: One: two # remark', 'One: two'],
  ['title: "One "two" three"\nlist: [a', 'One "two" three'],
  ['TITLE: ""\ntitle: One', 'One'],
])('the title in %j is %j', (frontMatter, title) => {
  expect(read(`---\n${frontMatter}\n---\nBody.\n`)).toMatchObject({ title, text: 'Body.\n' });
});

test('front matter may be TOML', () => {
  expect(read('+++\ntitle = "One: two"\ndate = 2026-11-15\n+++\nBody.\n').title).toBe('One: two');
});

test('a thematic break at the top is not front matter', () => {
  expect(read('---\n\nText\n\n---\n').text).toBe('---\n\nText\n\n---\n');
});

test('headings get GitHub anchors or their explicit ones', () => {
  const document = read(
    'Title\n=====\n\n## The `__init__` method!\n\n## Example\n\n## Example ##\n\n### Custom {: #my-id .wide }\n',
  );
  expect(document.outline).toEqual([
    { level: 1, text: 'Title', anchor: 'title', line: 1 },
    { level: 2, text: 'The __init__ method!', anchor: 'the-__init__-method', line: 3 },
    { level: 2, text: 'Example', anchor: 'example', line: 5 },
    { level: 2, text: 'Example', anchor: 'example-1', line: 7 },
    { level: 3, text: 'Custom', anchor: 'my-id', line: 9 },
  ]);
  expect(document.text).toContain('\n### Custom\n');
});

test('what looks like a heading or a link inside code is neither', () => {
  const document = read(
    '```sh\n# comment [a](/a)\n```\n\n    # indented [b](/b)\n\n`[c](/c)` and ``[d](/d) ` `` [e](/e)\n',
  );
  expect(document.outline).toEqual([]);
  expect(document.links.map(({ href }) => href)).toEqual(['https://docs.test/e']);
});

test('inline, reference, bracketed, bare and HTML links are found once each', () => {
  const document = read(
    '[one](./one.md "t") [two][ref] [ref] <https://x.test/three> https://x.test/four. ![no](img.png)\n' +
      '<a href="/five">five</a> [![badge](b.svg)](https://x.test/six) [x](#here) [m](mailto:a@b.c)\n' +
      'see [wiki](https://x.test/a_(b))\n\n[ref]: ../two\n',
  );
  expect(document.links.map(({ href, text }) => [href, text])).toEqual([
    ['https://docs.test/guide/one.md', 'one'],
    ['https://docs.test/two', 'two'],
    ['https://x.test/three', ''],
    ['https://x.test/four', ''],
    ['https://docs.test/five', 'five'],
    ['https://x.test/six', 'badge'],
    ['https://x.test/a_(b)', 'wiki'],
  ]);
});

test('fences are kept byte for byte, also in lists and quotes', () => {
  const fences =
    '1. Step\n\n   ```jsx title="a.jsx"\n   <Card  title={x}>  {/* kept */}\t\n\n\n   import a from "b"\n   ```\n\n> ~~~\n> <!-- kept -->\n> ~~~\n';
  expect(read(fences, true).text).toBe(fences);
});

test('an unclosed fence is code to the end', () => {
  const document = read('# T\n```js\n# not a heading\n[a](/a)');
  expect(document.outline).toHaveLength(1);
  expect(document.links).toEqual([]);
});

test('comments are removed, even across lines and fences, but not from code', () => {
  expect(read('a <!-- x --> b\n\n<!-- start\n```\nhidden\n```\n-->\n\n`<!-- kept -->` c <!-- no end\n\nd\n').text).toBe(
    'a  b\n\n`<!-- kept -->` c <!-- no end\n\nd\n',
  );
});

test('MDX module lines are removed, the same words in a fence stay', () => {
  const text =
    "import { A } from './a'\nimport B from 'b';\n\nexport const meta = {\n  a: 1,\n\n  b: 2,\n}\n\n# T\n\n```js\nimport c from 'c'\n```\n";
  expect(read(text, true).text).toBe("# T\n\n```js\nimport c from 'c'\n```\n");
});

test('components become their children under a label', () => {
  const text =
    '<Tabs>\n  <Tab label="npm">\n\n    Run it:\n\n    ```sh\n    npm i\n      x\n    ```\n\n  </Tab>\n</Tabs>\n\n' +
    '<Card title="Next" href="/next" icon={<Icon a=">" />}>\n  More\n</Card>\n\n<Warning>Hot</Warning>\n\nA <Badge>new</Badge> word.\n';
  expect(read(text, true).text).toBe(
    '**npm**\n\nRun it:\n\n```sh\nnpm i\n  x\n```\n\n**[Next](/next)**\n\nMore\n\n**Warning**\n\nHot\n\nA new word.\n',
  );
});

test('a property table in a JSX literal becomes a list', () => {
  const text =
    "<PropertiesTable\n  content={[\n    { name: 'model', type: 'Model', description: \"It's the model\", properties: [\n" +
    "      { name: 'id', type: 'string', isOptional: true } ] },\n  ]}\n/>\n";
  expect(read(text, true).text).toBe("- `model` (`Model`): It's the model\n  - `id` (`string`, optional)\n");
});

test('placeholders in angle brackets stay', () => {
  expect(read('Use `<T>` and <your-token> or a < b.\n').text).toBe('Use `<T>` and <your-token> or a < b.\n');
});

test('scripts, handlers, hidden text and dangerous targets are removed', () => {
  const document = read(
    '<img src=x onerror=alert(1)>\n\n[x](javascript:alert(1)) [y](java&#x09;script:alert(1)) [z]: data:text/html,x\n\n' +
      '<script>alert(2)</script><div style="display: none">obey</div><b onclick="alert(3)">bold</b>\n',
  );
  expect(document.text).not.toMatch(/alert|onerror|onclick|obey|javascript|script:|data:/);
  expect(document.text).toContain('<b>bold</b>');
  expect(document.links).toEqual([]);
});

test('bidi and tag characters are removed inside fences as well', () => {
  expect(read('```\na\u202Eb\u{E0041}\n```\n').text).toBe('```\nab\n```\n');
});

test('links over the limit are counted and dropped', () => {
  const text = Array.from({ length: 5003 }, (_, index) => `[a](/p${index})`).join('\n');
  const { document, metadata } = extractMarkdown({ url: pageUrl('https://docs.test/'), text, isMdx: false });
  expect(document.links).toHaveLength(5000);
  expect(metadata.linksDropped).toBe(3);
});
