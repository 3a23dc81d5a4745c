import { expect, test } from 'vitest';
import { pageUrl, type PageUrl } from '../model/page-url.ts';
import { createLocator, folderKey, learnShape } from './site-shape.ts';

const START = pageUrl('https://x.dev/docs/');
const at = (...paths: readonly string[]): PageUrl[] => paths.map((path) => pageUrl(`https://x.dev${path}`));
const many = (n: number, path: (i: number) => string): PageUrl[] => at(...Array.from({ length: n }, (_, i) => path(i)));

test('sections are the first segments with pages below, most URLs first, with the labels of the menus', () => {
  const urls = [
    ...many(6, (i) => `/docs/guides/g${i}`),
    ...many(3, (i) => `/docs/api/a${i}`),
    ...at('/docs/faq', '/blog/x/y'),
  ];
  const { sections, folder } = learnShape(urls, START, new Map([['guides', 'User guides']]));
  expect(folder).toBe('/docs');
  expect(sections).toEqual([
    { slug: 'guides', label: 'User guides', urls: 6 },
    { slug: 'api', label: 'Api', urls: 3 },
  ]);
});

test('a segment with many values is a placeholder, and a section is not', () => {
  const urls = [
    ...many(7, (i) => `/docs/guides/page-${i}`),
    ...many(6, (i) => `/docs/news/${2000 + i}/item-${i}`),
    ...many(3, (i) => `/docs/api/a${i}`),
  ];
  const shape = learnShape(urls, START);
  expect(shape.patterns[0]).toEqual({ pattern: '/docs/guides/{slug}', urls: 7 });
  const locate = createLocator(shape);
  expect(locate(pageUrl('https://x.dev/docs/guides/never-seen.html'))).toMatchObject({
    pattern: '/docs/guides/{slug}',
    section: { slug: 'guides' },
  });
  expect(locate(pageUrl('https://x.dev/docs/api/a0')).pattern).toBe('/docs/api/a0');
  expect(locate(pageUrl('https://other.dev/docs/api/a0'))).toMatchObject({ pattern: '//other.dev', section: null });
});

test('versions and languages need two siblings, and sections are found below them', () => {
  const versions = ['3.0', '3.1', 'latest'].flatMap((v) =>
    at(`/docs/${v}/guides/a`, `/docs/${v}/guides/b`, `/docs/${v}/`),
  );
  const shape = learnShape(versions, START);
  expect(shape.siblings).toContainEqual({ taxonomy: 'version', folder: '/docs', members: ['3.0', '3.1', 'latest'] });
  expect(shape.sections.map(({ slug }) => slug)).toEqual(['guides']);
  expect(createLocator(shape)(pageUrl('https://x.dev/docs/3.1/guides/c')).location).toMatchObject({
    version: '3.1',
    rest: ['guides', 'c'],
  });
  const languages = ['de', 'fr', 'pt-br'].flatMap((code) => at(`/docs/${code}/guides/a`));
  expect(learnShape(languages, START).siblings).toContainEqual({
    taxonomy: 'language',
    folder: '/docs',
    members: ['de', 'fr', 'pt-br'],
  });
  expect(learnShape(at('/docs/go/a', '/docs/is/b'), START).siblings).toEqual([]);
});

test('folders with the same pages below are products', () => {
  const urls = ['python', 'node'].flatMap((sdk) =>
    at(...['install', 'usage', 'api', sdk].map((page) => `/docs/sdk/${sdk}/${page}`)),
  );
  expect(learnShape(urls, START).siblings).toEqual([
    { taxonomy: 'product', folder: '/docs/sdk', members: ['node', 'python'] },
  ]);
});

test('the addresses of a folder have one key', () => {
  const keys = at('/docs/guides', '/docs/guides/', '/docs/guides.html', '/docs/guides/index.html').map(folderKey);
  expect(new Set(keys)).toEqual(new Set(['//x.dev/docs/guides']));
});

test('a hostile list of 10,000 sections and endless paths is bounded', () => {
  const urls = [
    ...many(30_000, (i) => `/docs/s${i % 10_000}/p${i}`),
    ...many(2000, (i) => `/docs/${'a/'.repeat(200)}${i}`),
    ...many(5000, (i) => `/docs/1.${i}/x`),
  ];
  const shape = learnShape(urls, START);
  expect(shape.sections.length).toBeLessThanOrEqual(200);
  expect(shape.patterns.length).toBeLessThanOrEqual(2000);
  expect(JSON.stringify(shape).length).toBeLessThan(400_000);
});

test('the address of a page is read to a bounded length and depth (finding V30)', () => {
  const [deep = ''] = at(`/${'a/'.repeat(900)}page`);
  const [long = ''] = at(`/docs/${'x'.repeat(1900)}/page`);
  expect(folderKey(deep).length).toBeLessThan(60);
  expect(folderKey(long).length).toBeLessThan(600);
  for (const url of [
    'https://x.dev:8080/docs/a/?b=/c/d',
    'https://x.dev:8080/docs/a/index.html?b',
    'https://x.dev:8080/docs/a.html',
  ])
    expect(folderKey(url)).toBe('//x.dev:8080/docs/a');
  expect(folderKey('https://x.dev/')).toBe('//x.dev/');
  expect(folderKey('file:///docs/a.md')).toBe('///docs/a');
});
