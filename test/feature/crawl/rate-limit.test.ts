// How fast a crawl sends requests, how it treats a failing host, and what it records about it.

import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { RunId } from '../../../src/core/model/run.ts';
import { createCrawler, type Crawler, type CrawlOptions } from '../../support/crawl.ts';
import { docPage, startDocSite, type PageResponse, type DocSite } from '../../support/scripted-site.ts';

vi.setConfig({ testTimeout: 90_000 });

const closing: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});

async function open(paths: Readonly<Record<string, PageResponse>>, otherwise?: PageResponse): Promise<DocSite> {
  const site = await startDocSite(paths, otherwise);
  closing.push(site);
  return site;
}

async function crawlerWith(options: CrawlOptions): Promise<Crawler> {
  const crawler = await createCrawler(options);
  closing.push(crawler);
  return crawler;
}

/** Serves a list of pages, and records when each was requested. */
function timed(
  times: number[],
  answer: (nth: number) => number | Readonly<Record<string, string>> = () => 200,
): PageResponse {
  return (request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    times.push(performance.now());
    const said = answer(times.length);
    if (said !== 200) {
      const [code, headers] = typeof said === 'number' ? [said, {}] : [429, said];
      return void response.writeHead(code, headers).end();
    }
    response.setHeader('content-type', 'text/html');
    response.end(
      docPage(
        request.url ?? '',
        Array.from({ length: 40 }, (_, i) => `/docs/${i}`),
      ),
    );
  };
}

async function changes(crawler: Crawler, run: RunId): Promise<readonly string[]> {
  return (await crawler.events(run))
    .filter(({ kind }) => kind === 'rate-changed')
    .map(({ detail }) => detail['change'] as string);
}

test('[F2] a host gets one request a second at first, up to five while it is quick', async () => {
  const times: number[] = [];
  const site = await open({}, timed(times));
  const crawler = await crawlerWith({ limits: { startDelayMs: 1000, minDelayMs: 200 } });
  const run = await crawler.start(`${site.origin}/docs/`, { preset: 'basic' });
  while (times.length < 26) await wait(50);
  const gaps = times.slice(1).map((at, i) => at - times[i]!);
  // robots.txt was fetched before, so the second page comes half a second after the first.
  expect(gaps[0]).toBeGreaterThanOrEqual(240);
  // The site and the crawler share a process here: when it stalls, one request is seen late and the next in time.
  expect(Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length))).toBeLessThan(7);
  // On a busy machine responses take longer, and the rate grows more slowly.
  expect(Math.min(...gaps.slice(-8))).toBeLessThan(600);
  const recorded = (await crawler.events(run)).filter(({ kind }) => kind === 'rate-changed');
  expect(recorded.map(({ detail }) => [detail['change'], detail['wasMs'], detail['delayMs']])).toEqual([
    ['faster', 1000, 500],
    ['faster', 500, 250],
    ['faster', 250, 200],
  ]);
  expect(recorded[0]?.detail['reason']).toMatch(/^response/);
  expect(await crawler.store.hosts.list(run)).toMatchObject([{ delayMs: 200, breaker: 'closed' }]);
});

test('[F1] [F2] a Crawl-delay takes precedence over the ramp-up', async () => {
  const times: number[] = [];
  const pages = timed(times) as Exclude<PageResponse, string>;
  const site = await open({}, (request, response) => {
    if (request.url !== '/robots.txt') return pages(request, response);
    times.push(performance.now());
    response.end('User-agent: *\nCrawl-delay: 1.2\n');
  });
  const crawler = await crawlerWith({ limits: { startDelayMs: 100, minDelayMs: 50 } });
  const run = await crawler.start(`${site.origin}/docs/`, { preset: 'basic' });
  while (times.length < 6) await wait(50);
  // On average: a request that the stalled process of the test saw late is closer to the next one.
  expect((times[5]! - times[0]!) / 5).toBeGreaterThanOrEqual(1100);
  expect(await crawler.store.hosts.list(run)).toMatchObject([{ crawlDelayMs: 1200, delayMs: 1200 }]);
  expect(await changes(crawler, run)).toEqual(['faster', 'slower']);
});

test('[F2] 429 and 503 with Retry-After are honoured, and the URL is requested again', async () => {
  const times: number[] = [];
  let throttles = 0;
  const site = await open(
    {},
    timed(times, (nth) => (nth % 6 === 5 && throttles++ < 3 ? { 'retry-after': '1' } : 200)),
  );
  const crawler = await crawlerWith({ limits: { maxAttempts: 2, concurrency: 2 } });
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic' });
  expect(run).toMatchObject({ state: 'completed', counts: { new: 41, failed: 0 } });
  const pauses = times
    .slice(1)
    .map((at, i) => at - times[i]!)
    .filter((gap) => gap > 900);
  expect(pauses.length).toBeGreaterThanOrEqual(2);
  expect(await crawler.problems(run.id)).toMatchObject([
    { kind: 'host-throttled', scope: 'host', message: expect.stringContaining('Retry-After 1 s') },
  ]);
  expect(await changes(crawler, run.id)).toContain('paused');
});

test('[F3] a failing host is paused, probed once, and crawled again when it has recovered', async () => {
  const times: number[] = [];
  const site = await open(
    {},
    timed(times, (nth) => (nth > 4 && nth <= 11 ? 500 : 200)),
  );
  const crawler = await crawlerWith({ limits: { circuitBreakerMs: 700, maxAttempts: 12, concurrency: 2 } });
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic' });
  expect(run).toMatchObject({ state: 'completed', counts: { new: 41, failed: 0 } });
  const recorded = await changes(crawler, run.id);
  expect(recorded).toContain('breaker-opened');
  expect(recorded).toContain('breaker-half-open');
  expect(recorded.at(-1)).toBe('breaker-closed');
  expect(await crawler.problems(run.id)).toMatchObject([
    {
      kind: 'host-failing',
      severity: 'warning',
      message: expect.stringMatching(/^It failed 5 times in a row \(status-500\)/),
    },
  ]);
});

test('[F2] a source can have a lower request rate, from its first page on', async () => {
  const times: number[] = [];
  const site = await open({}, timed(times));
  const crawler = await crawlerWith({ limits: { startDelayMs: 100, minDelayMs: 50 } });
  const run = await crawler.start(`${site.origin}/docs/`, { preset: 'basic', requestsPerSecond: 2 });
  while (times.length < 6) await wait(50);
  expect(Math.min(...times.slice(1).map((at, i) => at - times[i]!))).toBeGreaterThanOrEqual(450);
  expect(await crawler.store.hosts.list(run)).toMatchObject([{ delayMs: 500 }]);
});
