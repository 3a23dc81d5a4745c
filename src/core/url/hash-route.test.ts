import { describe, expect, test } from 'vitest';
import type { Link } from '../model/document.ts';
import { pageUrl, type PageUrl } from '../model/page-url.ts';
import { createHashRoutes, hashRouteLinks, hashRouteOf, withHashRoute, withoutHashRoute } from './hash-route.ts';

const START = pageUrl('https://docs.example.dev/');

test.each([
  ['#/guide', '#/guide'],
  ['https://docs.example.dev/#!/guide/install', '#!/guide/install'],
  ['#/guide?id=install', '#/guide'],
  ['#/guide#install', '#/guide'],
  ['#/a/../b', '#/b'],
  ['#/', null],
  ['#install', null],
  ['https://docs.example.dev/guide', null],
  [`#/${'x'.repeat(600)}`, null],
])('the route of %s is %s', (href, route) => expect(hashRouteOf(href)).toBe(route));

test('a route is added to the document, and taken off', () => {
  const url = withHashRoute(START, '#/guide');
  expect(url).toBe('https://docs.example.dev/#/guide');
  expect(withHashRoute(url, '#/other')).toBe('https://docs.example.dev/#/other');
  expect(withoutHashRoute(url)).toBe(START);
});

test('links to routes of the same document are pages, each once', () => {
  const link = (href: string, rel: readonly string[] = []): Link => ({ href, text: href, rel, inContent: true });
  const links = ['#/a', '#/a?id=x', '#top', '/other#/b', 'https://docs.example.dev/#/c', '#/self'].map((href) =>
    link(href),
  );
  const page = withHashRoute(START, '#/self');
  const found = hashRouteLinks({ page, depth: 1 }, [...links, link('#/d', ['nofollow'])]);
  expect(found.map(({ url, depth }) => [url, depth])).toEqual([
    ['https://docs.example.dev/#/a', 2],
    ['https://docs.example.dev/#/c', 2],
  ]);
});

describe('a document', () => {
  const text = Array.from({ length: 10 }, (_, nth) => `The line number ${nth} of the page`).join('\n');
  const route = 'https://docs.example.dev/#/pets/add' as PageUrl;

  test('whose routes show its own text again has none', () => {
    const routes = createHashRoutes();
    expect(routes.knowsDocumentOf(route)).toBe(false);
    routes.record(START, text);
    expect(routes.knowsDocumentOf(route)).toBe(true);
    expect(routes.hasRoutes(route)).toBe(true);
    expect(routes.isSection(route, `${text}\nand the parameters of one operation`)).toBe(true);
    expect(routes.hasRoutes(START)).toBe(false);
  });

  test('whose routes show other texts has them', () => {
    const routes = createHashRoutes();
    routes.record(START, text);
    expect(routes.isSection(route, 'Another page\nwith other lines\nof text')).toBe(false);
    expect(routes.isSection(START, text)).toBe(false);
    expect(routes.hasRoutes(START)).toBe(true);
  });
});
