// The dashboard in a real Chromium, against a real server that crawls a real site.

import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerMarkdown, groupByPage, type CitedPassage } from '../../../src/core/answer/cited-markdown.ts';
import { estimateTokens } from '../../../src/core/model/chunk.ts';
import { createSiteServer, type SiteServer } from '../../support/generated-site.ts';
import { openDashboard, type Dashboard, type WebServer } from '../../support/dashboard-server.ts';
import { axeViolations } from './axe-violations.ts';
import { waitUntil } from '../../support/wait-until.ts';

interface RunView {
  readonly run: number;
  readonly state: string;
  readonly endedAt: string | null;
}

interface SearchAnswer {
  readonly passages: readonly CitedPassage[];
}

let dashboard: Dashboard;
let site: SiteServer;
let server: WebServer;
let browser: Browser;

beforeAll(async () => {
  site = await createSiteServer({ size: 60, answerMs: 100 });
  dashboard = await openDashboard();
  ({ server, browser } = dashboard);
  await server.request('/sources', { url: site.start, name: 'guide' });
  await waitUntil('the end of the first run', async () => (await latestRun()).endedAt !== null);
}, 180_000);

afterAll(async () => {
  await dashboard?.close();
  await site?.close();
});

async function latestRun(): Promise<RunView> {
  const { runs } = await server.request<{ runs: RunView[] }>('/runs?limit=1');
  return runs[0]!;
}

async function openPage(): Promise<Page> {
  const context = await browser.newContext({
    colorScheme: 'light',
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  });
  return context.newPage();
}

async function firstPageUrl(): Promise<string> {
  const { pages } = await server.request<{ pages: { url: string; chunks: number }[] }>(
    '/sources/guide/pages?limit=100',
  );
  return pages.toSorted((a, b) => b.chunks - a.chunks)[0]!.url;
}

const VIEWS: ReadonlyArray<readonly [name: string, path: () => Promise<string>, shows: string]> = [
  ['Sources', async () => '/', '.source'],
  ['Add', async () => '/add', 'input[type=url]'],
  ['Source', async () => '/sources/guide', '.rows .tr'],
  ['Edit', async () => '/sources/guide/edit', 'text=stored pages stay'],
  ['Page', async () => `/sources/guide/page?url=${encodeURIComponent(await firstPageUrl())}`, '.markdown p'],
  ['Runs', async () => '/runs', '.rows .tr'],
  ['Run', async () => `/runs/${(await latestRun()).run}`, '.meter'],
  ['History', async () => '/history', '.bar-plot'],
  ['Recrawl', async () => '/sources/guide/recrawl', 'text=Start the run'],
  ['Remove', async () => '/sources/guide/remove', 'text=with their earlier revisions'],
  ['Search', async () => '/search?q=promises', '.hit'],
  ['Search for agents', async () => '/search?q=promises&as=agent', '.agent-answer'],
  ['Compare', async () => '/search?q=promises&as=compare', '.agent-answer'],
  ['Library', async () => '/library', '.rows .tr'],
  ['A page that is not stored', async () => '/sources/guide/page?url=https://nowhere.test/', '.empty'],
  ['Unknown route', async () => '/no/such/place', '.empty'],
];

describe.each(VIEWS)('%s', (_name, path, shows) => {
  const errors: string[] = [];
  let page: Page;

  /** The first tab is checked as it is shown, each of them when it is opened. */
  async function expectNoViolations(rules: readonly string[] | null): Promise<void> {
    expect(await axeViolations(page, rules)).toEqual([]);
    for (const tab of await page.locator('[role=tab]').all()) {
      await tab.click();
      await page.waitForTimeout(150);
      expect(await axeViolations(page, rules)).toEqual([]);
    }
    expect(errors).toEqual([]);
  }

  beforeAll(async () => {
    page = await openPage();
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('404')) errors.push(message.text());
    });
  });
  afterAll(() => page?.context().close());

  test('is shown in light, and axe finds nothing', async () => {
    await page.goto(server.url + (await path()));
    await page.waitForSelector(shows);
    await expectNoViolations(null);
  });

  test('is shown in the dark, and axe finds nothing', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true);
    // Only colours differ.
    await expectNoViolations(['color-contrast']);
  });
});

