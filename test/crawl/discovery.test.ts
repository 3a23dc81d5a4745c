// Where a crawl discovers pages, in which order, and what it takes from each source.

import { afterEach, expect, test } from 'vitest';
import { pageUrl } from '../../src/core/model/page-url.ts';
import type { RunId } from '../../src/core/model/run.ts';
import { createCrawler, type Crawler } from '../support/crawl.ts';
import { docPage, startDocSite, status, type PageResponse, type DocSite } from '../support/doc-pages.ts';

const closing: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});

async function open(paths: Readonly<Record<string, PageResponse>>): Promise<DocSite> {
  const site = await startDocSite(paths);
  closing.push(site);
  return site;
}

async function newCrawler(): Promise<Crawler> {
  const crawler = await createCrawler();
  closing.push(crawler);
  return crawler;
}

/** The path of each URL of the run that was settled as a page, with the level that found it. */
async function found(crawler: Crawler, run: RunId): Promise<Readonly<Record<string, string>>> {
  const { urls } = await crawler.store.frontier.urls(run, { outcome: 'new', after: null, limit: 1000 });
  return Object.fromEntries(urls.map(({ url, foundBy }) => [new URL(url).pathname, foundBy]));
}

const requested = (site: DocSite): string[] => site.requests.map(({ url }) => url);
const TEXT = 'A page that says in full sentences what one has to know, long enough to be worth keeping. '.repeat(5);
const sitemapOf = (...urls: readonly string[]): string =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls
    .map((url) => `<url><loc>${url}</loc></url>`)
    .join('')}</urlset>`;

test('[D1] llms.txt next to the start takes precedence over the one at the root, and an HTML page is not accepted as one', async () => {
  const site = await open({
    '/docs/': docPage('start'),
    '/docs/llms.txt': '<!doctype html><title>Nothing here</title><p>This page does not exist.</p>',
    '/docs/a': docPage('a'),
    '/docs/b': docPage('b'),
    '/llms.txt': '# Site\n\n- [B](/docs/b): the second\n',
  });
  const crawler = await newCrawler();
  const run = await crawler.crawl(`${site.origin}/docs/`);
  expect(await found(crawler, run.id)).toEqual({ '/docs/': 'seed', '/docs/b': 'llms-txt' });
  expect(requested(site).filter((path) => path.endsWith('llms.txt'))).toEqual(['/docs/llms.txt', '/llms.txt']);

  const nextToStart = await open({
    '/docs/': docPage('start'),
    '/docs/llms.txt': '# Docs\n\n- [A](/docs/a): the first\n',
    '/docs/a': docPage('a'),
    '/llms.txt': '# Site\n\n- [B](/docs/b): the second\n',
  });
  const second = await newCrawler();
  const other = await second.crawl(`${nextToStart.origin}/docs/`);
  expect(await found(second, other.id)).toEqual({ '/docs/': 'seed', '/docs/a': 'llms-txt' });
  expect(requested(nextToStart)).not.toContain('/llms.txt');
});

test('[D1] the URL of llms.txt can be set, and then no other is requested', async () => {
  const site = await open({
    '/docs/': docPage('start'),
    '/docs/a': docPage('a'),
    '/ai/index.txt': '# Docs\n\n- [A](/docs/a): the first\n',
    '/llms.txt': '# Site\n\n- [B](/docs/b): the second\n',
  });
  const crawler = await newCrawler();
  const run = await crawler.crawl(`${site.origin}/docs/`, { llmsTxt: `${site.origin}/ai/index.txt` });
  expect(await found(crawler, run.id)).toEqual({ '/docs/': 'seed', '/docs/a': 'llms-txt' });
  expect(requested(site).filter((path) => path.endsWith('llms.txt'))).toEqual([]);
});

test('[D2] pages in llms-full.txt are stored under their own URLs without being requested', async () => {
  const part = (title: string, path: string): string => `# ${title}\nSource: ORIGIN${path}\n\n${title}: ${TEXT}\n\n`;
  let origin = '';
  const site = await open({
    '/': docPage('start', ['/a', '/c']),
    '/c': docPage('c'),
    '/llms.txt': '# Site\n\n- [A](/a): the first\n- [B](/b): the second\n',
    '/llms-full.txt': (_, response) => {
      response.setHeader('content-type', 'text/plain');
      response.end((part('A', '/a') + part('B', '/b')).replaceAll('ORIGIN', origin));
    },
  });
  origin = site.origin;
  const crawler = await newCrawler();
  const run = await crawler.crawl(`${site.origin}/`);
  expect(await found(crawler, run.id)).toEqual({ '/': 'seed', '/a': 'llms-full', '/b': 'llms-full', '/c': 'link' });
  // One of them is requested for its first byte, to see whether the host responds with Markdown.
  expect(site.pages().filter((path) => path === '/a' || path === '/b').length).toBeLessThan(2);
});

