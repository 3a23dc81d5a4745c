// The dashboard in a real Chromium, against a real server that crawls a real site.

import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSiteServer, type SiteServer } from '../support/site-server.ts';
import { openDashboard, type Dashboard, type WebServer } from './dashboard-server.ts';
import { axeViolations } from './axe-violations.ts';
import { until } from '../support/until.ts';

interface RunView {
  readonly run: number;
  readonly state: string;
  readonly endedAt: string | null;
}

let dashboard: Dashboard;
let site: SiteServer;
let server: WebServer;
let browser: Browser;

beforeAll(async () => {
  site = await createSiteServer({ size: 60, answerMs: 100 });
  dashboard = await openDashboard();
  ({ server, browser } = dashboard);
  await server.ask('/sources', { url: site.start, name: 'guide' });
  await until('the end of the first run', async () => (await latestRun()).endedAt !== null);
}, 180_000);

afterAll(async () => {
  await dashboard?.close();
  await site?.close();
});

async function latestRun(): Promise<RunView> {
  const { runs } = await server.ask<{ runs: RunView[] }>('/runs?limit=1');
  return runs[0]!;
}

async function aPage(colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const context = await browser.newContext({
    colorScheme,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  });
  return context.newPage();
}

async function firstPageUrl(): Promise<string> {
  const { pages } = await server.ask<{ pages: { url: string; chunks: number }[] }>('/sources/guide/pages?limit=100');
  return pages.toSorted((a, b) => b.chunks - a.chunks)[0]!.url;
}

const VIEWS: ReadonlyArray<readonly [name: string, path: () => Promise<string>, shows: string]> = [
  ['Sources', async () => '/', '.source'],
  ['Add', async () => '/add', 'input[type=url]'],
  ['Source', async () => '/sources/guide', '.rows .tr'],
  ['Change', async () => '/sources/guide/edit', 'text=stored pages stay'],
  ['Page', async () => `/sources/guide/page?url=${encodeURIComponent(await firstPageUrl())}`, '.markdown p'],
  ['Runs', async () => '/runs', '.rows .tr'],
  ['Run', async () => `/runs/${(await latestRun()).run}`, '.meter'],
  ['Search', async () => '/search?q=promises', '.hit'],
  ['Search as an agent', async () => '/search?q=promises&as=agent', '.hit'],
  ['Compare', async () => '/search?q=promises&as=compare', '.hit'],
  ['Health', async () => '/health', '.rows .tr'],
  ['A page that is not stored', async () => '/sources/guide/page?url=https://nowhere.test/', '.empty'],
  ['No such place', async () => '/no/such/place', '.empty'],
];

describe.each(['light', 'dark'] as const)('in %s', (theme) => {
  test.each(VIEWS)('%s is shown, and axe finds nothing', async (_name, path, shows) => {
    const page = await aPage(theme);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('404')) errors.push(message.text());
    });
    await page.goto(server.url + (await path()));
    await page.waitForSelector(shows);
    expect(await axeViolations(page)).toEqual([]);
    for (const tab of await page.locator('[role=tab]').all()) {
      await tab.click();
      await page.waitForTimeout(150);
      expect(await axeViolations(page)).toEqual([]);
    }
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

test('the scripts of the first view are at most 150 kB', async () => {
  const page = await aPage();
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      sizes.push(response.body().then((body) => gzipSync(body).byteLength));
  });
  await page.goto(server.url);
  await page.waitForSelector('.source');
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(30_000);
  expect(total).toBeLessThanOrEqual(150_000);
  await page.context().close();
});

test('every place is reached from the keyboard', async () => {
  const page = await aPage();
  await page.goto(server.url);
  await page.waitForSelector('.source');
  await page.keyboard.press('Control+k');
  await page.waitForSelector('[role=combobox]:focus');
  await page.keyboard.type('health');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/health');
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.waitForURL('**/runs');
  await page.keyboard.press('/');
  await page.waitForURL('**/search');
  await page.waitForSelector('input[type=search]:focus');
  await page.keyboard.type('promises');
  await page.waitForURL('**/search?q=promises');
  await page.keyboard.press('Tab');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
  expect(outline).toBe('solid');
  await page.context().close();
});

