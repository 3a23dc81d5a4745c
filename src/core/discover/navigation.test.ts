import { expect, test } from 'vitest';
import { extractHtml } from '../extract/html/extract-html.ts';
import type { Link } from '../model/document.ts';
import { pageUrl, parsePageUrl } from '../model/page-url.ts';
import { MAX_NAVIGATION_ENTRIES, navigationOf } from './navigation.ts';

const PAGE = pageUrl('https://x.dev/docs/');
const any = (href: string) => parsePageUrl(href, PAGE);

const HTML = `<!doctype html><title>Docs</title><body>
<header><nav><ul><li><a href="/docs/guides/">Guides</a><ul><li><a href="/docs/guides/install">Install  it</a></li></ul></li></ul></nav></header>
<main><h1>Docs</h1><p>${'A page has text that says something to its readers. '.repeat(20)}<a href="/docs/faq">the FAQ</a> and <a href="/docs/guides/install">how to install</a></p></main>
<footer><ul><li><a href="/legal">Legal</a></li></ul></footer></body>`;

test('the entries of menus have their labels and levels; links of the text and of the footer are left out', () => {
  const { links } = extractHtml({ url: PAGE, html: HTML });
  expect(navigationOf(links, any)).toEqual([
    { url: 'https://x.dev/docs/guides/', label: 'Guides', level: 1 },
    { url: 'https://x.dev/docs/guides/install', label: 'Install it', level: 2 },
  ]);
});

const link = (href: string, more: Partial<Link> = {}): Link => ({ href, text: 'x', rel: [], inContent: true, ...more });

test('a page without menus, such as one in Markdown, has the links of its text', () => {
  expect(navigationOf([link('https://x.dev/a'), link('https://x.dev/b')], any)).toMatchObject([
    { url: 'https://x.dev/a', level: 2 },
    { url: 'https://x.dev/b', level: 2 },
  ]);
});

test('a link that the crawl may not follow is left out, and a repeated one has its outermost level', () => {
  const links = [
    link('https://x.dev/a', { level: 3 }),
    link('https://x.dev/a', { level: 1 }),
    link('https://other.dev/', { level: 1 }),
  ];
  const own = (href: string) => (href.startsWith('https://x.dev') ? pageUrl(href) : null);
  expect(navigationOf(links, own)).toEqual([{ url: 'https://x.dev/a', label: 'x', level: 1 }]);
});

test('a hostile menu of 100,000 links is cut', () => {
  const links = Array.from({ length: 100_000 }, (_, i) => link(`https://x.dev/${i}`, { level: 1 }));
  expect(navigationOf(links, any)).toHaveLength(MAX_NAVIGATION_ENTRIES);
});
