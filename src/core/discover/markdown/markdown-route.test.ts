import { expect, test } from 'vitest';
import { pageUrl } from '../../model/page-url.ts';
import {
  markdownAlternate,
  markdownCandidates,
  markdownProblem,
  markdownRouteVerdict,
  markdownTwin,
  pageOfTwin,
  areHtmlFiles,
  otherTwin,
  pagesToProbe,
  pagesWithTwins,
  type MarkdownRoute,
  type RouteProbe,
} from './markdown-route.ts';

const X = 'https://x.dev';

test.each([
  ['suffix', '/a.html', '/a.html.md'],
  ['suffix', '/a', '/a.md'],
  ['suffix', '/a/', '/a.md'],
  ['suffix', '/', '/index.md'],
  ['replace', '/a.html', '/a.md'],
  ['replace', '/a/', '/a/index.md'],
  ['index-html', '/a', '/a/index.html.md'],
  ['index-html', '/a/', '/a/index.html.md'],
  ['html-suffix', '/a', '/a.html.md'],
] as const)('%s gives %s the twin %s', (route, path, twin) => {
  expect(markdownTwin(pageUrl(X + path), route)).toBe(X + twin);
});

test('a text has no twin', () => {
  expect(markdownCandidates(pageUrl(`${X}/a.md`), null)).toEqual([]);
});

test('a query string stays with the twin', () => {
  expect(markdownTwin(pageUrl(`${X}/a?v=2`), 'suffix')).toBe(`${X}/a.md?v=2`);
});

function urls(page: string, alternate: string | null = null): string[] {
  const tried = markdownCandidates(pageUrl(X + page), alternate === null ? null : pageUrl(X + alternate));
  return tried.map(({ url }) => url.slice(X.length));
}

test('each address is tried once, in order of preference', () => {
  expect(urls('/a')).toEqual(['/a.md', '/a/index.html.md', '/a.html.md']);
  expect(urls('/a/')).toEqual(['/a.md', '/a/index.md', '/a/index.html.md', '/a.html.md']);
  expect(urls('/a.html', '/raw/a.md')).toEqual(['/a.html.md', '/a.md', '/raw/a.md']);
});

test.each([
  ['suffix', '/a.html.md', '/a.html'],
  ['suffix', '/a.md', '/a'],
  ['suffix', '/index.md', '/'],
  ['replace', '/a.md', '/a.html'],
  ['replace', '/a/index.md', '/a/'],
  ['index-html', '/a/index.html.md', '/a/'],
  ['html-suffix', '/a.html.md', '/a'],
  ['index-html', '/a.md', null],
  ['alternate', '/a.md', null],
  ['suffix', '/a.html', null],
] as const)('by %s the twin %s is of %s', (route, twin, page) => {
  expect(pageOfTwin(pageUrl(X + twin), route)).toBe(page === null ? null : X + page);
});

test('the alternate of a page is its link of the Markdown type', () => {
  const links = [
    { rel: ['alternate'], type: 'application/rss+xml', href: '/feed' },
    { rel: ['alternate'], type: 'text/markdown; charset=utf-8', href: 'a.md' },
  ];
  expect(markdownAlternate(links, pageUrl(`${X}/docs/a`))).toBe(`${X}/docs/a.md`);
  expect(markdownAlternate(links.slice(0, 1), pageUrl(`${X}/docs/a`))).toBeNull();
});

test.each([
  [200, 'text/markdown', '# A', null],
  [200, 'text/plain; charset=utf-8', '# A', null],
  [200, 'text/html', '# A', 'type text/html'],
  [200, 'text/markdown', '<!doctype html><p>', 'the body is HTML'],
  [200, 'application/octet-stream', '# A', 'type application/octet-stream'],
  [200, 'text/markdown', ' \n', 'the body is empty'],
  [404, 'text/markdown', '# A', 'status 404'],
])('status %s, type %s, body %s: %s', (status, mediaType, body, problem) => {
  expect(markdownProblem({ status, mediaType, body })).toBe(problem);
});

const probe = (page: string, route: MarkdownRoute, contentHash: string | null): RouteProbe => ({
  page: pageUrl(X + page),
  route,
  contentHash,
});

test('the first way that works for every page is the route of the host', () => {
  const probes = ['/a', '/b', '/c'].flatMap((page) => [
    probe(page, 'suffix', page === '/b' ? null : page),
    probe(page, 'index-html', page),
  ]);
  expect(markdownRouteVerdict(probes)).toEqual({ kind: 'route', route: 'index-html' });
});

test('a host that answers every address with the same text has no route', () => {
  expect(markdownRouteVerdict(['/a', '/b', '/c'].map((page) => probe(page, 'suffix', 'same'))).kind).toBe('none');
  expect(markdownRouteVerdict([]).kind).toBe('none');
});

test('the pages to probe do not depend on the order in which pages were found', () => {
  const pages = Array.from({ length: 50 }, (_, i) => pageUrl(`${X}/p${i}`));
  const chosen = pagesToProbe([pageUrl(`${X}/`), ...pages]);
  expect(chosen).toHaveLength(3);
  expect(pagesToProbe([...pages, ...pages].toReversed())).toEqual(chosen);
});

test('pages whose twins are listed are the ones to probe, where there are enough of them', () => {
  const pages = ['/a.html', '/b.html', '/c.html', '/changes.html'].map((path) => pageUrl(X + path));
  const listed = ['/a.html.md', '/b.html.md', '/c.html.md', '/changes.html', '/other.html.md'].map((path) =>
    pageUrl(X + path),
  );
  expect(pagesWithTwins(pages, listed)).toEqual(pages.slice(0, 3));
  expect(pagesWithTwins(pages, listed.slice(1))).toEqual(pages);
  expect(pagesWithTwins(pages, [])).toEqual(pages);
});

test('a folder has its twin beside its index file where files end in .html', () => {
  expect(otherTwin(pageUrl(`${X}/guide/`), 'suffix')).toBe(`${X}/guide/index.html.md`);
  expect(otherTwin(pageUrl(`${X}/guide`), 'suffix')).toBeNull();
  expect(otherTwin(pageUrl(`${X}/guide/`), 'replace')).toBeNull();
});

test('a host has HTML files where the pages that are probed are such', () => {
  const files = ['/a.html', '/b/index.html', '/c.htm'].map((path) => pageUrl(X + path));
  expect(areHtmlFiles([...files, pageUrl(`${X}/`)])).toBe(true);
  expect(areHtmlFiles([...files.slice(1), pageUrl(`${X}/d`)])).toBe(false);
  expect(areHtmlFiles([])).toBe(false);
});