test('a source is added after its plan was seen, and its run is shown', async () => {
  const page = await aPage();
  await page.goto(`${server.url}/add`);
  await page.fill('input[type=url]', site.start);
  await page.waitForSelector('.figures', { timeout: 60_000 });
  await page.getByLabel(/Try an address/).fill('https://elsewhere.test/blog');
  await page.waitForSelector('text=left out');
  await page.getByLabel('Name').fill('again');
  await page.getByLabel('Pages at most').fill('5');
  await page.click('text=Add and start the first run');
  await page.waitForURL('**/runs/*');
  await page.waitForSelector('h1:has-text("again")');
  await until('the end of the run', async () => (await latestRun()).endedAt !== null);
  await page.context().close();
});

test('a source is changed after what falls out was told, and its next run is shown', async () => {
  const page = await aPage();
  await page.goto(`${server.url}/sources/guide`);
  await page.click('text=Change');
  await page.waitForSelector('text=stored pages stay');
  const { pathname } = new URL(await firstPageUrl());
  await page.fill('textarea >> nth=1', pathname);
  await page.waitForSelector(`.notice:has-text("1 of ")`);
  await page.selectOption('label:has-text("Bring up to date") select', '1d');
  await page.click('text=Save');
  await page.waitForSelector(`.tag:has-text("never ${pathname}")`);
  await page.waitForSelector('.figures :has-text("Next run") >> text=in 24 h');
  await page.goto(server.url);
  await page.waitForSelector('.source >> text=next run in 24 h');
  await page.goto(`${server.url}/sources/guide/edit`);
  await page.fill('textarea >> nth=1', '');
  await page.selectOption('label:has-text("Bring up to date") select', '');
  await page.click('text=Save');
  await page.waitForSelector('.figures :has-text("Next run") >> text=when you ask');
  await page.context().close();
});

test('rules are not changed while a run lives, and the form says why', async () => {
  const page = await aPage();
  const release = site.holdSlowPage();
  const { run } = await server.ask<{ run: number }>('/sources/guide/recrawl', { mode: 'full' });
  await page.goto(`${server.url}/sources/guide/edit`);
  await page.fill('textarea >> nth=1', '/docs/print/**');
  await page.click('text=Save');
  await page.waitForSelector(`[role=alert]:has-text("run under way (${run})")`);
  await server.ask(`/runs/${run}/stop`, {});
  release();
  await until('the end of the run', async () => (await latestRun()).endedAt !== null);
  await page.context().close();
}, 60_000);

test('[U3] a run is paused, resumed and stopped from its view', async () => {
  const page = await aPage();
  // One page that does not answer keeps the run alive, however quick the others are.
  const release = site.holdSlowPage();
  const { run } = await server.ask<{ run: number }>('/sources/guide/recrawl', { mode: 'full' });
  await page.goto(`${server.url}/runs/${run}`);
  await page.click('role=button[name=Pause]');
  await page.click('role=button[name=Resume]', { timeout: 20_000 });
  await page.waitForSelector('role=button[name=Pause]');
  await page.click('role=button[name=Stop]');
  release();
  await until('the end of the run', async () => (await latestRun()).endedAt !== null);
  await page.waitForSelector('.head .mark:has-text("stopped")');
  await page.waitForSelector('.foot:has-text("No run is going on")');
  await page.context().close();
}, 60_000);

test('no event is lost when the server is started again', async () => {
  const page = await aPage();
  await page.goto(`${server.url}/runs`);
  await page.waitForSelector('.foot[data-connection=live]');
  const before = Number(await page.getAttribute('.foot', 'data-seq'));
  const { run } = await server.ask<{ run: number }>('/sources/guide/recrawl', { mode: 'full' });
  await page.waitForFunction(
    (seq) => Number(document.querySelector<HTMLElement>('.foot')?.dataset['seq']) > seq + 3,
    before,
  );
  await server.restart();
  await until('the end of the run', async () => (await latestRun()).endedAt !== null);
  const { lastSeq } = await server.ask<{ lastSeq: number }>('/library');
  await page.waitForSelector(`.foot[data-connection=live][data-seq="${lastSeq}"]`, { timeout: 30_000 });
  expect(Number(await page.getAttribute('.foot', 'data-received'))).toBe(lastSeq - before);
  expect(run).toBeGreaterThan(0);
  await page.context().close();
});
