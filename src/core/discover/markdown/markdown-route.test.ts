import { expect, test } from 'vitest';
import { pageUrl, type PageUrl } from '../../model/page-url.ts';
import {
  markdownProblem,
  markdownRouteVerdict,
  markdownVariant,
  pageOfVariant,
  areHtmlFiles,
  createProbePicker,
  folderVariant,
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
] as const)('by %s, %s has the variant %s', (route, path, variant) => {
  expect(markdownVariant(pageUrl(X + path), route)).toBe(X + variant);
});

test('a text file has no variant', () => {
  expect(markdownVariant(pageUrl(`${X}/a.md`), 'suffix')).toBeNull();
});

test('a query string is kept in the variant', () => {
  expect(markdownVariant(pageUrl(`${X}/a?v=2`), 'suffix')).toBe(`${X}/a.md?v=2`);
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
] as const)('by %s, the variant %s belongs to %s', (route, variant, page) => {
  expect(pageOfVariant(pageUrl(X + variant), route)).toBe(page === null ? null : X + page);
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

test('the first route that works for every page is the route of the host', () => {
  const probes = ['/a', '/b', '/c'].flatMap((page) => [
    probe(page, 'suffix', page === '/b' ? null : page),
    probe(page, 'index-html', page),
  ]);
  expect(markdownRouteVerdict(probes)).toEqual({ kind: 'route', route: 'index-html' });
});

test('a host that responds to every URL with the same text has no route', () => {
  expect(markdownRouteVerdict(['/a', '/b', '/c'].map((page) => probe(page, 'suffix', 'same'))).kind).toBe('none');
  expect(markdownRouteVerdict([]).kind).toBe('none');
});

function pick(pages: readonly PageUrl[], listed: readonly PageUrl[] = []): readonly PageUrl[] {
  const picker = createProbePicker(listed);
  for (const page of pages) picker.add(page);
  return picker.picked();
}

test('the pages to probe do not depend on the order of discovery', () => {
  const pages = Array.from({ length: 50 }, (_, i) => pageUrl(`${X}/p${i}`));
  const chosen = pick([pageUrl(`${X}/`), ...pages]);
  expect(chosen).toHaveLength(3);
  expect(pick([...pages, ...pages].toReversed())).toEqual(chosen);
  expect(pick([pageUrl(`${X}/`), ...pages.slice(0, 2), ...pages.slice(0, 2)])).toHaveLength(2);
});

test('pages whose variants are listed are probed, if there are enough of them', () => {
  const paths = ['/a.html', '/b.html', '/c.html', '/changes.html', '/d.html', '/e.html', '/f.html'];
  const pages = paths.map((path) => pageUrl(X + path));
  const listed = ['/a.html.md', '/b.html.md', '/c.html.md', '/changes.html', '/other.html.md'].map((path) =>
    pageUrl(X + path),
  );
  expect(pick(pages, listed).toSorted()).toEqual(pages.slice(0, 3));
  expect(pick(pages, listed.slice(1))).toEqual(pick(pages));
});

test('on hosts with .html files the variant of a folder is next to its index file', () => {
  expect(folderVariant(pageUrl(`${X}/guide/`), 'suffix')).toBe(`${X}/guide/index.html.md`);
  expect(folderVariant(pageUrl(`${X}/guide`), 'suffix')).toBeNull();
  expect(folderVariant(pageUrl(`${X}/guide/`), 'replace')).toBeNull();
});

test('a host has HTML files if the probed pages are HTML files', () => {
  const files = ['/a.html', '/b/index.html', '/c.htm'].map((path) => pageUrl(X + path));
  expect(areHtmlFiles(files)).toBe(true);
  expect(areHtmlFiles([...files.slice(1), pageUrl(`${X}/d`)])).toBe(false);
  expect(areHtmlFiles([])).toBe(false);
});