test('results for people are sections below their page, without tokens (finding T22)', async () => {
  const page = await openPage();
  await page.goto(`${server.url}/search?q=promises`);
  await page.waitForSelector('.hit-section h3 mark');
  expect(await page.innerText('main')).not.toMatch(/token/i);
  const { passages } = await server.request<SearchAnswer>('/search?query=promises&limit=20');
  expect(await page.locator('.hit').count()).toBe(groupByPage(passages).length);
  expect(await page.locator('.hit-section').count()).toBe(passages.length);
  const link = page.locator('.hit-section h3 a >> nth=0');
  const [heading, anchor] = [await link.innerText(), new URL((await link.getAttribute('href'))!, server.url).hash];
  expect(passages.map(({ url }) => new URL(url).hash)).toContain(anchor);
  await page.setViewportSize({ width: 1280, height: 150 });
  await link.click();
  await page.waitForFunction((text) => {
    const found = [...document.querySelectorAll('.markdown :is(h2, h3, h4)')].find((one) => one.textContent === text);
    const { top, bottom } = found?.getBoundingClientRect() ?? { top: -1, bottom: -1 };
    return top >= 0 && bottom <= window.innerHeight;
  }, heading);
  await page.context().close();
});

test('the view for agents shows the whole answer as one text, with its tokens (finding T22)', async () => {
  const page = await openPage();
  await page.goto(`${server.url}/search?q=promises&as=agent`);
  await page.waitForSelector('.agent-answer pre');
  const { passages } = await server.request<SearchAnswer>('/search?query=promises&limit=8&budget=2000');
  expect(passages.length).toBeGreaterThan(1);
  const shown = await page.locator('.agent-answer pre').allTextContents();
  expect(shown).toEqual([answerMarkdown(passages)]);
  const tokens = estimateTokens(shown.join('')).toLocaleString('en-GB');
  expect(await page.innerText('.agent-answer')).toContain(`${tokens} of 2,000 tokens`);
  await page.context().close();
});

