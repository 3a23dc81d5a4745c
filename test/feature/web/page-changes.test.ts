// What the dashboard shows of pages that fail, recover and change, the bundles it downloads, and the life of a source by keyboard.

import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDashboard, type Dashboard, type WebServer } from '../../support/dashboard-server.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { axeViolations } from './axe-violations.ts';
import { startDocSite, status, type DocSite, type PageResponse } from '../../support/scripted-site.ts';

interface Runs {
  readonly runs: ReadonlyArray<{ run: number; mode: string; endedAt: string | null; counts: Record<string, number> }>;
}

let dashboard: Dashboard;
let site: DocSite;
let start: string;
const pages: Record<string, PageResponse> = {};
let server: WebServer;
let browser: Browser;

const PROSE =
  'It says at some length what a reader needs to know before anything else, so that it is stored as content.';

function setPage(path: string, text: string): void {
  pages[path] = (_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('x-robots-tag', 'all');
    response.end(`<!doctype html><title>Page ${path}</title><main><h1>Page ${path}</h1><p>${PROSE}</p>${text}</main>`);
  };
}

const setLimits = (connections: string): void =>
  setPage('/limits', `<p>A pool keeps ${connections} connections.</p><p>Each lives for an hour.</p>`);

beforeAll(async () => {
  site = await startDocSite(pages);
  start = `${site.origin}/`;
  setPage('/', '<p>Begin with <a href="/setup">the setup</a>, then read <a href="/limits">the limits</a>.</p>');
  setPage('/setup', '<p>Install it first. See <a href="/limits">the limits</a>.</p>');
  // 400 is not retried in the same run.
  pages['/limits'] = status(400);
  dashboard = await openDashboard();
  ({ server, browser } = dashboard);
  await server.request('/sources', { url: start, name: 'site' });
  await ended();
}, 180_000);

afterAll(async () => {
  await dashboard?.close();
  await site?.close();
});

async function ended(): Promise<Runs['runs'][number]> {
  const latest = async (): Promise<Runs['runs'][number]> => (await server.request<Runs>('/runs?limit=1')).runs[0]!;
  await waitUntil('the end of the run', async () => (await latest()).endedAt !== null);
  return latest();
}

async function open(path: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce', acceptDownloads: true });
  const page = await context.newPage();
  await page.goto(server.url + path);
  return page;
}

function pagePath(path: string): string {
  return `/sources/site/page?url=${encodeURIComponent(start.slice(0, -1) + path)}`;
}

test('failures are grouped by cause and can be retried separately', async () => {
  const failed = await ended();
  expect(failed.counts).toMatchObject({ new: 2, failed: 1 });
  const page = await open(`/runs/${failed.run}`);
  await page.click('role=tab[name="Failed and excluded"]');
  await page.waitForSelector('h2:has-text("Failed")');
  await page.click('role=button[name="Show URLs"] >> nth=0');
  await page.waitForSelector('.reasons li li:has-text("/limits")');
  expect(await axeViolations(page)).toEqual([]);
  await page.click('role=tab[name="Settings"]');
  await page.waitForSelector('[aria-label="Settings of the run"] :text("scope")');
  expect(await axeViolations(page)).toEqual([]);
  await page.click('role=tab[name="Failed and excluded"]');
  setLimits('ten');
  site.requests.length = 0;
  await page.click('role=button[name="Retry"]');
  await page.waitForURL((url) => !url.pathname.endsWith(`/${failed.run}`));
  const retried = await ended();
  expect(retried).toMatchObject({ mode: 'retry', counts: { found: 1, new: 1, failed: 0 } });
  expect(site.pages()).not.toContain('/setup');
  expect(site.pages()).toContain('/limits');
  await page.context().close();
}, 60_000);

