// A planned run, on both databases: what it fetches first, what it learns and reports, and that it stores what any other run stores.

import { afterEach, describe, expect, test, vi } from 'vitest';
import type { SourceSettings } from '../../../src/core/model/source-settings.ts';
import { createCrawler, type Crawler } from '../../support/crawl.ts';
import { startDocSite, type DocSite, type PageResponse } from '../../support/scripted-site.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { openTestPostgres, openTestSqlite } from '../../support/stores.ts';

vi.setConfig({ testTimeout: 120_000 });

const closing: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});

const SECTIONS = ['api', 'guides', 'ops'] as const;
const PAGES = 6;
/** Of a run, by default. */
const CONCURRENCY = 16;
const MENU = [
  '/docs/guides/',
  '/docs/api/',
  '/docs/ops/',
  '/docs/world/france',
  ...Array.from({ length: 8 }, (_, i) => `/docs/${i % 2 === 0 ? 'api/api' : 'guides/guides'}-${Math.floor(i / 2)}`),
];

function page(path: string, menu: readonly string[], links: readonly string[] = []): string {
  const entries = menu.map((href) => `<li><a href="${href}">Part ${href.split('/').at(-2)}</a></li>`).join('');
  const items = links.map((href) => `<li><a href="${href}">${href}</a></li>`).join('');
  const text = `This is the page about ${path}. It explains at length what a reader has to know before the first request. `;
  return `<!doctype html><html lang="en"><head><title>${path}</title></head><body><nav><ul>${entries}</ul></nav>
<main><h1>${path}</h1><p>${text.repeat(5)}</p><ul>${items}</ul></main></body></html>`;
}

/** The sitemap lists the articles of each section, and a menu leads to the sections and to a page that is gone. */
function sitePaths(menu: readonly string[] = MENU): Record<string, PageResponse> {
  const paths: Record<string, PageResponse> = {};
  const html = (path: string, links: readonly string[] = []): void => void (paths[path] = page(path, menu, links));
  const articles = SECTIONS.flatMap((section) =>
    Array.from({ length: PAGES }, (_, i) => `/docs/${section}/${section}-${i}`),
  );
  html('/docs/', ['/docs/about']);
  html('/docs/about');
  for (const section of SECTIONS) {
    const own = articles.filter((path) => path.startsWith(`/docs/${section}/`));
    html(`/docs/${section}/`, own);
    for (const path of own) html(path, [`${path}-more`]);
    for (const path of own) html(`${path}-more`);
  }
  paths['/sitemap.xml'] = ({ headers }, response) => {
    response.setHeader('content-type', 'application/xml');
    const urls = articles.map((path) => `<url><loc>http://${headers.host}${path}</loc></url>`).join('');
    response.end(`<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`);
  };
  return paths;
}

