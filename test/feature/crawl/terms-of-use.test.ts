// Terms of use of a site in a crawl: pages that they exclude, terms that change between two runs, and licenses.

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { storedTerms } from '../../../src/core/discover/licenses.ts';
import { createCrawler, type Crawler } from '../../support/crawl.ts';
import { docPage, startDocSite, type DocSite, type PageResponse } from '../../support/scripted-site.ts';

vi.setConfig({ testTimeout: 90_000 });

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

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const LINKS = NAMES.map((name) => `/docs/${name}`);

/** robots.txt is not cached, so that each run reads it. */
async function open(
  robots: () => string,
  more: Readonly<Record<string, PageResponse>> = {},
): Promise<{ readonly site: DocSite; readonly start: string }> {
  const pages = Object.fromEntries(NAMES.map((name) => [`/docs/${name}`, docPage(name)]));
  const site = await startDocSite({
    '/robots.txt': (_, response) =>
      void response.writeHead(200, { 'cache-control': 'max-age=0', 'content-type': 'text/plain' }).end(robots()),
    '/docs/': docPage('the start', LINKS),
    ...pages,
    ...more,
  });
  sites.push(site);
  return { site, start: `${site.origin}/docs/` };
}

const storedOf = async (start: string): Promise<readonly string[]> =>
  (await crawler.stored()).filter((url) => url.startsWith(start)).map((url) => url.slice(start.length));

test('a site whose terms do not allow it as input of AI is not stored, by the line that says so', async () => {
  const { site, start } = await open(() => 'User-agent: *\nContent-Signal: search=yes, ai-input=no\nAllow: /\n');
  const run = await crawler.crawl(start);
  expect(run).toMatchObject({ state: 'failed', counts: { new: 0, excluded: 1 } });
  expect(run.reason).toContain('usage-terms: robots.txt line 2: Content-Signal: search=yes, ai-input=no');
  expect(site.pages()).toEqual([]);
  expect(await crawler.problems(run.id)).toMatchObject([{ kind: 'usage-terms', scope: 'host', severity: 'warning' }]);
  const reasons = await crawler.store.frontier.reasons(run.id, 'excluded', 10);
  expect(reasons.map(({ reason }) => reason)).toEqual([
    'usage-terms: robots.txt line 2: Content-Signal: search=yes, ai-input=no',
  ]);
});

test('the setting of a source stores them anyway, and the terms stay visible', async () => {
  const { start } = await open(() => 'Content-Signal: ai-input=no\n');
  const run = await crawler.crawl(start, { preset: 'basic', ignoreTerms: true });
  expect(run).toMatchObject({ state: 'completed', counts: { new: 9, excluded: 0 } });
  const source = (await crawler.store.sources.list()).find(({ startUrl }) => startUrl === start)!;
  expect(source.settings).toMatchObject({ ignoreTerms: true });
  const profile = await crawler.store.sources.siteProfile(source.versions[0]!.id);
  expect(storedTerms(profile).usageTerms).toEqual(['Content-Signal: ai-input=no']);
});

test('terms for a path exclude its pages, and each names its line', async () => {
  const { site, start } = await open(
    () => 'User-agent: *\nContent-Usage: /docs/a ai-input=n\nContent-Usage: /docs/b ai-input=n\n',
  );
  const run = await crawler.crawl(start, { preset: 'basic' });
  expect(run).toMatchObject({ state: 'completed', counts: { new: 7, excluded: 2 } });
  expect(site.pages()).not.toContain('/docs/a');
  const reasons = await crawler.store.frontier.reasons(run.id, 'excluded', 10);
  expect(reasons.map(({ reason }) => reason).toSorted()).toEqual([
    'usage-terms: robots.txt line 2: Content-Usage: /docs/a ai-input=n',
    'usage-terms: robots.txt line 3: Content-Usage: /docs/b ai-input=n',
  ]);
});