test('[D3] [D4] each page records the level that found it; links are followed from every one', async () => {
  const site = await open({
    '/docs/': docPage('start', ['/docs/linked', '/docs/listed']),
    '/docs/llms.txt': '# Docs\n\n- [Listed](/docs/listed): in both\n- [Dead](/docs/dead): not there\n',
    '/docs/listed': docPage('listed', ['/docs/behind-listed']),
    '/docs/behind-listed': docPage('behind listed'),
    '/docs/linked': docPage('linked'),
    '/docs/mapped': docPage('mapped'),
    '/docs/dead': status(500),
    '/sitemap.xml': (_, response) => {
      response.setHeader('content-type', 'application/xml');
      response.end(sitemapOf(`${site.origin}/docs/mapped`, `${site.origin}/docs/listed`));
    },
  });
  const crawler = await newCrawler();
  const run = await crawler.crawl(`${site.origin}/docs/`);
  expect(await found(crawler, run.id)).toEqual({
    '/docs/': 'seed',
    '/docs/behind-listed': 'link',
    '/docs/linked': 'link',
    '/docs/listed': 'llms-txt',
    '/docs/mapped': 'sitemap',
  });
  expect(run).toMatchObject({ state: 'partial', counts: { failed: 1 } });
});

test('[D5] llms.txt and llms-full.txt are not documents, although pages link to them', async () => {
  const site = await open({
    '/': docPage('start', ['/llms.txt', '/llms-full.txt', '/a']),
    '/a': docPage('a'),
    '/llms.txt': '# Site\n\n- [A](/a): the first\n',
    '/llms-full.txt': `# Nothing that can be told apart\n\n${TEXT}`,
  });
  const crawler = await newCrawler();
  await crawler.crawl(`${site.origin}/`, { include: ['/**'] });
  expect(await crawler.stored()).toEqual([`${site.origin}/`, `${site.origin}/a`]);
});

test('[D6] [D7] Markdown is requested if a site has it, and each page is stored once', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const markdown =
    (name: string): PageResponse =>
    (_, response) => {
      response.setHeader('content-type', 'text/markdown; charset=utf-8');
      response.end(`# ${name}\n\nThis is the page about ${name}. ${TEXT}\n`);
    };
  const links = names.map((name) => `/${name}`);
  const site = await open({
    '/': docPage('start', links),
    '/sitemap.xml': (_, response) => {
      response.setHeader('content-type', 'application/xml');
      response.end(sitemapOf(...links.map((path) => `${site.origin}${path}`)));
    },
    ...Object.fromEntries(
      names.flatMap((name) => [
        [`/${name}`, docPage(name)],
        [`/${name}.md`, markdown(name)],
      ]),
    ),
  });
  const crawler = await newCrawler();
  await crawler.crawl(`${site.origin}/`);
  expect(await crawler.stored()).toEqual([`${site.origin}/`, ...links.map((path) => `${site.origin}${path}`)]);
  const [source] = await crawler.store.sources.list();
  const page = await crawler.store.pages.get(source!.versions[0]!.id, pageUrl(`${site.origin}/d`));
  expect(page).toMatchObject({ mediaType: 'text/markdown; charset=utf-8' });
  const accepts = site.requests.filter(({ url }) => url === '/').map(({ headers }) => headers['accept']);
  expect(accepts[0]).toMatch(/^text\/markdown/);
});

test('[S6] a query parameter rule decides whether a parameter makes a different page', async () => {
  const site = await open({
    '/docs/': docPage('start', ['/docs/?page=2', '/docs/?page=2&sort=name', '/docs/?view=print', '/docs/?lang=de']),
    '/docs/?page=2': docPage('second'),
  });
  const crawler = await newCrawler();
  const query = ['page=keep', 'sort=drop', 'view=skip', '*=drop'];
  const run = await crawler.crawl(`${site.origin}/docs/`, { query, preset: 'basic' });
  expect(await crawler.stored()).toEqual([`${site.origin}/docs/`, `${site.origin}/docs/?page=2`]);
  const excluded = await crawler.store.frontier.reasons(run.id, 'excluded', 10);
  expect(excluded).toMatchObject([{ times: 1, example: `${site.origin}/docs/?view=print` }]);
  expect(site.pages()).toEqual(['/docs/', '/docs/?page=2']);
});