describe.each([
  ['SQLite', openTestSqlite],
  ['PostgreSQL', openTestPostgres],
])('%s', (_, open) => {
  async function crawled(settings: Partial<SourceSettings>, paths = sitePaths()) {
    const site = await startDocSite(paths);
    closing.push(site);
    const crawler = await createCrawler({ open });
    closing.push(crawler);
    const run = await crawler.crawl(`${site.origin}/docs/`, settings);
    return { site, crawler, run };
  }

  const order = (site: DocSite): readonly string[] => site.pages();
  const storedPaths = async (crawler: Crawler, site: DocSite): Promise<readonly string[]> =>
    (await crawler.stored()).map((url) => url.slice(site.origin.length));

  test('hubs are fetched before other pages; the plan, its gaps and its summary are reported', async () => {
    const { site, crawler, run } = await crawled({ preset: 'intelligent', concurrency: 1 });
    const milestones = await crawler.store.journal.milestones(run.id);
    expect(milestones.map(({ kind }) => kind)).toEqual(['patterns-learned', 'seeds-prepared', 'plan-summary']);
    const [learned, seeded, summary] = milestones;
    expect(learned).toMatchObject({
      message: 'Homepage patterns inferred',
      details: { sections: ['api', 'guides', 'ops'] },
    });
    expect(seeded).toMatchObject({ message: 'Seeded 3 hubs', details: { count: 3 } });
    expect(summary).toMatchObject({
      message: 'Plan: 3 of 3 hubs found, 95% of promised pages',
      details: { hubs: { seeded: 3, visited: 3, validated: 3, missing: 1 } },
    });
    const fetched = order(site).filter((path) => path.startsWith('/docs/') && path !== '/docs/');
    const firstArticle = fetched.findIndex(
      (path) => /-\d$/.test(path) && fetched.indexOf(path) === fetched.lastIndexOf(path),
    );
    for (const section of SECTIONS)
      expect(fetched.lastIndexOf(`/docs/${section}/`)).toBeLessThan(Math.max(firstArticle, 6));
    expect(await crawler.problems(run.id)).toMatchObject([
      { kind: 'missing-hub', severity: 'warning', target: '/docs/world/france', details: { status: 404 } },
    ]);
    const hubs = await crawler.store.analysis.hubs(run.version, 20);
    expect(hubs.map(({ status }) => status).toSorted()).toEqual(['missing', 'validated', 'validated', 'validated']);
    expect(hubs.find(({ url }) => url.endsWith('/guides/'))).toMatchObject({ topicSlug: 'guides', navLinksCount: 12 });
    const coverage = () => crawler.store.analysis.coverage(run.version);
    // It is recorded after the run has ended.
    await waitUntil('the coverage', async () => (await coverage()) !== null, 60_000);
    expect(await coverage()).toMatchObject({
      isCurrent: true,
      report: { promised: 22, stored: 21 },
    });
    expect(await crawler.store.verify()).toEqual([]);
  });

  test('without a limit it stores the same pages as a run without a plan', async () => {
    const planned = await crawled({ preset: 'intelligent' });
    const plain = await crawled({ preset: 'llms-first' });
    expect(await storedPaths(planned.crawler, planned.site)).toEqual(await storedPaths(plain.crawler, plain.site));
    expect(planned.run.counts.new).toBe(plain.run.counts.new);
    expect(await plain.crawler.store.plans.load(plain.run.id)).toBeNull();
    expect((await plain.crawler.store.journal.milestones(plain.run.id)).map(({ kind }) => kind)).toEqual([
      'seeds-prepared',
    ]);
  });

  test('with a limit, what the menus name is stored', async () => {
    const { crawler, site } = await crawled({ preset: 'intelligent', maxPages: 6, concurrency: 1 });
    const stored = await storedPaths(crawler, site);
    for (const section of SECTIONS) expect(stored).toContain(`/docs/${section}/`);
  });

  test('the second run begins with what is known', async () => {
    const { crawler, site } = await crawled({ preset: 'intelligent' });
    const second = await crawler.crawl(`${site.origin}/docs/`);
    const [primed] = await crawler.store.journal.milestones(second.id);
    expect(primed).toMatchObject({ kind: 'cache-primed', details: { pages: 41 } });
  });
});

async function crawlPlanned(settings: Partial<SourceSettings>, paths = sitePaths()) {
  const site = await startDocSite(paths);
  closing.push(site);
  const crawler = await createCrawler();
  closing.push(crawler);
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'intelligent', ...settings });
  const milestones = await crawler.store.journal.milestones(run.id);
  return { site, crawler, run, milestones, problems: await crawler.problems(run.id) };
}