test.each([
  ['removed if the source obeys them', false],
  ['kept if the source ignores them', true],
])('pages of a site that changes its terms between two runs are %s', async (_, ignoreTerms) => {
  let terms = 'Content-Signal: ai-input=yes\n';
  const { site, start } = await open(() => terms);
  const first = await crawler.crawl(start, { preset: 'basic', ignoreTerms });
  expect(first).toMatchObject({ state: 'completed', counts: { new: 9 } });
  terms = 'User-agent: *\nContent-Signal: ai-input=no\n';
  const requested = site.pages().length;
  const second = await crawler.crawl(start, { preset: 'basic', ignoreTerms });
  if (ignoreTerms) {
    expect(second).toMatchObject({ state: 'completed', counts: { removed: 0, unchanged: 9 } });
    expect(await storedOf(start)).toHaveLength(9);
    return;
  }
  // All of them at once, without --confirm-removals: it is the word of the site.
  expect(second.counts).toMatchObject({ excluded: 9, missing: 0 });
  expect(await storedOf(start)).toEqual([]);
  expect(site.pages()).toHaveLength(requested);
  const reasons = await crawler.store.frontier.reasons(second.id, 'excluded', 10);
  expect(reasons.map(({ reason }) => reason)).toEqual(['usage-terms: robots.txt line 2: Content-Signal: ai-input=no']);
});

test('pages that are missing without a word of the site still need a confirmation', async () => {
  let terms = '';
  let isGone = false;
  const mayGo =
    (name: string): PageResponse =>
    (_, response) =>
      void (isGone
        ? response.writeHead(404).end()
        : response.setHeader('content-type', 'text/html').end(docPage(name)));
  const { start } = await open(
    () => terms,
    Object.fromEntries(NAMES.slice(2).map((name) => [`/docs/${name}`, mayGo(name)])),
  );
  expect(await crawler.crawl(start, { preset: 'basic' })).toMatchObject({ counts: { new: 9 } });
  terms = 'Content-Usage: /docs/a ai-input=n\n';
  isGone = true;
  const run = await crawler.crawl(start, { preset: 'basic' });
  expect(run.counts).toMatchObject({ removed: 0, missing: 7 });
  expect(await crawler.problems(run.id)).toContainEqual(expect.objectContaining({ kind: 'removals-deferred' }));
});

test('licenses of robots.txt and of Link headers are stored with the source', async () => {
  const licensed: PageResponse = (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/html', link: '</rsl.xml>; rel="license"; type="application/rsl+xml"' })
      .end(docPage('a'));
  const { site, start } = await open(() => 'License: https://x.dev/license.xml\n', { '/docs/a': licensed });
  await crawler.crawl(start, { preset: 'basic' });
  const source = (await crawler.store.sources.list()).find(({ startUrl }) => startUrl === start)!;
  const terms = storedTerms(await crawler.store.sources.siteProfile(source.versions[0]!.id));
  expect(terms).toEqual({
    usageTerms: ['License: https://x.dev/license.xml'],
    licenses: ['https://x.dev/license.xml', `${site.origin}/rsl.xml`],
  });
});

test('a license challenge is a problem with the URL of the license', async () => {
  const challenge: PageResponse = (_, response) =>
    void response
      .writeHead(401, {
        'www-authenticate': 'License error="invalid_request", error_description="A license is required"',
        link: '<https://x.dev/license.xml>; rel="license"',
      })
      .end();
  const { start } = await open(() => '', { '/docs/a': challenge });
  const run = await crawler.crawl(start, { preset: 'basic' });
  expect(run.counts).toMatchObject({ failed: 1, new: 8 });
  expect(run.reason).toContain('requires a license');
  const [problem] = (await crawler.problems(run.id)).filter(({ kind }) => kind === 'license-required');
  expect(problem?.message).toContain('https://x.dev/license.xml');
  expect(problem?.details).toMatchObject({ license: 'https://x.dev/license.xml' });
});
