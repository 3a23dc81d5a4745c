// Documents that try to run a script or to load something when displayed, under the real policy of the server.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildDocument, hostileDocuments } from '../../support/build-document.ts';
import { openDashboard, type Dashboard, type WebServer } from '../../support/dashboard-server.ts';
import { waitUntil } from '../../support/wait-until.ts';

const SHOWN = ['html-xss-soup', 'md-html-xss', 'html-unclosed-script'] as const;

let dashboard: Dashboard;
let site: Server;
let server: WebServer;
let browser: Browser;

beforeAll(async () => {
  site = createServer((request, response) => {
    const id = SHOWN.find((name) => request.url === `/${name}`);
    if (request.url === '/') response.setHeader('content-type', 'text/html').end(HOME);
    else if (id === undefined) response.writeHead(404).end();
    else {
      const { type, body } = padded(id);
      response.setHeader('content-type', type).end(body);
    }
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  dashboard = await openDashboard();
  ({ server, browser } = dashboard);
  await server.request('/sources', {
    url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`,
    name: 'hostile',
  });
  await waitUntil('the end of the run', async () => {
    const { runs } = await server.request<{ runs: { endedAt: string | null }[] }>('/runs?limit=1');
    return runs[0]?.endedAt != null;
  });
}, 180_000);

afterAll(async () => {
  await dashboard?.close();
  site?.close();
});

const PROSE =
  'This page explains at some length how a reader of hostile documents stays calm, so that it is stored as content.';
const HOME = `<!doctype html><title>Home</title><main><h1>Home</h1><p>${PROSE}</p>${SHOWN.map((id) => `<a href="/${id}">${id}</a>`).join(' ')}</main>`;

/** The document from the list, with enough prose before it to be stored. */
function padded(id: string): { type: string; body: Buffer } {
  const document = hostileDocuments.find((one) => one.id === id)!;
  const isMarkdown = document.type === 'md';
  const head = isMarkdown ? `# ${id}\n\n${PROSE}\n\n` : `<main><h1>${id}</h1><p>${PROSE}</p>`;
  const body = Buffer.concat([Buffer.from(head), buildDocument(document)]);
  return { type: isMarkdown ? 'text/markdown' : 'text/html', body };
}

test.each(SHOWN)('%s runs no script and sends no request in any view', async (id) => {
  const { pages } = await server.request<{ pages: { url: string }[] }>('/sources/hostile/pages');
  const url = pages.find((page) => page.url.endsWith(`/${id}`))?.url;
  expect(url).toBeDefined();
  const context = await browser.newContext();
  const page = await context.newPage();
  const violations: string[] = [];
  context.on('request', (request) => {
    if (!request.url().startsWith(`${server.url}/`) && !request.url().startsWith('data:'))
      violations.push(`request ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    violations.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) violations.push(message.text());
  });
  await page.goto(`${server.url}/sources/hostile/page?url=${encodeURIComponent(url!)}`);
  await page.waitForSelector('.markdown');
  const links = await page
    .locator('.markdown a')
    .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).protocol));
  expect(links.filter((protocol) => protocol !== 'http:' && protocol !== 'https:')).toEqual([]);
  expect(await page.locator('.markdown :is(img, script, iframe, svg, object, style, form)').count()).toBe(0);
  for (const tab of await page.locator('[role=tab]').all()) {
    await tab.click();
    await page.waitForTimeout(200);
  }
  for (const as of ['', '&as=agent']) {
    await page.goto(`${server.url}/search?q=hostile+documents+calm${as}`);
    await page.waitForSelector('.hit, .agent-answer');
  }
  expect(violations).toEqual([]);
  await context.close();
});
