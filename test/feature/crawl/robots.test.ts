// robots.txt in a crawl: redirects, failures, and the sitemaps that it names.

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createCrawler, type Crawler } from '../../support/crawl.ts';
import {
  docPage,
  startDocSite,
  redirectTo,
  status,
  type PageResponse,
  type DocSite,
} from '../../support/scripted-site.ts';
import { readCases } from '../../support/read-cases.ts';

vi.setConfig({ testTimeout: 90_000 });

interface FetchCase {
  readonly id: string;
  readonly server: string;
  readonly expected: string;
}

const { fetch_behaviour: cases } = readCases('robots-cases') as { fetch_behaviour: FetchCase[] };
const titleOf = (id: string): string => {
  const one = cases.find((candidate) => candidate.id === id);
  return `${id}: ${one?.server}: ${one?.expected}`;
};

let crawler: Crawler;
const sites: DocSite[] = [];

beforeAll(async () => {
  crawler = await createCrawler({ fetch: { allowCidrs: ['127.0.0.1/32'] } });
});
afterAll(async () => {
  expect(await crawler.store.verify()).toEqual([]);
  await crawler.close();
  await Promise.all(sites.map((site) => site.close()));
});

const RULES = 'User-agent: *\nDisallow: /docs/private/\n';
const START = docPage('the start', ['/docs/a', '/docs/private/b']);

async function open(robots: PageResponse, more: Readonly<Record<string, PageResponse>> = {}): Promise<DocSite> {
  const pages = { '/docs/': START, '/docs/a': docPage('a'), '/docs/private/b': docPage('b') };
  const site = await startDocSite({ '/robots.txt': robots, ...pages, ...more });
  sites.push(site);
  return site;
}

test(titleOf('fetch-05'), async () => {
  const far = await open('User-agent: *\nDisallow: /docs/a\n', { '/5': RULES });
  const mid = await open(RULES, { '/3': redirectTo('/4'), '/4': redirectTo(`${far.origin}/5`) });
  const site = await open(redirectTo('/1'), { '/1': redirectTo('/2'), '/2': redirectTo(`${mid.origin}/3`) });
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic' });
  expect(run).toMatchObject({ state: 'completed', counts: { new: 2, excluded: 1 } });
  expect(site.pages()).not.toContain('/docs/private/b');

  const guarded = await open(redirectTo('http://127.0.0.9:8080/robots.txt'));
  const excluded = await crawler.crawl(`${guarded.origin}/docs/`, { preset: 'basic' });
  expect(excluded).toMatchObject({ state: 'failed', counts: { new: 0 } });
  expect(excluded.reason).toContain('fetch.blocked-address');
  expect(guarded.pages()).toEqual([]);
});

test(titleOf('fetch-35'), async () => {
  const site = await open(`${RULES}Sitemap: http://127.0.0.9:8080/x.xml\nSitemap: ftp://x.dev/y.xml\n`);
  const run = await crawler.crawl(`${site.origin}/docs/`);
  expect(run).toMatchObject({ counts: { new: 2 } });
  const problems = await crawler.problems(run.id);
  expect(problems.map(({ kind, target }) => [kind, target])).toEqual([
    ['sitemap-unread', 'ftp://x.dev/y.xml'],
    ['sitemap-unread', 'http://127.0.0.9:8080/x.xml'],
  ]);
  expect(problems[1]?.message).toContain('fetch.blocked-address: loopback');
});

test('a robots.txt that fails once is retried, and then obeyed', async () => {
  let requests = 0;
  const site = await open(
    (_, response) => void (requests++ === 0 ? response.writeHead(503).end() : response.end(RULES)),
  );
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic' });
  expect(run).toMatchObject({ state: 'completed', counts: { new: 2, excluded: 1 } });
  expect(requests).toBe(2);
});

test('[F1] a site whose robots.txt keeps failing is not crawled, and says why', async () => {
  const site = await open(status(500));
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic' });
  expect(run).toMatchObject({ state: 'failed', counts: { new: 0 } });
  expect(run.reason).toContain('robots.txt cannot be read (status 500)');
  expect(site.requests.map(({ url }) => url)).toEqual(['/robots.txt', '/robots.txt', '/robots.txt']);
  // It is no rule of the site.
  const reasons = await crawler.store.frontier.reasons(run.id, 'excluded', 10);
  expect(reasons.map(({ reason }) => reason)).toEqual(['robots-unreachable: robots.txt cannot be read (status 500)']);
});

test('stored pages are kept when robots.txt can no longer be read', async () => {
  let isIll = false;
  const site = await open(
    (_, response) => void response.writeHead(isIll ? 500 : 200, { 'cache-control': 'max-age=0' }).end(''),
    { '/docs/private/b': status(404) },
  );
  const start = `${site.origin}/docs/`;
  expect(await crawler.crawl(start, { preset: 'basic' })).toMatchObject({ counts: { new: 2 } });
  isIll = true;
  await crawler.sql(`update robots_files set body = null where authority = '${site.origin}'`);
  const run = await crawler.crawl(start);
  expect(run).toMatchObject({ state: 'failed', counts: { failed: 2, 'not-found': 0, skipped: 0 } });
  expect((await crawler.stored()).filter((url) => url.startsWith(start))).toHaveLength(2);
  expect(await crawler.problems(run.id)).toMatchObject([
    { kind: 'robots-unreachable', severity: 'error', scope: 'host' },
  ]);
});

const MAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

test('[D8] an index of five hundred sitemaps is read, and one that names itself terminates', async () => {
  const site = await startDocSite({ '/robots.txt': status(404) }, ({ url = '', headers }, response) => {
    const origin = `http://${headers.host}`;
    const nth = /^\/maps\/(\d+)\.xml$/.exec(url)?.[1];
    if (url === '/sitemap.xml') {
      const names = ['/sitemap.xml', ...Array.from({ length: 500 }, (_, i) => `/maps/${i}.xml`)];
      const entries = names.map((name) => `<sitemap><loc>${origin}${name}</loc></sitemap>`).join('');
      response.setHeader('content-type', 'application/xml').end(`<sitemapindex ${MAP}>${entries}</sitemapindex>`);
    } else if (nth !== undefined) {
      const page = `<url><loc>${origin}/docs/${Number(nth) % 20}</loc></url>`;
      response.setHeader('content-type', 'application/xml').end(`<urlset ${MAP}>${page}</urlset>`);
    } else if (url.startsWith('/docs/')) response.setHeader('content-type', 'text/html').end(docPage(url));
    else response.writeHead(404).end();
  });
  sites.push(site);
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'sitemap-only' });
  expect(run).toMatchObject({ state: 'completed', counts: { new: 21 } });
  expect(site.requests.filter(({ url }) => url.startsWith('/maps/'))).toHaveLength(500);
  expect(site.requests.filter(({ url }) => url === '/sitemap.xml')).toHaveLength(1);
});
