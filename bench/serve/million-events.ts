// node bench/serve/million-events.ts [EVENTS]: browses a run of a million events and a hundred thousand URLs in Chromium, on a
// real server. Reports how long each step takes and the longest task of the page.

import { rmSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { pageUrl } from '../../src/core/model/page-url.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { frontierEntry, createRunFixture } from '../../test/support/run-fixture.ts';
import { TEST_SETTINGS, thisOwner } from '../../test/support/stores.ts';
import { temporaryDirectory } from '../../test/support/temporary-folder.ts';
import { CHROMIUM, ensureBuilt, openChromium, startWebServer } from '../../test/support/dashboard-server.ts';
import { writeResult } from '../support/write-result.ts';

const EVENTS = Number(process.argv[2] ?? 1_000_000);
const URLS = EVENTS / 10;
const AT_ONCE = 10_000;
/** One event in this many is of the rare kind. */
const RARE = 50_000;

await ensureBuilt();
const directory = temporaryDirectory();
const run = await makeStore();
const server = await startWebServer(directory);
const browser = await openChromium(CHROMIUM);
const steps: Record<string, number> = {};
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript(() => {
    const longest = { ms: 0 };
    Object.assign(globalThis, { longest });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest.ms = Math.max(longest.ms, duration);
    }).observe({ type: 'longtask', buffered: true });
  });
  await step('open the run', async () => {
    await page.goto(`${server.url}/runs/${run}`);
    await page.waitForSelector('.meter');
  });
  await step('first events', async () => {
    await page.click('role=tab[name=Events]');
    await page.waitForSelector('.rows .tr');
  });
  await step('twenty batches further', () => scrollOn(page, 20));
  await step('a frequent kind', () => choose(page, 'new'));
  await step('a rare kind', () => choose(page, 'failed'));
  await step('first URLs', async () => {
    await page.click('role=tab[name=URLs]');
    await page.waitForSelector('.rows .tr');
  });
  await step('failed URLs', async () => {
    await page.selectOption('select[aria-label=Outcome]', 'failed');
    await page.waitForSelector('text=No URLs with this outcome');
  });
  await step('reasons', async () => {
    await page.click('role=tab[name="Failed and excluded"]');
    await page.waitForSelector('.reasons, p:has-text("No URL failed")');
  });
  const longestTaskMs = await page.evaluate(() => (globalThis as unknown as { longest: { ms: number } }).longest.ms);
  const result = { events: EVENTS, urls: URLS, stepsMs: steps, longestTaskMs };
  if (process.argv[2] === undefined) writeResult('million-events', result);
  else console.log(result);
} finally {
  await browser.close();
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}

async function makeStore(): Promise<number> {
  const store = openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner });
  const begun = await createRunFixture(store);
  for (let from = 0; from < URLS; from += AT_ONCE)
    await store.frontier.enqueue(
      begun.run.id,
      Array.from({ length: AT_ONCE }, (_, n) => frontierEntry(`https://x.dev/page/${from + n}`)),
    );
  for (let from = 0; from < EVENTS; from += AT_ONCE) {
    const events = Array.from({ length: AT_ONCE }, (_, n) => ({
      kind: (from + n) % RARE === 0 ? 'failed' : n % 3 === 0 ? 'new' : 'unchanged',
      url: pageUrl(`https://x.dev/page/${from + n}`),
      detail: { ms: n % 700 },
    }));
    await store.journal.append(begun.run.id, events);
  }
  await store.runs.control(begun.run.id, 'pause');
  await store.close();
  return begun.run.id;
}

async function step(name: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await work();
  steps[name] = Math.round(performance.now() - began);
}

async function scrollOn(page: Page, batches: number): Promise<void> {
  for (let at = 0; at < batches; at += 1) {
    const arrived = page.waitForResponse((response) => response.url().includes('/events?'));
    await page.locator('.scroll').evaluate((box) => box.scrollBy(0, box.scrollHeight));
    await arrived;
  }
}

async function choose(page: Page, kind: string): Promise<void> {
  await page.selectOption('select', kind);
  await page.waitForSelector(`.rows .tr:has-text("${kind}")`);
}
