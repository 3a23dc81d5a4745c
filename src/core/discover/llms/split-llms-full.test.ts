import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pageUrl } from '../../model/page-url.ts';
import { parseLlmsTxt } from './llms-txt.ts';
import type { ListedPage, LlmsFullSplit } from './llms-full-page.ts';
import { splitLlmsFull } from './split-llms-full.ts';
import { workMs } from '../../../../test/support/work-time.ts';

const GOLDEN = new URL('../../../../test/data/golden/discover/', import.meta.url);

/** The host that a golden file speaks of. */
function originOf(text: string): string {
  return /https?:\/\/[a-z.]*acme\.dev/.exec(text)?.[0] ?? 'https://acme.dev';
}

function goldenSplit(folder: URL): LlmsFullSplit {
  const text = readFileSync(new URL('llms-full.txt', folder), 'utf8');
  const origin = originOf(text);
  const list = new URL('llms.txt', folder);
  const pages = new URL('pages.txt', folder);
  const listed: ListedPage[] = [];
  if (existsSync(list)) listed.push(...parseLlmsTxt(readFileSync(list, 'utf8'), pageUrl(`${origin}/llms.txt`)).links);
  if (existsSync(pages)) {
    const urls = readFileSync(pages, 'utf8').trim().split('\n');
    listed.push(...urls.map((url) => ({ url: pageUrl(url), title: null })));
  }
  return splitLlmsFull({ text, url: pageUrl(`${origin}/llms-full.txt`), listed });
}

const folders = readdirSync(GOLDEN).filter((name) => existsSync(new URL(`${name}/llms-full.txt`, GOLDEN)));

test.each(folders)('golden: %s', async (name) => {
  const folder = new URL(`${name}/`, GOLDEN);
  const expected = fileURLToPath(new URL('expected.json', folder));
  await expect(`${JSON.stringify(goldenSplit(folder), null, 2)}\n`).toMatchFileSnapshot(expected);
});

const FILE = pageUrl('https://x.dev/llms-full.txt');
const split = (text: string, listed: readonly ListedPage[] = []) => splitLlmsFull({ text, url: FILE, listed });

test('other line ends and a byte order mark change nothing', () => {
  const text = '# A\nSource: https://x.dev/a\n\nText.\n\n# B\nSource: https://x.dev/b\n\nMore.\n';
  expect(split(`\uFEFF${text.replaceAll('\n', '\r\n')}`)).toEqual(split(text));
  expect(split(text).pages.map(({ url }) => url)).toEqual(['https://x.dev/a', 'https://x.dev/b']);
});

test('URLs of other sites start no page', () => {
  const text = '# A\nSource: https://y.dev/a\n\nText.\n\n# B\nSource: https://y.dev/b\n\nMore.\n';
  expect(split(text)).toMatchObject({ markerStyle: null, pages: [] });
});

const page = (host: string, name: string) => `# ${name}\nSource: https://${host}/${name}\n\nText.\n\n`;

test('a URL on the same domain is accepted, one that llms.txt merely links is not', () => {
  const listed = [{ url: pageUrl('https://github.test/p'), title: 'p' }];
  expect(split(page('docs.x.dev', 'a') + page('docs.x.dev', 'b'), listed).pages).toHaveLength(2);
  expect(split(page('github.test', 'p') + page('github.test', 'q'), listed).pages).toEqual([]);
});

test('sources cited late in an unmarked text start no page', () => {
  const prose = 'Long text.\n\n'.repeat(500);
  expect(
    split(`# All\n\n${prose}Source: https://x.dev/a\n\n${prose}Source: https://x.dev/b\n\n${prose}`).pages,
  ).toEqual([]);
});

test('a URL missing from llms.txt is doubted if llms.txt lists nearly all others', () => {
  const names = Array.from({ length: 20 }, (_, i) => `p${i}`);
  const text = names.map((name) => `# ${name}\nSource: https://x.dev/${name}\n\nText of ${name}.\n`).join('\n');
  const listed = names.slice(1).map((name) => ({ url: pageUrl(`https://x.dev/${name}`), title: name }));
  const { pages, gaps } = split(text, listed);
  expect(pages.map(({ title }) => title)).toEqual(names.slice(1));
  expect(gaps).toEqual([
    { firstLine: 1, lastLine: 5, reason: 'nearly all other pages are listed in llms.txt, this one is not' },
  ]);
});

test.each([
  ['rules', '---\n'],
  ['front matter without an end', '---\na: b\n'],
  ['sources', 'Source: https://x.dev/a\n\n'],
  ['open tags', '<doc url="https://x.dev/a">\n'],
  ['headings', '# a\n'],
  ['fences', '```\n'],
  ['brackets', '# ['],
  ['parentheses', '# a ('],
  ['spaces', ' '],
])('a file of nothing but %s takes little time', (_, unit) => {
  expect(workMs(() => split(unit.repeat(2_000_000 / unit.length)))).toBeLessThan(4000);
});
