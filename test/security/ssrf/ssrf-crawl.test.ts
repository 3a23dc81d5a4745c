// The redirect cases of test/data/cases/ssrf-urls.json in a whole crawl: hops are counted, a downgrade is refused, and what
// a page names is a link like any other. No scripts run here, so redir-20 and redir-21 show that nothing is requested.

import type { RequestListener } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import type { Run } from '../../../src/store/port/runs.ts';
import { createCrawler, type Crawler } from '../../support/crawl.ts';
import { docPage } from '../../support/scripted-site.ts';
import { readCases } from '../../support/read-cases.ts';
import { guardedFetch, PUBLIC, type GuardedFetch } from '../../support/guarded-fetch.ts';

vi.setConfig({ testTimeout: 120_000 });

const { redirect } = readCases('ssrf-urls') as {
  redirect: Array<{ readonly id: string; readonly server_behaviour: string; readonly expected: string }>;
};
const closing: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});

interface Crawled {
  readonly guarded: GuardedFetch;
  readonly crawler: Crawler;
  readonly run: Run;
  /** Requested paths, without robots.txt. */
  readonly requested: readonly string[];
}

async function crawl(start: string, answer: (sentinelPort: number) => RequestListener): Promise<Crawled> {
  const guarded = await guardedFetch({
    names: { 'site.test': [PUBLIC], 'other.test': [PUBLIC] },
    answer: (request, response) =>
      request.url === '/robots.txt'
        ? void response.writeHead(404).end()
        : answer(guarded.sentinel.port)(request, response),
  });
  const crawler = await createCrawler({ fetcher: guarded.fetcher });
  closing.push(guarded.site, guarded.sentinel, crawler);
  const run = await crawler.crawl(start, { preset: 'basic', scope: 'host' });
  expect(await crawler.store.verify()).toEqual([]);
  expect(guarded.sentinel.connections()).toBe(0);
  return {
    guarded,
    crawler,
    run,
    requested: guarded.site.requests.map(({ url }) => url).filter((url) => url !== '/robots.txt'),
  };
}

function redirTest(id: string, run: () => Promise<void>): void {
  const one = redirect.find((candidate) => candidate.id === id);
  test(`${id}: ${one?.server_behaviour}: ${one?.expected}`, run);
}

const to =
  (location: string): RequestListener =>
  (_, response) =>
    void response.writeHead(302, { location }).end();

redirTest('redir-05', async () => {
  const { run, requested } = await crawl('http://site.test/start', (port) => (request, response) => {
    const nth = Number(new URL(request.url ?? '/', 'http://site.test').searchParams.get('n') ?? 0);
    to(nth < 10 ? `/start?n=${nth + 1}` : `http://127.0.0.1:${port}/`)(request, response);
  });
  expect(run).toMatchObject({ state: 'failed', counts: { new: 0 } });
  expect(requested.length).toBeLessThanOrEqual(12);
});

redirTest('redir-06', async () => {
  const { run, crawler, requested } = await crawl(
    'http://site.test/a',
    () => (request, response) => to(request.url === '/a' ? '/b' : '/a')(request, response),
  );
  expect(run).toMatchObject({ state: 'failed', counts: { failed: 1 } });
  const failed = (await crawler.events(run.id)).filter(({ kind }) => kind === 'failed');
  expect(failed).toMatchObject([{ detail: { reason: 'redirect: it leads back to itself' } }]);
  expect((await crawler.events(run.id)).filter(({ kind }) => kind === 'retry')).toEqual([]);
  expect(requested.length).toBeLessThanOrEqual(4);
});

redirTest('redir-10', async () => {
  const { run, requested } = await crawl('http://site.test/start', () => to(''));
  expect(run).toMatchObject({ state: 'failed', counts: { failed: 1 } });
  expect(requested).toEqual(['/start']);
});

redirTest('redir-13', async () => {
  const { run, requested } = await crawl('https://site.test/start', () => to('http://site.test/plain'));
  expect(run.state).toBe('failed');
  expect(run.reason).toContain('from https to http');
  expect(requested).toEqual(['/start']);
});

for (const [id, html] of [
  [
    'redir-17',
    (port: number) => docPage('Refresh', [], `<meta http-equiv=refresh content="0;url=http://127.0.0.1:${port}/">`),
  ],
  ['redir-18', (port: number) => docPage('Base', ['x'], `<base href="http://127.0.0.1:${port}/">`)],
  ['redir-19', (port: number) => docPage('Canonical', [], `<link rel=canonical href="http://127.0.0.1:${port}/">`)],
  ['redir-20', (port: number) => docPage('Script', [], `<script>location = 'http://127.0.0.1:${port}/'</script>`)],
  [
    'redir-21',
    (port: number) =>
      docPage('Parts', [], `<link rel=prefetch href="http://127.0.0.1:${port}/"><img src="http://127.0.0.1:${port}/">`),
  ],
] as const) {
  redirTest(id, async () => {
    const { crawler, guarded } = await crawl(
      'http://site.test/start',
      (port) => (_, response) => void response.setHeader('content-type', 'text/html').end(html(port)),
    );
    expect(await crawler.stored()).toEqual(['http://site.test/start']);
    expect(new Set(guarded.dialled.map(({ address }) => address))).toEqual(new Set([PUBLIC]));
  });
}
