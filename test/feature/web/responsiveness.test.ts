// The responsiveness of the dashboard, measured in the browser: ready within a second, and no layout shift during a run.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSiteServer, type SiteServer } from '../../support/generated-site.ts';
import { wallSlowness } from '../../support/work-time.ts';
import { openDashboard, type Dashboard, type WebServer } from '../../support/dashboard-server.ts';

const READY_MS = 1000;
/** A layout shift of 0.1 counts as good; a fifth of that is not noticeable. */
const MAX_LAYOUT_SHIFT = 0.02;
const OBSERVED_MS = 6000;

let dashboard: Dashboard;
let site: SiteServer;
let server: WebServer;
let browser: Browser;

beforeAll(async () => {
  // Large enough that the run does not end while it is observed.
  site = await createSiteServer({ size: 600, answerMs: 150 });
  dashboard = await openDashboard();
  ({ server, browser } = dashboard);
}, 180_000);

afterAll(async () => {
  await dashboard?.close();
  await site?.close();
});

async function openObserved(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addInitScript(() => {
    const observed = { shift: 0, moved: [] as string[], readyAt: 0 };
    Object.assign(globalThis, { observed });
    // Ready: the content is there, and one frame and one task later the page would respond to input.
    const observer = new MutationObserver(() => {
      if (document.querySelector('.empty h2, .source') === null) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => (observed.readyAt = performance.now()), 0));
    });
    observer.observe(document, { childList: true, subtree: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
          sources: ReadonlyArray<{ node: Element | null }>;
        };
        if (hadRecentInput) continue;
        observed.shift += value;
        observed.moved.push(
          ...sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 120) : '')),
        );
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return context.newPage();
}

interface Observed {
  readonly observed: { readonly shift: number; readonly moved: string[]; readonly readyAt: number };
}

function observedIn(page: Page): Promise<Observed['observed']> {
  return page.evaluate(() => (globalThis as unknown as Observed).observed);
}

test('a view is ready within a second of its first load on loopback', async () => {
  const times: number[] = [];
  for (let nth = 0; nth < 5; nth += 1) {
    const page = await openObserved();
    await page.goto(server.url);
    await page.waitForFunction(() => (globalThis as unknown as Observed).observed.readyAt > 0);
    times.push((await observedIn(page)).readyAt);
    await page.context().close();
  }
  expect(Math.min(...times), `all: ${times.map(Math.round).join(' ')} ms`).toBeLessThan(READY_MS * wallSlowness());
});

test('the layout does not shift during a run', async () => {
  const { run } = await server.request<{ run: number }>('/sources', { url: site.start, name: 'guide' });
  for (const path of [`/runs/${run}`, '/']) {
    const page = await openObserved();
    await page.goto(server.url + path);
    await page.waitForSelector('.status-bar[data-connection=live]');
    await page.waitForTimeout(OBSERVED_MS / 2);
    const { shift, moved } = await observedIn(page);
    expect(shift, moved.join('\n')).toBeLessThan(MAX_LAYOUT_SHIFT);
    await page.context().close();
  }
}, 60_000);
