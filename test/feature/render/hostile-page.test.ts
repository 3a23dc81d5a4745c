// [F10] What a hostile page in the browser costs others: the hosts that it requests, the sources beside it, and the worker.

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Renderer } from '../../../src/render/port.ts';
import { createCrawler, type Crawler, type CrawlOptions } from '../../support/crawl.ts';
import { startCountingServer, type CountingServer } from '../../support/counting-server.ts';
import { docPage } from '../../support/scripted-site.ts';
import { createTestRenderer, type TestRenderer } from './test-renderer.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const TEXT = 'A gauge shows one value as it is now, and a page has some text before it is ready. '.repeat(6);

let renderer: TestRenderer;
const closing: Array<{ close(): Promise<void> }> = [];
beforeAll(() => {
  renderer = createTestRenderer();
});
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});
afterAll(() => renderer.close());

/** The site of another: data that any page may read, and its robots.txt. */
async function startOther(robots: string | null, host = '127.0.0.3'): Promise<CountingServer> {
  const other = await startCountingServer((request, response) => {
    if (request.url === '/robots.txt' && robots === null) return void response.writeHead(404).end();
    response.setHeader('access-control-allow-origin', '*');
    response.end(request.url === '/robots.txt' ? robots : 'data');
  }, host);
  closing.push(other);
  return other;
}

/** A site of one page that is empty until its script has run. */
async function startPage(script: string): Promise<string> {
  const site = await startCountingServer((request, response) => {
    if (request.url !== '/docs/') return void response.writeHead(404).end();
    response.setHeader('content-type', 'text/html')
      .end(`<!doctype html><title>Gauges</title><div id="app"></div><script>
        app.innerHTML = '<main><h1>Gauges</h1><p>${TEXT}</p></main>';
        ${script}
      </script>`);
  });
  closing.push(site);
  return `http://127.0.0.1:${site.port}/docs/`;
}

async function openCrawler(options: CrawlOptions = {}): Promise<Crawler> {
  const crawler = await createCrawler({ rendering: { mode: 'auto', renderer }, ...options });
  closing.push(crawler);
  return crawler;
}

const paths = ({ requests }: CountingServer): string[] => requests.map(({ url }) => url);

test('a page takes no request slots of another host, and leaves no trace of it in the store (finding V03)', async () => {
  const other = await startOther(null);
  const host = `127.0.0.3:${other.port}`;
  const start = await startPage(`for (let n = 0; n < 100; n += 1) fetch('http://${host}/q' + n)`);
  const crawler = await openCrawler({ limits: { startDelayMs: 300, minDelayMs: 300 } });
  expect(await crawler.crawl(start, { preset: 'basic' })).toMatchObject({ counts: { new: 1 } });
  expect(paths(other)).toContain('/q0');
  expect(await crawler.store.hosts.robots(`http://${host}`)).toBeNull();
  expect((await crawler.store.hosts.reserveSlot(host)).startsInMs).toBe(0);
});

test('a page that is over holds no more than one slot of its own host (finding V03)', async () => {
  const start = await startPage(`for (let n = 0; n < 100; n += 1) fetch('/q' + n).catch(() => 0)`);
  const crawler = await openCrawler({ limits: { startDelayMs: 1000, minDelayMs: 1000 } });
  await crawler.crawl(start, { preset: 'basic' });
  const { startsInMs } = await crawler.store.hosts.reserveSlot(new URL(start).host);
  expect(startsInMs).toBeLessThan(2500);
});

test('the robots.txt of a third party is requested before its data, and obeyed (finding D26)', async () => {
  const open = await startOther('User-agent: *\nDisallow: /private/');
  const closed = await startOther('User-agent: *\nDisallow: /', '127.0.0.4');
  const start = await startPage(`
    for (let n = 0; n < 5; n += 1) fetch('http://127.0.0.3:${open.port}/data' + n);
    fetch('http://127.0.0.3:${open.port}/private/x').catch(() => 0);
    fetch('http://127.0.0.4:${closed.port}/data').catch(() => 0);`);
  const crawler = await openCrawler();
  expect(await crawler.crawl(start, { preset: 'basic' })).toMatchObject({ counts: { new: 1 } });
  expect(paths(open)[0]).toBe('/robots.txt');
  expect(paths(open).slice(1).toSorted()).toEqual(['/data0', '/data1', '/data2', '/data3', '/data4']);
  expect(paths(closed)).toEqual(['/robots.txt']);
});

test('a page that makes more requests than it may is stored as it is, and the run says so (finding V09)', async () => {
  const start = await startPage(`for (let n = 0; n < 12; n += 1) fetch('/q' + n).catch(() => 0)`);
  const frugal = createTestRenderer({ limits: { maxRequests: 5 } });
  closing.push(frugal);
  const crawler = await openCrawler({ rendering: { mode: 'auto', renderer: frugal } });
  const run = await crawler.crawl(start, { preset: 'basic' });
  expect(run).toMatchObject({ state: 'completed', counts: { new: 1, failed: 0 } });
  expect(await crawler.problems(run.id)).toMatchObject([
    { kind: 'render-incomplete', message: expect.stringContaining('more than 5 requests (render.maxRequests)') },
  ]);
});

test('a rendered document counts in the bytes in flight, not the shell that it came from (finding D27)', async () => {
  let [open, mostOpen] = [0, 0];
  const site = await startCountingServer((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    response.setHeader('content-type', 'text/html');
    if (request.url === '/docs/') return void response.end('<title>Shell</title><div id="app"></div><script></script>');
    mostOpen = Math.max(mostOpen, ++open);
    setTimeout(() => {
      open -= 1;
      response.end(docPage(request.url ?? '', []));
    }, 150);
  });
  const links = Array.from({ length: 6 }, (_, nth) => `<a href="/docs/p${nth}">Page ${nth}</a>`).join('');
  const html = `<!doctype html><title>Long</title><main><h1>Long</h1>${`<p>${TEXT}</p>`.repeat(2000)}${links}</main>`;
  const drawn = { html, status: 200, headers: {}, renderedBy: 'test', bytes: 1, totalMs: 1 };
  const render: Renderer['render'] = async ({ url }) => ({
    ...drawn,
    kind: 'rendered',
    url,
    readiness: 'quiet',
    refusals: [],
    exceeded: null,
  });
  const rendering = { mode: 'auto', renderer: { render, close: async () => undefined } } as const;
  closing.push(site);
  const crawler = await openCrawler({ rendering, limits: { maxInFlightBytes: html.length / 2 } });
  const run = await crawler.crawl(`http://127.0.0.1:${site.port}/docs/`, { preset: 'basic' });
  expect(run).toMatchObject({ state: 'completed', counts: { new: 7 } });
  expect(mostOpen).toBe(1);
});
