// [F10] Real single-page sites in a real crawl with a real Chromium.

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openapiDocument } from '../../../src/serve/http/openapi-document.ts';
import { createCrawler, type Crawler } from '../../support/crawl.ts';
import { startCountingServer } from '../../support/counting-server.ts';
import { docPage } from '../../support/scripted-site.ts';
import { openTestPostgres, openTestSqlite } from '../../support/stores.ts';
import { docsifySite, swaggerSite } from './spa-sites.ts';
import { createTestRenderer, type TestRenderer } from './test-renderer.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let renderer: TestRenderer;
const closing: Array<{ close(): Promise<void> }> = [];
beforeAll(() => {
  renderer = createTestRenderer();
});
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});
afterAll(() => renderer.close());

async function openCrawler(open = openTestSqlite): Promise<Crawler> {
  const crawler = await createCrawler({ open, rendering: { mode: 'auto', renderer } });
  closing.push(crawler);
  return crawler;
}

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

describe.each([
  ['sqlite', openTestSqlite, ['ci', 'install', 'team']],
  ['postgres', openTestPostgres, ['ci']],
])('with %s', (_, open, guides) => {
  test('a docsify site is crawled by its hash routes', async () => {
    const site = await docsifySite(guides);
    closing.push(site);
    const crawler = await openCrawler(open);
    const run = await crawler.crawl(site.start, { preset: 'basic' });
    expect(run).toMatchObject({ state: 'completed', counts: { failed: 0 } });
    expect(await crawler.stored()).toEqual(site.pages);
    const [{ versions }] = (await crawler.store.sources.list()) as never as [{ versions: [{ id: never }] }];
    for (const [url, markdown] of site.markdown) {
      const page = await crawler.store.pages.get(versions[0].id, url as never);
      expect(page?.renderedBy).toMatch(/^chromium \d+/);
      const expected = words(markdown.replaceAll(/\]\([^)]*\)/g, ']'));
      const found = new Set(words(page?.text ?? ''));
      const missing = expected.filter((word) => !found.has(word));
      expect(missing.length / expected.length, `${url}: ${missing.slice(0, 20).join(' ')}`).toBeLessThan(0.03);
    }
    const again = await crawler.crawl(site.start, { preset: 'basic' });
    expect(again).toMatchObject({ state: 'completed', counts: { unchanged: site.pages.length, new: 0, missing: 0 } });
  });
});

test('Swagger UI is one page: its links to operations are no routes', async () => {
  const site = await swaggerSite(openapiDocument('1.0.0'));
  closing.push(site);
  const crawler = await openCrawler();
  const run = await crawler.crawl(site.start, { preset: 'basic' });
  expect(run).toMatchObject({ state: 'completed', counts: { new: 2, failed: 0 } });
  expect(await crawler.stored()).toEqual(site.pages);
});

test('pages that have text without a browser start none', async () => {
  const site = await startCountingServer((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    response.setHeader('content-type', 'text/html').end(docPage(request.url ?? '', ['/docs/a', '/docs/b']));
  });
  const unused = { render: () => Promise.reject(new Error('rendered')), close: () => Promise.resolve() };
  const crawler = await createCrawler({ rendering: { mode: 'auto', renderer: unused } });
  closing.push(site, crawler);
  const run = await crawler.crawl(`http://127.0.0.1:${site.port}/docs/`, { preset: 'basic' });
  expect(run).toMatchObject({ state: 'completed', counts: { new: 3, failed: 0 } });
});

test('without a browser a single-page site ends with the problem and a next step', async () => {
  const site = await docsifySite(['ci']);
  const crawler = await createCrawler();
  closing.push(site, crawler);
  const run = await crawler.crawl(site.start, { preset: 'basic' });
  expect(run).toMatchObject({ counts: { new: 0, skipped: 1 } });
  const [problem] = await crawler.problems(run.id);
  expect(problem).toMatchObject({ kind: 'needs-rendering', message: expect.stringContaining('Set render.browser') });
});

test('a page that never comes to rest, or lacks a part that was refused, is stored and the run says so', async () => {
  const site = await startCountingServer((request, response) => {
    if (request.url !== '/docs/') return void response.writeHead(404).end();
    response.setHeader('content-type', 'text/html')
      .end(`<!doctype html><title>Gauges</title><div id="app"></div><script>
      fetch('http://10.1.2.3/data').catch(() => undefined);
      document.title = 'Gauges';
      app.innerHTML = '<main><h1>Gauges</h1><p>${'A gauge shows one value as it is now. '.repeat(12)}</p><p id="now"></p></main>';
      setInterval(() => { now.textContent = 'Value ' + Date.now(); }, 20);
    </script>`);
  });
  const limits = { timeoutMs: 20_000, pageIdleMs: 300, readyTimeoutMs: 1500, maxPageBytes: 1e7, maxBodyBytes: 1e7 };
  const impatient = createTestRenderer({ limits });
  const crawler = await createCrawler({ rendering: { mode: 'auto', renderer: impatient } });
  closing.push(site, crawler, impatient);
  const run = await crawler.crawl(`http://127.0.0.1:${site.port}/docs/`, { preset: 'basic' });
  expect(run).toMatchObject({ state: 'completed', counts: { new: 1, failed: 0 } });
  expect((await crawler.problems(run.id)).toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toMatchObject([
    {
      kind: 'blocked-subresource',
      severity: 'warning',
      message: expect.stringContaining('load parts from 10.1.2.3, which was refused: private'),
      details: { hosts: ['10.1.2.3'] },
    },
    { kind: 'render-incomplete', severity: 'warning', message: expect.stringContaining('raise render.readyTimeoutMs') },
  ]);
});
