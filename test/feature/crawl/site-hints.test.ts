// What a site says about its own pages besides lists of them: where their Markdown is, when they changed, which APIs it has.

import { afterEach, expect, test } from 'vitest';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import { createCrawler, type Crawler, type CrawlOptions } from '../../support/crawl.ts';
import { docMarkdown, docPage, startDocSite, type DocSite, type PageResponse } from '../../support/scripted-site.ts';

const closing: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});

async function open(paths: Readonly<Record<string, PageResponse>>): Promise<DocSite> {
  const site = await startDocSite(paths);
  closing.push(site);
  return site;
}

async function newCrawler(options: CrawlOptions = {}): Promise<Crawler> {
  const crawler = await createCrawler(options);
  closing.push(crawler);
  return crawler;
}

async function mediaTypeOf({ store }: Crawler, url: string): Promise<string | undefined> {
  const [source] = await store.sources.list();
  return (await store.pages.get(source!.versions[0]!.id, pageUrl(url)))?.mediaType;
}

/** Entries with a date, or without one. */
function sitemap(origin: () => string, entries: () => Readonly<Record<string, string | null>>): PageResponse {
  return (_, response) => {
    const urls = Object.entries(entries()).map(
      ([path, date]) => `<url><loc>${origin()}${path}</loc>${date === null ? '' : `<lastmod>${date}</lastmod>`}</url>`,
    );
    response.setHeader('content-type', 'application/xml');
    response.end(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`);
  };
}

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const PATHS = NAMES.map((name) => `/docs/${name}`);
const undated = Object.fromEntries(PATHS.map((path) => [path, null]));

/** Pages that name their Markdown, which is where no route would look for it. */
function pagesWithAlternate(more = ''): Record<string, PageResponse> {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const head = `<link rel="alternate" type="text/markdown" href="/raw?page=${name}">`;
      return [
        [`/docs/${name}`, docPage(name, [], head).replace('<ul>', `${more}<ul>`)],
        [`/raw?page=${name}`, docMarkdown(name)],
      ];
    }),
  );
}

test('Markdown that pages name is read instead of HTML, and 304 needs one request', async () => {
  const site: DocSite = await open({
    ...pagesWithAlternate(),
    '/docs/': docPage('start', PATHS),
    '/sitemap.xml': sitemap(
      () => site.origin,
      () => undated,
    ),
  });
  const crawler = await newCrawler();
  const run = await crawler.crawl(`${site.origin}/docs/`);
  expect(run).toMatchObject({ state: 'completed', counts: { new: 9, failed: 0 } });
  expect(await mediaTypeOf(crawler, `${site.origin}/docs/d`)).toBe('text/markdown; charset=utf-8');
  expect(await mediaTypeOf(crawler, `${site.origin}/docs/`), 'it names none').toBe('text/html; charset=utf-8');
  const [source] = await crawler.store.sources.list();
  expect(await crawler.store.sources.siteProfile(source!.versions[0]!.id)).toMatchObject({
    markdownRoute: 'alternate',
  });
  expect((await crawler.crawl(`${site.origin}/docs/`)).counts).toMatchObject({ unchanged: 9, changed: 0 });
});

test('Markdown that pages name and that loses their tables is not read', async () => {
  const table = '<table><tr><th>Name</th><th>Meaning</th></tr><tr><td>page</td><td>reader</td></tr></table>';
  const site: DocSite = await open({
    ...pagesWithAlternate(table),
    '/sitemap.xml': sitemap(
      () => site.origin,
      () => undated,
    ),
  });
  const crawler = await newCrawler();
  const run = await crawler.crawl(`${site.origin}/docs/`);
  expect(await mediaTypeOf(crawler, `${site.origin}/docs/d`)).toBe('text/html; charset=utf-8');
  expect((await crawler.problems(run.id)).map(({ kind }) => kind)).toContain('markdown-poor');
  expect(site.pages().filter((path) => path.startsWith('/raw')).length, 'only those of the probes').toBe(3);
});

test('a recrawl begins with the pages that the sitemap says were modified', async () => {
  let dates: Readonly<Record<string, string | null>> = Object.fromEntries(PATHS.map((path) => [path, '2020-01-01']));
  const site: DocSite = await open({
    ...Object.fromEntries(PATHS.map((path) => [path, docPage(path)])),
    '/sitemap.xml': sitemap(
      () => site.origin,
      () => dates,
    ),
  });
  const crawler = await newCrawler({ limits: { concurrency: 1 } });
  await crawler.crawl(`${site.origin}/docs/`, { preset: 'sitemap-only' });
  for (const modified of ['/docs/c', '/docs/g']) {
    dates = { ...dates, '/docs/a': 'soon', [modified]: new Date(Date.now() + 60_000).toISOString() };
    await crawler.crawl(`${site.origin}/docs/`);
  }
  const before = site.requests.length;
  dates = { ...Object.fromEntries(PATHS.map((path) => [path, '2020-01-01'])), '/docs/e': '2999-12-31' };
  await crawler.crawl(`${site.origin}/docs/`);
  // The route of the Markdown is probed before.
  const ordered = site.requests
    .slice(before)
    .map(({ url }) => url)
    .slice(-PATHS.length - 1);
  expect(ordered[0]).toBe('/docs/e');
  expect((await crawler.store.runs.list(1))[0]?.counts).toMatchObject({ unchanged: PATHS.length });
});

test('OpenAPI documents of the API catalogue are read, within the scope of the source', async () => {
  const openapi = {
    openapi: '3.1.0',
    info: { title: 'Orders', version: '1' },
    paths: {
      '/orders': {
        get: {
          summary: 'Lists the orders of a customer',
          description: 'It lists all orders of one customer, newest first, a page at a time.',
          responses: {},
        },
      },
    },
  };
  const catalog = {
    linkset: [
      {
        'service-desc': [
          { href: '/docs/openapi.json' },
          { href: '/other/openapi.json' },
          { href: 'http://10.0.0.1/openapi.json' },
        ],
      },
    ],
  };
  const json =
    (value: object): PageResponse =>
    (_, response) =>
      void response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
  const site = await open({
    '/docs/': docPage('start'),
    '/.well-known/api-catalog': json(catalog),
    '/docs/openapi.json': json(openapi),
    '/other/openapi.json': json(openapi),
  });
  const crawler = await newCrawler();
  const run = await crawler.crawl(`${site.origin}/docs/`);
  expect(await crawler.stored()).toEqual([`${site.origin}/docs/`, `${site.origin}/docs/openapi.json`]);
  const { urls } = await crawler.store.frontier.urls(run.id, { outcome: 'new', after: null, limit: 10 });
  expect(urls.map(({ foundBy }) => foundBy).toSorted()).toEqual(['api-catalog', 'seed']);
  const outcomes = await crawler.outcomes(run.id);
  expect(outcomes.get(`${site.origin}/other/openapi.json`)).toMatch(/out-of-scope/);
  expect(outcomes.get('http://10.0.0.1/openapi.json')).toMatch(/out-of-scope/);
});
