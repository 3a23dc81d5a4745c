import { expect, test } from 'vitest';
import { pageUrl } from '../../model/page-url.ts';
import { textResponseProblem } from '../text-response.ts';
import { isLlmsTxt, llmsFullLocation, llmsTxtLocations, parseLlmsTxt, siteDescription } from './llms-txt.ts';
import { workMs } from '../../../../test/support/work-time.ts';

const FILE = pageUrl('https://x.dev/docs/llms.txt');
const read = (text: string) => parseLlmsTxt(text, FILE);

test('a file that follows the specification', () => {
  const file = `# FastThing

> FastThing makes things fast.
> It has two lines.

Some details, with a [link](about.html).

## Docs

- [Quick start](https://x.dev/docs/start.md): a brief overview
- [API (v2)](/docs/api_(v2).md)

## Optional

- [History](https://y.dev/history.md): old news
`;
  expect(read(file)).toEqual({
    title: 'FastThing',
    summary: 'FastThing makes things fast.\nIt has two lines.',
    truncated: false,
    links: [
      { title: 'link', url: 'https://x.dev/docs/about.html', notes: null, section: null, optional: false },
      {
        title: 'Quick start',
        url: 'https://x.dev/docs/start.md',
        notes: 'a brief overview',
        section: 'Docs',
        optional: false,
      },
      { title: 'API (v2)', url: 'https://x.dev/docs/api_(v2).md', notes: null, section: 'Docs', optional: false },
      { title: 'History', url: 'https://y.dev/history.md', notes: 'old news', section: 'Optional', optional: true },
    ],
  });
});

test('real files have deep headings, other bullets, bare URLs, angle brackets and line ends', () => {
  const file = [
    '\uFEFF# T',
    '### Deep',
    '* [A](<a b.md> "a title") – dash notes',
    '  1. [B](b.md "b")',
    '+ https://x.dev/c.md',
    '- Name: https://x.dev/d.md',
    '### [Linked heading](e.md)',
    '[`code` **bold**](f.md)',
    '- [mail](mailto:a@x.dev), [anchor](#top), [script](javascript:x)',
  ].join('\r\n');
  expect(read(file).links.map(({ title, url, notes }) => [title, url, notes])).toEqual([
    ['A', 'https://x.dev/docs/a%20b.md', 'dash notes'],
    ['B', 'https://x.dev/docs/b.md', null],
    ['https://x.dev/c.md', 'https://x.dev/c.md', null],
    ['Name', 'https://x.dev/d.md', null],
    ['Linked heading', 'https://x.dev/docs/e.md', null],
    ['code bold', 'https://x.dev/docs/f.md', null],
  ]);
});

test('links in fenced code are ignored', () => {
  expect(read('# T\n```md\n- [x](https://x.dev/x)\n```\n- [y](y.md)').links.map(({ title }) => title)).toEqual(['y']);
});

test('a file on the web cannot name local files', () => {
  expect(read('# T\n- [x](file:///etc/passwd)').links).toEqual([]);
  expect(parseLlmsTxt('- [x](a.md)', pageUrl('file:///srv/llms.txt')).links[0]?.url).toBe('file:///srv/a.md');
});

test('hostile lines take little time', () => {
  const run = (): void => {
    for (const unit of ['](', '[](<', '[](a ', '[[[](', '[a](b', '!['])
      read(`# T\n${unit.repeat(1_000_000 / unit.length)}`);
    for (const unit of ['](\n', '- [\n', '# \n', '> \n']) read(`# T\n${unit.repeat(300_000)}`);
  };
  expect(workMs(run)).toBeLessThan(5000);
});

test.each([
  [200, 'text/plain', '# Title', true],
  [200, 'text/markdown; charset=utf-8', '- [a](b)', true],
  [200, null, '# Title', false],
  [200, 'text/html', '# Title', false],
  [200, 'text/plain', '<!DOCTYPE html><html><h1>App</h1>', false],
  [200, 'text/plain', '\n<!-- x -->\n<html lang="en">', false],
  [200, 'text/plain', 'Not found', false],
  [200, 'application/json', '{"a":"# b"}', false],
  [404, 'text/plain', '# Title', false],
  [204, 'text/plain', '', false],
])('status %s, type %s, body %s: valid is %s', (status, mediaType, body, valid) => {
  expect(textResponseProblem({ status, mediaType, body }) === null && isLlmsTxt(read(body))).toBe(valid);
});

test.each([
  ['https://x.dev/docs/intro.html', ['https://x.dev/docs/llms.txt', 'https://x.dev/llms.txt']],
  ['https://x.dev/docs/', ['https://x.dev/docs/llms.txt', 'https://x.dev/llms.txt']],
  [
    'https://x.dev/docs/intro/',
    ['https://x.dev/docs/intro/llms.txt', 'https://x.dev/docs/llms.txt', 'https://x.dev/llms.txt'],
  ],
  ['https://x.dev/docs', ['https://x.dev/docs/llms.txt', 'https://x.dev/llms.txt']],
  ['https://x.dev/', ['https://x.dev/llms.txt']],
])('the locations for %s are %s', (start, locations) => {
  expect(llmsTxtLocations(pageUrl(start))).toEqual(locations);
});

test('llms-full.txt is expected in the same folder', () => {
  expect(llmsFullLocation(FILE)).toBe('https://x.dev/docs/llms-full.txt');
});

test('the description of a site is one clean line each, at most 200 characters', () => {
  const text = `# A\u200b title\n\n> First line\n> ${'é'.repeat(300)}\n`;
  const { title, summary } = siteDescription(read(text));
  expect(title).toBe('A title');
  expect(summary).toMatch(/^First line é+…$/);
  expect(Array.from(summary ?? '')).toHaveLength(200);
  expect(siteDescription(read('- [x](https://x.dev/a)'))).toEqual({ title: null, summary: null });
});