test('the scripts of the first view are at most 150 kB', async () => {
  const page = await openPage();
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

test('every view is reachable from the keyboard', async () => {
  const page = await openPage();
  await page.goto(server.url);
  await page.waitForSelector('.source');
  await page.keyboard.press('Control+k');
  await page.waitForSelector('[role=combobox]:focus');
  await page.keyboard.type('library');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/library');
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.waitForURL('**/runs');
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open] >> text=Go to history');
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog[open]', { state: 'detached' });
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

test('nothing is wider than a phone, and the palette has a button there (finding T5.7)', async () => {
  const page = await openPage();
  await page.setViewportSize({ width: 390, height: 844 });
  const views = [
    '/',
    '/sources/guide',
    '/sources/guide/recrawl',
    '/runs',
    '/history',
    '/library',
    '/search?q=promises',
  ];
  for (const path of [...views, `/runs/${(await latestRun()).run}`]) {
    await page.goto(server.url + path);
    await page.waitForSelector('.source, .rows .tr, .bar-plot, .meter, form, .hit');
    const names = await page.locator('[role=tab]').allInnerTexts();
    for (const name of names.length === 0 ? [null] : names) {
      if (name !== null) await page.getByRole('tab', { name: name.split('\n')[0]! }).click();
      await page.waitForSelector('.loading', { state: 'detached' });
      const wide = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('.content, .table .scroll')]
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map((element) => `${element.className}: ${element.scrollWidth} of ${element.clientWidth}`),
      );
      expect([path, name, wide]).toEqual([path, name, []]);
    }
  }
  expect(await axeViolations(page)).toEqual([]);
  await page.click('role=button[name=More]');
  await page.waitForSelector('[role=combobox]:focus');
  await page.waitForSelector('[role=option]:has-text("Switch theme")');
  await page.context().close();
});

test('a folder of the site tree is opened, and axe finds nothing', async () => {
  const page = await openPage();
  await page.goto(`${server.url}/sources/guide`);
  await page.click('role=tab[name="Site tree"]');
  await page.click('.site-tree [aria-expanded=false]:has([data-tone=good]) >> nth=0');
  await page.waitForSelector('.site-tree ul ul li');
  expect(await axeViolations(page)).toEqual([]);
  await page.context().close();
});

test('a token that the server refuses is said to be wrong (finding T5.5)', async () => {
  const page = await openPage();
  await page.addInitScript(() => sessionStorage.setItem('pinakes.token', 'expired'));
  await page.goto(server.url);
  const refused = page.locator('[role=alert]:has-text("The server refused this token")');
  await refused.waitFor();
  await page.waitForSelector('.status-bar:has-text("Not signed in")');
  await page.getByLabel('Access token').fill('mistyped');
  await page.click('role=button[name="Sign in"]');
  await page.waitForFunction(() => sessionStorage.getItem('pinakes.token') === 'mistyped');
  await refused.waitFor();
  expect(await page.innerText('.status-bar')).not.toContain('lost');
  expect(await axeViolations(page)).toEqual([]);
  await page.context().close();
});

test('a source is added after its plan is shown, and its run opens', async () => {
  const page = await openPage();
  await page.goto(`${server.url}/add`);
  await page.fill('input[type=url]', site.start);
  await page.waitForSelector('.stats', { timeout: 60_000 });
  await page.getByLabel(/Test a URL/).fill('https://elsewhere.test/blog');
  await page.waitForSelector('text=excluded');
  await page.getByLabel('Name', { exact: true }).fill('again');
  await page.getByLabel('Maximum pages').fill('5');
  await page.click('text=Add and start crawling');
  await page.waitForURL('**/runs/*');
  await page.waitForSelector('h1:has-text("again")');
  await waitUntil('the end of the run', async () => (await latestRun()).endedAt !== null);
  await page.context().close();
});

test('editing a source shows which pages it would exclude, and then its next run', async () => {
  const page = await openPage();
  await page.goto(`${server.url}/sources/guide`);
  await page.click('role=link[name=Edit]');
  await page.waitForSelector('text=stored pages stay');
  const { pathname } = new URL(await firstPageUrl());
  await page.fill('textarea >> nth=1', pathname);
  await page.waitForSelector(`.notice:has-text("1 of ")`);
  await page.selectOption('label:has-text("Update") select', '1d');
  await page.click('text=Save');
  await page.waitForSelector(`.tag:has-text("exclude ${pathname}")`);
  await page.waitForSelector('.stats :has-text("Next run") >> text=in 24 h');
  await page.goto(server.url);
  await page.waitForSelector('.source >> text=next run in 24 h');
  await page.goto(`${server.url}/sources/guide/edit`);
  await page.fill('textarea >> nth=1', '');
  await page.selectOption('label:has-text("Update") select', '');
  await page.click('text=Save');
  await page.waitForSelector('.stats :has-text("Next run") >> text=not scheduled');
  await page.context().close();
});

test('rules cannot be changed during a run, and the form says why', async () => {
  const page = await openPage();
  const release = site.holdSlowPage();
  const { run } = await server.request<{ run: number }>('/sources/guide/recrawl', { mode: 'full' });
  await page.goto(`${server.url}/sources/guide/edit`);
  await page.fill('textarea >> nth=1', '/docs/print/**');
  await page.click('text=Save');
  await page.waitForSelector(`[role=alert]:has-text("run in progress (${run})")`);
  await server.request(`/runs/${run}/stop`, {});
  release();
  await waitUntil('the end of the run', async () => (await latestRun()).endedAt !== null);
  await page.context().close();
}, 60_000);

test('[U3] a run is paused, resumed and stopped from its view', async () => {
  const page = await openPage();
  // One page that does not respond keeps the run alive, however fast the others are.
  const release = site.holdSlowPage();
  const { run } = await server.request<{ run: number }>('/sources/guide/recrawl', { mode: 'full' });
  await page.goto(`${server.url}/runs/latest`);
  await page.waitForURL(`**/runs/${run}`);
  await page.click('role=button[name=Pause]');
  await page.click('role=button[name=Resume]', { timeout: 20_000 });
  await page.waitForSelector('role=button[name=Pause]');
  await page.click('role=button[name=Stop]');
  release();
  await waitUntil('the end of the run', async () => (await latestRun()).endedAt !== null);
  await page.waitForSelector('.view-header .badge:has-text("stopped")');
  await page.waitForSelector('.status-bar:has-text("No active runs")');
  await page.context().close();
}, 60_000);

test('no event is lost when the server restarts', async () => {
  const page = await openPage();
  await page.goto(`${server.url}/runs`);
  await page.waitForSelector('.status-bar[data-connection=live]');
  const before = Number(await page.getAttribute('.status-bar', 'data-seq'));
  const { run } = await server.request<{ run: number }>('/sources/guide/recrawl', { mode: 'full' });
  await page.waitForFunction(
    (seq) => Number(document.querySelector<HTMLElement>('.status-bar')?.dataset['seq']) > seq + 3,
    before,
  );
  await server.restart();
  await waitUntil('the end of the run', async () => (await latestRun()).endedAt !== null);
  const { lastSeq } = await server.request<{ lastSeq: number }>('/library/stats');
  await page.waitForSelector(`.status-bar[data-connection=live][data-seq="${lastSeq}"]`, { timeout: 30_000 });
  expect(Number(await page.getAttribute('.status-bar', 'data-received'))).toBe(lastSeq - before);
  expect(run).toBeGreaterThan(0);
  await page.context().close();
});

test('a view reports that the server is down, and recovers (finding T5.8)', async () => {
  const page = await openPage();
  await page.goto(server.url);
  await page.waitForSelector('.status-bar[data-connection=live]');
  await server.stop();
  // The browser has no module of this view yet, nor its data.
  await page.click('role=link[name=Library]');
  await page.waitForSelector('[role=alert]:has-text("The server does not respond")');
  expect(new URL(page.url()).pathname).toBe('/library');
  expect(await page.locator('nav[aria-label=Main] a').count()).toBeGreaterThan(3);
  await server.restart();
  await page.waitForSelector('.table[aria-label=Sources] .rows .tr', { timeout: 30_000 });
  await page.context().close();
}, 60_000);
