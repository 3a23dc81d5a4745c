// Tables of ten thousand rows and a long journal: only visible rows are in the DOM, and the page stays responsive.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { frontierEntry, createRunFixture } from '../../support/run-fixture.ts';
import { TEST_SETTINGS, thisOwner } from '../../support/stores.ts';
import { wallSlowness } from '../../support/work-time.ts';
import { openDashboard, type Dashboard, type WebServer } from '../../support/dashboard-server.ts';

const URLS = 10_000;
const EVENTS = 100_000;
const BATCH_SIZE = 5000;
/** A task that blocks the page for longer is noticeable. */
const MAX_TASK_MS = 500;

let dashboard: Dashboard;
let server: WebServer;
let browser: Browser;
let run: number;

async function fill(directory: string): Promise<void> {
  const store = openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner });
  const fixture = await createRunFixture(store);
  run = fixture.run.id;
  for (let from = 0; from < URLS; from += BATCH_SIZE) {
    const entries = Array.from({ length: BATCH_SIZE }, (_, n) => frontierEntry(`https://x.dev/page/${from + n}`));
    await store.frontier.enqueue(fixture.run.id, entries);
  }
  for (let from = 0; from < EVENTS; from += BATCH_SIZE) {
    const events = Array.from({ length: BATCH_SIZE }, (_, n) => ({
      kind: 'noted',
      url: null,
      detail: { n: from + n },
    }));
    await store.journal.append(fixture.run.id, events);
  }
  await store.runs.control(fixture.run.id, 'pause');
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

test('scrolls through ten thousand URLs', async () => {
  const page = await openTab('URLs');
  await scrollThrough(page, 12);
  await page.waitForSelector(`text=${new Intl.NumberFormat('en-GB').format(URLS)} shown`);
  expect(await page.locator('.rows .tr').count()).toBeLessThan(100);
  await page.getByLabel('Filter URLs').fill('/page/9999');
  await page.waitForSelector('text=1 shown');
  expect(await longestTask(page)).toBeLessThan(MAX_TASK_MS * wallSlowness());
  await page.close();
});

test('a long journal is fetched while scrolling', async () => {
  const page = await openTab('Events');
  await page.waitForSelector('.rows .tr:has-text("noted")');
  await scrollThrough(page, 20);
  const shown = Number((await page.locator('text=/[\\d,]+ shown/').innerText()).replaceAll(/\D/g, ''));
  expect(shown).toBeGreaterThanOrEqual(5000);
  expect(await page.locator('.rows .tr').count()).toBeLessThan(100);
  expect(await longestTask(page)).toBeLessThan(MAX_TASK_MS * wallSlowness());
  await page.close();
});
