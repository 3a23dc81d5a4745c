// URLs and hosts that are always throttled. The long form, with default delays, is in test/long/throttling.test.ts.

import { afterEach, expect, test, vi } from 'vitest';
import { createCrawler, type Crawler, type CrawlOptions } from '../../support/crawl.ts';
import { docPage, startDocSite, status, type DocSite } from '../../support/scripted-site.ts';
import { BAD_PAGE, PAGES, startThrottledSite } from './throttled-site.ts';

vi.setConfig({ testTimeout: 90_000 });

const closing: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});

function closeLater<T extends { close(): Promise<void> }>(one: T): T {
  closing.push(one);
  return one;
}

async function crawlerWith(limits: CrawlOptions['limits']): Promise<Crawler> {
  return closeLater(await createCrawler({ limits: { concurrency: 2, ...limits } }));
}

test.each(['one-429', 'one-503'] as const)(
  'a page that is always throttled (%s) is retried after the others and then fails (finding B9)',
  async (throttling) => {
    const site = closeLater(await startThrottledSite(throttling));
    const crawler = await crawlerWith({ maxAttempts: 3 });
    const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic' });
    expect(run).toMatchObject({ state: 'partial', counts: { new: PAGES - 1, failed: 1 } });
    expect(run.reason).toContain(`${BAD_PAGE} (fetch.throttled: status ${throttling.slice(4)})`);
    const requested = site.pages();
    expect(requested.filter((path) => path === BAD_PAGE)).toHaveLength(3);
    const second = requested.indexOf(BAD_PAGE, requested.indexOf(BAD_PAGE) + 1);
    expect(new Set(requested.slice(0, second)).size).toBe(PAGES);
  },
);

/** `/docs/` responds, everything else asks for an hour. */
function throttledFrom(path: string): Promise<DocSite> {
  const links = Array.from({ length: 20 }, (_, i) => `/docs/${i}`);
  const pages = path === '/docs/' ? {} : { '/docs/': docPage('the start', links) };
  return startDocSite({ '/robots.txt': status(404), ...pages }, status(429, { 'retry-after': '3600' }));
}

test('a run that a host throttles ends with what it has and says why (finding B9)', async () => {
  const site = closeLater(await throttledFrom('/docs/0'));
  const crawler = await crawlerWith({ maxStallMinutes: 0.02 });
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic' });
  expect(run).toMatchObject({ state: 'partial', counts: { new: 1 } });
  expect(run.reason).toBe(
    `ended after 0.02 minutes without progress (crawl.maxStallMinutes): ${new URL(site.origin).host} throttles requests`,
  );
  expect(await crawler.problems(run.id)).toContainEqual(expect.objectContaining({ kind: 'no-progress', scope: 'run' }));
  // robots.txt, the start, and what was under way: then the host is left alone.
  expect(site.requests.length).toBeLessThan(6);
});

test('a run of which every page is throttled ends as failed (finding T2.1)', async () => {
  const site = closeLater(await throttledFrom('/docs/'));
  const crawler = await crawlerWith({ maxStallMinutes: 0.02 });
  const run = await crawler.crawl(`${site.origin}/docs/`, { preset: 'basic' });
  expect(run).toMatchObject({ state: 'failed', counts: { new: 0 } });
  expect(run.reason).toContain('throttles requests');
});
