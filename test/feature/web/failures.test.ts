// What failed and what went away, in the dashboard: where people look first.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDashboard, type Dashboard, type WebServer } from '../../support/dashboard-server.ts';
import { docPage, startDocSite, type DocSite, type PageResponse } from '../../support/scripted-site.ts';
import { waitUntil } from '../../support/wait-until.ts';

interface RunView {
  readonly run: number;
  readonly endedAt: string | null;
  readonly counts: Readonly<Record<string, number>>;
}

const names = Array.from({ length: 12 }, (_, i) => `/docs/page-${i}`);
const dead = ['/docs/dead-0', '/docs/dead-1', '/docs/dead-2'];
const REMOVED = '/docs/page-11';

let dashboard: Dashboard;
let site: DocSite;
let server: WebServer;
let page: Page;

async function endOfRun(run: number): Promise<RunView> {
  const view = async () => (await server.request<{ runs: RunView[] }>(`/runs/${run}`)).runs[0]!;
  await waitUntil(`the end of run ${run}`, async () => (await view()).endedAt !== null);
  return view();
}

beforeAll(async () => {
  const paths: Record<string, PageResponse> = Object.fromEntries(names.map((path) => [path, docPage(path)]));
  paths['/docs/'] = docPage('the start', [...names, ...dead]);
  site = await startDocSite(paths);
  dashboard = await openDashboard();
  ({ server } = dashboard);
  for (const name of ['docs', 'nope']) {
    const { run } = await server.request<{ run: number }>('/sources', { url: `${site.origin}/${name}/`, name });
    await endOfRun(run);
  }
  delete paths[REMOVED];
  await server.request('/sources/docs/recrawl', {});
  await endOfRun(3);
  page = await dashboard.browser.newPage({ viewport: { width: 1280, height: 800 } });
}, 180_000);

afterAll(async () => {
  await dashboard?.close();
  await site?.close();
});

const WHY = '/nope/ does not exist. Check the URL';

test.each([
  ['the list of sources', '/', '.source:has-text("nope")'],
  ['the list of runs', '/runs', '[role=row]:has-text("nope")'],
  ['the library', '/library', '.notice:has-text("1 of 2 sources failed")'],
  ['the empty source', '/sources/nope', 'p:has-text("No pages: run 2 failed")'],
])('%s says which source failed, and why (finding T3)', async (_name, path, part) => {
  await page.goto(server.url + path);
  await page.waitForSelector(part);
  expect(await page.locator(part).first().innerText()).toContain(WHY);
  expect(await page.locator('text=not crawled yet').count()).toBe(0);
});

test('the problems of all runs begin with why a run failed (finding T3)', async () => {
  await page.goto(`${server.url}/history`);
  await page.click('role=tab[name=Problems]');
  await page.waitForSelector(`.notice:has-text("run-failed"):has-text("${WHY}")`);
  await page.selectOption('select[name=severity]', 'info');
  await page.click('button:has-text("Filter")');
  await page.waitForSelector('p:has-text("No problems.")');
});

test('the milestones of all runs are filtered by run, kind and scope, and show their details', async () => {
  await page.goto(`${server.url}/history`);
  await page.click('role=tab[name=Milestones]');
  await page.waitForSelector('li:has-text("seeds-prepared"):has-text("\\"count\\":")');
  await page.fill('input[name=scope]', new URL(site.origin).host);
  await page.fill('input[name=kind]', 'none');
  await page.click('button:has-text("Filter")');
  await page.waitForSelector('p:has-text("No milestones.")');
  await page.fill('input[name=kind]', 'seeds-prepared');
  await page.click('button:has-text("Filter")');
  await page.waitForSelector('li:has-text("seeds-prepared")');
});

test('an analysis is performed from the home page, which links to its run', async () => {
  await page.goto(server.url);
  await page.click('button:has-text("Perform Analysis")');
  await page.click('a[href^="/analysis/analysis-"]');
  await page.waitForSelector('main:has-text("completed")');
  expect(await page.locator('main').innerText()).toContain('awarding-milestones');
});

test('a removed page is a change, and a link that never worked is none (finding T4)', async () => {
  const { counts } = await endOfRun(3);
  expect(counts).toMatchObject({ removed: 1, missing: 0, 'not-found': dead.length });
  await page.goto(`${server.url}/runs/3`);
  await page.click('role=tab[name=Changes]');
  await page.waitForSelector('h2:has-text("Removed 1")');
  const changed = await page.locator('.changed-urls a').allInnerTexts();
  expect(changed).toContain(REMOVED);
  expect(changed.filter((path) => dead.includes(path))).toEqual([]);
});

test('a search during the first crawl says how far it is, not to try other words (finding T18) (finding T20)', async () => {
  const release = site.hold('/docs/page-0');
  const { run } = await server.request<{ run: number }>('/sources', {
    url: `${site.origin}/docs/page-0`,
    name: 'slow',
  });
  try {
    const answer = await server.request<object>('/search?query=xyzzyplugh');
    // A source without pages has no part in an answer.
    expect(answer).toMatchObject({ searched: ['docs'], crawling: [{ source: 'slow', run, pages: 0 }] });
    await page.goto(`${server.url}/search?q=xyzzyplugh`);
    await page.waitForSelector('.empty:has-text("No results yet"):has-text("slow is being crawled: 0 of")');
  } finally {
    release();
    await endOfRun(run);
  }
});
