// Redirects in a crawl: admitted hop by hop, followed once, and never in cycles.

import { afterEach, expect, test } from 'vitest';
import { createCrawler, type Crawler, type CrawlOptions } from '../../support/crawl.ts';
import { redirectTo, startDocSite, type DocSite, type PageResponse } from '../../support/scripted-site.ts';

const closing: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});

const TEXT = 'This page explains at length how a crawler meets a redirect and what it has to do about it. '.repeat(4);
const htmlOf = (title: string, body = ''): string =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${title}. ${TEXT}</p>${body}</main>`;

async function site(pages: Readonly<Record<string, PageResponse>>): Promise<DocSite> {
  const server = await startDocSite(pages);
  closing.push(server);
  return server;
}

async function openCrawler(options: CrawlOptions = {}): Promise<Crawler> {
  const crawler = await createCrawler(options);
  closing.push(crawler);
  return crawler;
}

const links = (...hrefs: string[]): string => hrefs.map((href) => `<a href="${href}">${href}</a>`).join(' ');
const requestedPages = (server: DocSite): string[] =>
  server.requests.map(({ url }) => url).filter((path) => path.startsWith('/docs/'));

test('a redirect costs one request, and its target is stored once', async () => {
  const server = await site({
    '/docs/': htmlOf('Start', links('/docs/old', '/docs/older')),
    '/docs/old': redirectTo('/docs/new'),
    '/docs/older': redirectTo('/docs/new'),
    '/docs/new': htmlOf('New'),
  });
  const crawler = await openCrawler();
  const start = `http://127.0.0.1:${server.port}/docs/`;
  const run = await crawler.crawl(start, { preset: 'basic' });
  expect(run).toMatchObject({ state: 'completed', counts: { new: 2, moved: 2 } });
  expect(requestedPages(server).toSorted()).toEqual(['/docs/', '/docs/new', '/docs/old', '/docs/older']);
  expect(await crawler.store.verify()).toEqual([]);
});

test('a redirect cycle fails and is not retried', async () => {
  const server = await site({
    '/docs/': htmlOf('Start', links('/docs/a', '/docs/b', '/docs/c')),
    '/docs/a': redirectTo('/docs/b'),
    '/docs/b': redirectTo('/docs/a'),
    '/docs/c': redirectTo('/docs/c'),
  });
  const crawler = await openCrawler();
  const run = await crawler.crawl(`http://127.0.0.1:${server.port}/docs/`, { preset: 'basic' });
  expect(run).toMatchObject({ state: 'partial' });
  const outcomes = [...(await crawler.outcomes(run.id)).values()];
  expect(outcomes.filter((outcome) => outcome === 'failed: redirect: it leads back to itself')).toHaveLength(2);
  expect(requestedPages(server).length).toBeLessThan(10);
  expect(await crawler.store.verify()).toEqual([]);
});

test('two pages that each name the other as canonical are not both lost', async () => {
  const canonical = (to: string): string => `<link rel=canonical href="${to}">`;
  const server = await site({
    '/docs/': htmlOf('Start', links('/docs/a', '/docs/b')),
    '/docs/a': canonical('/docs/b') + htmlOf('A and B'),
    '/docs/b': canonical('/docs/a') + htmlOf('A and B'),
  });
  const crawler = await openCrawler();
  const start = `http://127.0.0.1:${server.port}/docs/`;
  const run = await crawler.crawl(start, { preset: 'basic' });
  expect(run.state).toBe('completed');
  expect(await crawler.stored()).toEqual([start, `${start}a`]);
  expect(await crawler.store.verify()).toEqual([]);
});

test('a redirect out of scope is excluded, and another host is not requested', async () => {
  const other = await site({ '/elsewhere': htmlOf('Elsewhere') });
  const server = await site({
    '/docs/': htmlOf('Start', links('/docs/away', '/docs/out', '/docs/through')),
    '/docs/away': redirectTo(`http://127.0.0.1:${other.port}/elsewhere`),
    '/docs/out': redirectTo('/blog/news'),
    '/docs/through': redirectTo('/count?to=inside'),
    '/blog/news': htmlOf('News'),
    '/count?to=inside': redirectTo('/docs/inside'),
    '/docs/inside': htmlOf('Inside'),
  });
  const crawler = await openCrawler();
  const start = `http://127.0.0.1:${server.port}/docs/`;
  const run = await crawler.crawl(start, { preset: 'basic' });
  expect(await crawler.stored()).toEqual([start, `${start}inside`]);
  expect(other.requests).toEqual([]);
  const excluded = await crawler.store.frontier.reasons(run.id, 'excluded', 10);
  expect(excluded.map(({ reason }) => reason.split(':')[0])).toEqual(['out-of-scope']);
  expect(run.counts.excluded).toBe(2);
  expect(await crawler.store.verify()).toEqual([]);
});

test('a page that redirects to itself with a session in its URL is still stored', async () => {
  const server = await site({
    '/docs/': redirectTo('/docs/?sid=1'),
    '/docs/?sid=1': htmlOf('Start'),
  });
  const crawler = await openCrawler();
  const start = `http://127.0.0.1:${server.port}/docs/`;
  expect(await crawler.crawl(start, { preset: 'basic' })).toMatchObject({ counts: { new: 1 } });
  expect(await crawler.stored()).toEqual([start]);
});