test.each(['light', 'dark'] as const)(
  'backlinks, changes and fetch details are shown in %s',
  async (theme) => {
    const nth = theme === 'light' ? 'twenty' : 'thirty';
    setLimits(nth);
    await server.request('/sources/site/recrawl', { mode: 'full' });
    expect((await ended()).counts).toMatchObject({ changed: 1, unchanged: 2 });
    const page = await open(pagePath('/limits'), theme);
    await page.click('role=tab[name=Revisions]');
    await page.waitForSelector(`.diff [data-kind=added]:has-text("${nth}")`);
    await page.waitForSelector('.diff [data-kind=removed]:has-text("connections")');
    expect(await page.locator('.diff [data-kind=added]').first().innerText()).toContain(nth);
    expect(await axeViolations(page)).toEqual([]);
    await page.click('role=tab[name=Links]');
    await page.waitForSelector('ul[aria-label="Pages that link here"] li:nth-child(2)');
    expect(await page.locator('ul[aria-label="Pages that link here"] a').allInnerTexts()).toEqual(['/', '/setup']);
    expect(await axeViolations(page)).toEqual([]);
    await page.click('role=tab[name="Fetch details"]');
    await page.waitForSelector('dt:has-text("x-robots-tag")');
    await page.waitForSelector(`.response-body:has-text("<p>A pool keeps ${nth} connections.</p>")`);
    await page.waitForSelector('text=/Found .* via links, at depth 1/');
    expect(await axeViolations(page)).toEqual([]);
    await page.context().close();
  },
  60_000,
);

test('a bundle is downloaded from the dashboard', async () => {
  const page = await open('/library');
  await page.click('role=tab[name=Exports]');
  const download = page.waitForEvent('download');
  await page.click('text=Download bundle');
  const saved = readFileSync(await (await download).path());
  const expected = Buffer.from(await (await fetch(`${server.url}/api/sources/site/export`)).arrayBuffer());
  expect(saved.subarray(0, 2).toString()).toBe('PK');
  expect(saved.equals(expected)).toBe(true);
  expect(await axeViolations(page)).toEqual([]);
  await page.context().close();
});

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll('a, button, input, textarea')].some((element) => {
        const label = (element as HTMLInputElement).labels?.[0]?.innerText ?? '';
        const text = element.getAttribute('aria-label') ?? (label === '' ? (element as HTMLElement).innerText : label);
        return text.startsWith(wanted) && !(element as HTMLButtonElement).disabled;
      }),
    name,
  );
  for (let presses = 0; presses < 150; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      const label = element?.labels?.[0]?.innerText ?? '';
      return element?.getAttribute('aria-label') ?? (label === '' ? (element?.innerText ?? '') : label);
    });
    if (focused.startsWith(name)) return;
  }
  throw new Error(`Tab does not reach ${name}`);
}

async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

async function goTo(page: Page, source: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.waitForSelector('[role=combobox]:focus');
  await page.keyboard.type(source);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/sources/${source}`);
  await page.waitForSelector('.stats');
}

test('[U3] a source lives from its plan to its removal by keyboard alone (finding T5.1)', async () => {
  const page = await open('/');
  await page.waitForSelector('.source');
  const release = site.hold('/limits');
  await page.keyboard.press('a');
  await page.waitForSelector('input[type=url]:focus');
  await page.keyboard.type(start);
  await tabTo(page, 'Name');
  await page.keyboard.type('keys');
  await page.waitForSelector('.stats', { timeout: 60_000 });
  await press(page, 'Add and start crawling');
  await page.waitForURL('**/runs/*');
  await press(page, 'Pause');
  await press(page, 'Resume');
  await page.waitForSelector('role=button[name=Pause]');
  release();
  await page.waitForSelector('.view-header .badge:has-text("completed")', { timeout: 60_000 });
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.waitForSelector('.bar-plot');

  setPage('/limits', '<p>A pool keeps forty connections.</p>');
  await goTo(page, 'keys');
  await press(page, 'Recrawl now');
  await page.waitForURL('**/runs/*');
  await page.waitForSelector('.view-header .badge:has-text("completed")', { timeout: 60_000 });
  await tabTo(page, 'Problems');
  await page.keyboard.press('ArrowRight');
  await press(page, 'Show the diff of /limits');
  await page.waitForSelector('.diff [data-kind=added]:has-text("forty")');

  site.requests.length = 0;
  await goTo(page, 'keys');
  await press(page, 'Recrawl with options');
  await tabTo(page, 'Include');
  await page.keyboard.type('/setup');
  await press(page, 'Start the run');
  await page.waitForURL('**/runs/*');
  await page.waitForSelector('.view-header .badge:has-text("completed")', { timeout: 60_000 });
  expect(site.pages()).toContain('/setup');
  expect(site.pages()).not.toContain('/limits');

  await goTo(page, 'keys');
  await press(page, 'Remove');
  await tabTo(page, 'Type keys to confirm');
  await page.keyboard.type('keys');
  await press(page, 'Remove this source');
  await page.waitForSelector('h1:has-text("keys was removed")');
  const { sources } = await server.request<{ sources: { source: string }[] }>('/library/stats');
  expect(sources.map(({ source }) => source)).toEqual(['site']);
  await page.context().close();
}, 180_000);