test('each input changes what it says', async () => {
  const none = await crawlPlanned({ intMaxSeeds: 0 });
  expect(none.milestones.find(({ kind }) => kind === 'seeds-prepared')).toMatchObject({ message: 'Seeded 0 hubs' });
  expect(none.problems).toMatchObject([{ kind: 'no-hubs-seeded' }, { kind: 'missing-hub' }]);
  const one = await crawlPlanned({ intMaxSeeds: 1 });
  expect(one.milestones.find(({ kind }) => kind === 'seeds-prepared')?.details).toMatchObject({
    count: 1,
    candidates: 3,
  });
  const skipped = await crawlPlanned({ intTargetHosts: ['example.dev'] });
  expect(skipped.problems).toMatchObject([{ kind: 'planner-skipped-host' }]);
  expect(skipped.milestones.map(({ kind }) => kind)).toEqual(['seeds-prepared']);
});

test('a site whose front page cannot be read is crawled without hubs from menus', async () => {
  const { run, problems } = await crawlPlanned(
    {},
    { ...sitePaths(), '/docs/': (_, response) => void response.writeHead(500).end() },
  );
  expect(run.counts.new).toBeGreaterThan(0);
  expect(problems.map(({ kind }) => kind)).not.toContain('intelligent-plan-failed');
});

test('a plan that fails is reported, and the run goes on without it', async () => {
  const site = await startDocSite(sitePaths());
  closing.push(site);
  const crawler = await createCrawler();
  closing.push(crawler);
  await crawler.sql('drop table place_hubs');
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'intelligent' });
  expect(await crawler.problems(run.id)).toMatchObject([{ kind: 'intelligent-plan-failed', severity: 'warning' }]);
  expect(run.counts.new).toBe(41);
});

const trap: PageResponse = ({ url = '' }, response) => {
  response.setHeader('content-type', 'text/html');
  response.end(page(url, [], [`${url}a/`]));
};

test('a menu of 100,000 links to 10,000 sections that are traps costs a bounded plan and a bounded number of requests', async () => {
  const menu = Array.from({ length: 100_000 }, (_, i) => `/docs/s${i % 10_000}/p${Math.floor(i / 10_000)}/`);
  const site = await startDocSite({ '/docs/': page('/docs/', menu) }, trap);
  closing.push(site);
  const crawler = await createCrawler();
  closing.push(crawler);
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'intelligent', maxPages: 30 });
  const plan = await crawler.store.plans.load(run.id);
  expect(JSON.stringify(plan).length).toBeLessThan(2_000_000);
  expect((await crawler.store.analysis.hubs(run.version, 10_000)).length).toBeLessThanOrEqual(2000);
  expect(run.counts.new).toBe(30);
  // Pages, seeds and discovery, and what is under way when the limit is reached.
  expect(run.counts.requests).toBeLessThan(30 + 50 + CONCURRENCY);
});

test('sections that are one trap each, copies, missing pages and redirects: a planned run stores what another one stores', async () => {
  const menu = Array.from({ length: 60 }, (_, i) => `/docs/s${i}/`);
  const paths: Record<string, PageResponse> = { '/docs/': page('/docs/', menu) };
  for (const [i, path] of menu.entries()) {
    if (i % 10 === 1) paths[path] = ({ url = '' }, response) => void response.writeHead(404).end(url);
    if (i % 10 === 2) paths[path] = (_, response) => void response.writeHead(302, { location: menu[i - 2] }).end();
    if (i % 10 === 3) paths[path] = page('the same text', []);
    if (i % 10 === 4) paths[path] = page(path, menu.slice(i - 4), ['/docs/s0/a/', 'https://other.example/']);
  }
  const storedBy = async (preset: 'intelligent' | 'llms-first'): Promise<readonly string[]> => {
    const site = await startDocSite(paths, trap);
    closing.push(site);
    const crawler = await createCrawler();
    closing.push(crawler);
    const run = await crawler.crawl(`${site.origin}/docs/`, { preset });
    expect(run.state).toBe('completed');
    return (await crawler.stored()).map((url) => url.slice(site.origin.length));
  };
  const [planned, plain] = [await storedBy('intelligent'), await storedBy('llms-first')];
  expect(planned).toEqual(plain);
  expect(planned.length).toBeGreaterThan(100);
});
