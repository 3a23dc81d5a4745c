// What a crawl with a maximum depth stores does not depend on which page responds first.

import { afterEach, expect, test, vi } from 'vitest';
import { createCrawler, type Crawler } from '../../support/crawl.ts';
import { docPage, startDocSite, type DocSite } from '../../support/scripted-site.ts';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import { pinakesError } from '../../../src/core/model/errors.ts';
import { openTestPostgres, openTestSqlite, type OpenTestStore } from '../../support/stores.ts';

vi.setConfig({ testTimeout: 90_000 });

const closing: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});

type Links = Readonly<Record<string, readonly string[]>>;

/** The target is three links away by one path, and two by the other. */
const TWO_PATHS: Links = {
  '/docs/': ['/docs/one', '/docs/other'],
  '/docs/one': ['/docs/middle'],
  '/docs/middle': ['/docs/target'],
  '/docs/other': ['/docs/target'],
  '/docs/target': ['/docs/beyond'],
};

/** `failing` responds with an error once. */
async function open(links: () => Links, slow: string, failing = ''): Promise<DocSite> {
  let hasFailed = false;
  const site = await startDocSite({}, ({ url = '', headers }, response) => {
    const page = links()[url] ?? (url.startsWith('/docs/') ? [] : null);
    if (page === null) return void response.writeHead(404).end();
    if (url === failing && !hasFailed) {
      hasFailed = true;
      return void response.writeHead(503).end();
    }
    const etag = `"${page.join(' ')}"`;
    if (headers['if-none-match'] === etag) return void response.writeHead(304).end();
    response.setHeader('content-type', 'text/html').setHeader('etag', etag);
    setTimeout(() => response.end(docPage(url, page)), url === slow ? 1000 : 0);
  });
  closing.push(site);
  return site;
}

async function storedPaths(crawler: Crawler, site: DocSite): Promise<readonly string[]> {
  return (await crawler.stored()).map((url) => url.slice(site.origin.length));
}

const DEPTH_TWO = ['/docs/', '/docs/middle', '/docs/one', '/docs/other', '/docs/target'];

test.each([
  ['SQLite', openTestSqlite, '/docs/one'],
  ['SQLite', openTestSqlite, '/docs/other'],
  ['PostgreSQL', openTestPostgres, '/docs/other'],
])('%s: the shortest path counts, although another was found first (finding B18)', async (_, openStore, slow) => {
  const site = await open(() => TWO_PATHS, slow);
  const crawler = await createCrawler({ open: openStore });
  closing.push(crawler);
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic', maxDepth: 2 });
  expect(run).toMatchObject({ state: 'completed', counts: { new: 5, excluded: 1 } });
  expect(await storedPaths(crawler, site)).toEqual(DEPTH_TWO);
  expect(await crawler.store.verify()).toEqual([]);
});

test('a URL that was too deep is admitted when a page links to it directly (finding B18)', async () => {
  let links: Links = { ...TWO_PATHS, '/docs/other': [] };
  const site = await open(() => links, '');
  const crawler = await createCrawler();
  closing.push(crawler);
  const start = `${site.origin}/docs/`;
  expect(await crawler.crawl(start, { preset: 'basic', maxDepth: 2 })).toMatchObject({
    counts: { new: 4, excluded: 1 },
  });
  links = TWO_PATHS;
  expect(await crawler.crawl(start)).toMatchObject({ counts: { new: 1, changed: 1, unchanged: 3, excluded: 1 } });
  expect(await storedPaths(crawler, site)).toEqual(DEPTH_TWO);
  expect(await crawler.store.verify()).toEqual([]);
});

test('a page that needs a second try admits what was too deep without it (finding V20)', async () => {
  const site = await open(() => TWO_PATHS, '', '/docs/other');
  const crawler = await createCrawler({ limits: { retryBaseMs: 1500 } });
  closing.push(crawler);
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic', maxDepth: 2 });
  expect(run).toMatchObject({ state: 'completed', counts: { new: 5, excluded: 1 } });
  expect(await storedPaths(crawler, site)).toEqual(DEPTH_TWO);
  expect(await crawler.store.verify()).toEqual([]);
});

/** The middle is three links away by one path, and two by the page that fails once. */
const BEHIND: Links = {
  '/docs/': ['/docs/one', '/docs/other'],
  '/docs/one': ['/docs/two'],
  '/docs/two': ['/docs/middle'],
  '/docs/other': ['/docs/middle'],
  '/docs/middle': ['/docs/leaf', '/docs/picture.png'],
  '/docs/leaf': ['/docs/beyond'],
};

test.each([
  ['SQLite', openTestSqlite],
  ['PostgreSQL', openTestPostgres],
])(
  '%s: the links of a page that was fetched on a longer path are offered again by the shorter one',
  async (_, openStore) => {
    const site = await open(() => BEHIND, '', '/docs/other');
    const crawler = await createCrawler({ open: openStore, limits: { retryBaseMs: 1500 } });
    closing.push(crawler);
    const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic', maxDepth: 3 });
    expect(run).toMatchObject({ state: 'completed', counts: { new: 6, excluded: 2 } });
    expect(await storedPaths(crawler, site)).toContain('/docs/leaf');
    expect(site.pages().filter((path) => path === '/docs/middle')).toHaveLength(1);
    const [source] = await crawler.store.sources.list();
    const middle = pageUrl(`${site.origin}/docs/middle`);
    expect(await crawler.store.frontier.locate(source!.versions[0]!.id, middle)).toMatchObject({ depth: 2 });
    expect(await crawler.store.verify()).toEqual([]);
  },
);

/** The first source that is read while there is a run fails. */
const openWithoutSource: OpenTestStore = async (options) => {
  const opened = await openTestSqlite(options);
  const { sources, runs } = opened.store;
  let hasFailed = false;
  const byId: typeof sources.byId = async (id) => {
    if (!hasFailed && (await runs.live()).length > 0) {
      hasFailed = true;
      throw pinakesError('database.unreachable', { reason: 'gone' });
    }
    return sources.byId(id);
  };
  return { ...opened, store: { ...opened.store, sources: { ...sources, byId } } };
};

test('a database call that fails at the start costs no page (finding V16)', async () => {
  const site = await open(() => TWO_PATHS, '/docs/other');
  const crawler = await createCrawler({ open: openWithoutSource });
  closing.push(crawler);
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic', maxDepth: 2 });
  expect(run).toMatchObject({ state: 'completed', counts: { new: 5, excluded: 1 } });
  expect(await storedPaths(crawler, site)).toEqual(DEPTH_TWO);
});
