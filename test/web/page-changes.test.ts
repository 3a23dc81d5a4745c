// What the dashboard shows of pages that fail, come back and change, and what can be carried away.

import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDashboard, type Dashboard, type WebServer } from './dashboard-server.ts';
import { until } from '../support/until.ts';
import { axeViolations } from './axe-violations.ts';
import { createChangingSite, type ChangingSite } from './editable-site.ts';

interface Runs {
  readonly runs: ReadonlyArray<{ run: number; mode: string; endedAt: string | null; counts: Record<string, number> }>;
}

let dashboard: Dashboard;
let site: ChangingSite;
let server: WebServer;
let browser: Browser;

beforeAll(async () => {
  site = await createChangingSite();
  site.say('/', '<p>Begin with <a href="/setup">the setup</a>, then read <a href="/limits">the limits</a>.</p>');
  site.say('/setup', '<p>Install it first. See <a href="/limits">the limits</a>.</p>');
  site.say('/limits', '<p>A pool keeps ten connections.</p><p>Each lives for an hour.</p>');
  site.broken.add('/limits');
  dashboard = await openDashboard();
  ({ server, browser } = dashboard);
  await server.ask('/sources', { url: site.start, name: 'site' });
  await ended();
}, 180_000);

afterAll(async () => {
  await dashboard?.close();
  await site?.close();
});

async function ended(): Promise<Runs['runs'][number]> {
  const latest = async (): Promise<Runs['runs'][number]> => (await server.ask<Runs>('/runs?limit=1')).runs[0]!;
  await until('the end of the run', async () => (await latest()).endedAt !== null);
  return latest();
}

async function open(path: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce', acceptDownloads: true });
  const page = await context.newPage();
  await page.goto(server.url + path);
  return page;
}

function pagePath(path: string): string {
  return `/sources/site/page?url=${encodeURIComponent(site.start.slice(0, -1) + path)}`;
}

test('what failed is grouped by its cause and tried again by itself', async () => {
  const failed = await ended();
  expect(failed.counts).toMatchObject({ new: 2, failed: 1 });
  const page = await open(`/runs/${failed.run}`);
  await page.click('role=tab[name="Failed and left out"]');
  await page.waitForSelector('h2:has-text("Failed, by cause")');
  await page.click('role=button[name="Show them"] >> nth=0');
  await page.waitForSelector('.reasons li li:has-text("/limits")');
  expect(await axeViolations(page)).toEqual([]);
  site.broken.clear();
  site.asked.length = 0;
  await page.click('role=button[name="Try again"]');
  await page.waitForURL((url) => !url.pathname.endsWith(`/${failed.run}`));
  const again = await ended();
  expect(again).toMatchObject({ mode: 'retry', counts: { found: 1, new: 1, failed: 0 } });
  expect(site.asked.filter((path) => path === '/setup')).toEqual([]);
  expect(site.asked.filter((path) => path === '/limits').length).toBeGreaterThan(0);
  await page.context().close();
}, 60_000);

test.each(['light', 'dark'] as const)(
  'links in, changes and how a page came are shown, in %s',
  async (theme) => {
    const nth = theme === 'light' ? 'twenty' : 'thirty';
    site.say('/limits', `<p>A pool keeps ${nth} connections.</p><p>Each lives for an hour.</p>`);
    await server.ask('/sources/site/recrawl', { mode: 'full' });
    expect((await ended()).counts).toMatchObject({ changed: 1, unchanged: 2 });
    const page = await open(pagePath('/limits'), theme);
    await page.click('role=tab[name=Changes]');
    await page.waitForSelector(`.diff [data-kind=added]:has-text("${nth}")`);
    await page.waitForSelector('.diff [data-kind=removed]:has-text("connections")');
    expect(await page.locator('.diff [data-kind=added]').first().innerText()).toContain(nth);
    expect(await axeViolations(page)).toEqual([]);
    await page.click('role=tab[name=Links]');
    await page.waitForSelector('ul[aria-label="Pages that lead here"] li:nth-child(2)');
    expect(await page.locator('ul[aria-label="Pages that lead here"] a').allInnerTexts()).toEqual(['/', '/setup']);
    expect(await axeViolations(page)).toEqual([]);
    await page.click('role=tab[name="How it came"]');
    await page.waitForSelector('dt:has-text("x-robots-tag")');
    await page.waitForSelector(`.received:has-text("<p>A pool keeps ${nth} connections.</p>")`);
    await page.waitForSelector('text=/Found .* by links, 1 link from the start/');
    expect(await axeViolations(page)).toEqual([]);
    await page.context().close();
  },
  60_000,
);

test('a bundle is saved from the dashboard', async () => {
  const page = await open('/health');
  await page.click('role=tab[name=Exports]');
  const download = page.waitForEvent('download');
  await page.click('text=Save as a bundle');
  const saved = readFileSync(await (await download).path());
  const asked = Buffer.from(await (await fetch(`${server.url}/api/sources/site/bundle`)).arrayBuffer());
  expect(saved.subarray(0, 2).toString()).toBe('PK');
  expect(saved.equals(asked)).toBe(true);
  expect(await axeViolations(page)).toEqual([]);
  await page.context().close();
});
