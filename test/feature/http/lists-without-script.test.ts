// Lists as pages that need no JavaScript: their tables, filters, ways to newer and older items, and what they escape.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { docPage, startDocSite, type DocSite } from '../../support/scripted-site.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { waitUntil } from '../../support/wait-until.ts';

let server: TestServer;
let site: DocSite;

beforeAll(async () => {
  const names = Array.from({ length: 6 }, (_, i) => `/docs/page-${i}`);
  const pages = Object.fromEntries(names.map((path) => [path, docPage(path)]));
  site = await startDocSite({ ...pages, '/docs/': docPage('the start', [...names, "/docs/none?q=<b>'&"]) });
  server = await startTestServer({ PINAKES_CRAWL_QUEUE_EVENT_MAX_URLS: '100' });
  for (const name of ['one', 'two']) {
    const body = JSON.stringify({ url: `${site.origin}/docs/`, name });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${server.url}/api/sources`, { method: 'POST', headers, body });
    const { run } = (await answer.json()) as { run: number };
    await waitUntil(`the end of run ${run}`, async () => {
      const { runs } = (await (await fetch(`${server.url}/api/runs/${run}`)).json()) as {
        runs: Array<{ endedAt: unknown }>;
      };
      return runs[0]?.endedAt !== null;
    });
  }
}, 180_000);

afterAll(async () => {
  await server?.stop();
  await site?.close();
});

async function page(path: string): Promise<string> {
  const response = await fetch(server.url + path);
  expect([path, response.status, response.headers.get('content-type')]).toEqual([
    path,
    200,
    'text/html; charset=UTF-8',
  ]);
  return response.text();
}

test('the list of queues leads to each queue, and each to the one before and after', async () => {
  const list = await page('/queues/ssr');
  for (const run of [1, 2]) expect(list).toContain(`href="/queues/${run}/ssr"`);
  const latest = await fetch(`${server.url}/queues/latest`, { redirect: 'manual' });
  expect([latest.status, latest.headers.get('location')]).toEqual([302, '/queues/2/ssr']);
  expect(await page('/queues/1/ssr')).toContain('href="/queues/2/ssr"');
  expect(await page('/queues/2/ssr')).toContain('href="/queues/1/ssr"');
});

test('events are filtered by action, and read page by page in both directions', async () => {
  const enqueued = await page('/queues/1/ssr?action=enqueued');
  expect(enqueued).toContain('<option value="enqueued" selected>');
  expect(enqueued).toContain('<td>enqueued</td>');
  expect(enqueued).not.toContain('<td>dequeued</td>');
  const first = await page('/queues/1/ssr?limit=3');
  const older = /href="([^"]*before=[^"]*)">Older/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(older).toContain('/queues/1/ssr?');
  const second = await page(older);
  const newer = /href="([^"]*after=[^"]*)">← Newer/.exec(second)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(numbersOf(first)).toHaveLength(3);
  expect(numbersOf(second)[0]).toBeLessThan(numbersOf(first).at(-1) ?? 0);
  expect(Math.min(...numbersOf(await page(`${newer}&limit=3`)))).toBe(numbersOf(first).at(-1));
});

test('problems and milestones are filtered by job, kind and scope', async () => {
  const host = new URL(site.origin).host;
  const both = await page(`/milestones/ssr?scope=${host}`);
  expect(both.match(/<td>seeds-prepared<\/td>/g)).toHaveLength(2);
  const one = await page(`/milestones/ssr?job=2&kind=seeds-prepared`);
  expect(one.match(/<td>seeds-prepared<\/td>/g)).toHaveLength(1);
  expect(one).toContain('{&quot;count&quot;:');
  expect(await page('/milestones/ssr?job=analysis-run')).toContain('Nothing to show');
  expect(await page('/problems/ssr?severity=warn&job=1')).toContain('<table>');
});

test('what a site or a link wrote is text, never markup', async () => {
  const events = await page('/queues/1/ssr?limit=500');
  expect(events).toContain('none?');
  expect(events).not.toContain('<b>');
  const echoed = await page(`/milestones/ssr?kind=${encodeURIComponent('"><script>alert(1)</script>')}`);
  expect(echoed).not.toContain('<script>alert');
});

test.each(['/queues/none/ssr', '/queues/0x1/ssr', '/analysis/%20/ssr'])('%s is 400', async (path) => {
  expect((await fetch(server.url + path)).status).toBe(400);
});

test.each(['/queues', '/analysis/none/ssr', '/milestones/none'])('%s is not found', async (path) => {
  expect((await fetch(server.url + path)).status).toBe(404);
});

function numbersOf(text: string): number[] {
  return Array.from(text.matchAll(/<tr>\s*<td>(\d+)<\/td>/g), ([, number]) => Number(number));
}
