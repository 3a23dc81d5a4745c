// Tables of ten thousand rows and a long journal: only the rows in sight are in the page, and the page stays quick.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { anOffer, aRun } from '../support/run-fixture.ts';
import { TEST_SETTINGS, thisOwner } from '../support/stores.ts';
import { openDashboard, type Dashboard, type WebServer } from './dashboard-server.ts';

const URLS = 10_000;
const EVENTS = 100_000;
const AT_ONCE = 5000;
/** A task that keeps the page from answering for longer is felt. */
const LONGEST_TASK_MS = 500;

let dashboard: Dashboard;
let server: WebServer;
let browser: Browser;
let run: number;

async function fill(directory: string): Promise<void> {
  const store = openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner });
  const begun = await aRun(store);
  run = begun.run.id;
  for (let from = 0; from < URLS; from += AT_ONCE) {
    const offers = Array.from({ length: AT_ONCE }, (_, n) => anOffer(`https://x.dev/page/${from + n}`));
    await store.frontier.offer(begun.run.id, offers);
  }
  for (let from = 0; from < EVENTS; from += AT_ONCE) {
    const events = Array.from({ length: AT_ONCE }, (_, n) => ({ kind: 'noted', url: null, detail: { n: from + n } }));
    await store.journal.append(begun.run.id, events);
  }
  await store.runs.control(begun.run.id, 'pause');
  await store.close();
}

beforeAll(async () => {
  dashboard = await openDashboard(fill);
  ({ server, browser } = dashboard);
}, 180_000);

afterAll(async () => {
  await dashboard?.close();
});

async function openTab(name: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${server.url}/runs/${run}`);
  await page.click(`role=tab[name=${name}]`);
  await page.waitForSelector('.rows .tr');
  await page.evaluate(() => {
    const longest = { ms: 0 };
    Object.assign(globalThis, { longest });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest.ms = Math.max(longest.ms, duration);
    }).observe({ type: 'longtask' });
  });
  return page;
}

async function scrollThrough(page: Page, times: number): Promise<void> {
  for (let at = 0; at < times; at += 1) {
    await page.locator('.scroll').evaluate((box) => box.scrollBy(0, box.scrollHeight));
    await page.waitForTimeout(150);
  }
}

function longestTask(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as { longest: { ms: number } }).longest.ms);
}

test('ten thousand URLs are scrolled through', async () => {
  const page = await openTab('URLs');
  await scrollThrough(page, 12);
  await page.waitForSelector(`text=${new Intl.NumberFormat('en-GB').format(URLS)} shown`);
  expect(await page.locator('.rows .tr').count()).toBeLessThan(100);
  await page.getByLabel('URLs that contain').fill('/page/9999');
  await page.waitForSelector('text=1 shown');
  expect(await longestTask(page)).toBeLessThan(LONGEST_TASK_MS);
  await page.close();
});

test('a long journal is fetched as one scrolls', async () => {
  const page = await openTab('Events');
  await page.waitForSelector('.rows .tr:has-text("noted")');
  await scrollThrough(page, 20);
  const shown = Number((await page.locator('text=/[\\d,]+ shown/').innerText()).replaceAll(/\D/g, ''));
  expect(shown).toBeGreaterThanOrEqual(5000);
  expect(await page.locator('.rows .tr').count()).toBeLessThan(100);
  expect(await longestTask(page)).toBeLessThan(LONGEST_TASK_MS);
  await page.close();
});
