// How many runs are active at a time: scheduled ones, and those that one process coordinates.

import { afterEach, expect, test, vi } from 'vitest';
import { createCrawler, type Crawler, type CrawlOptions } from '../../support/crawl.ts';
import { docPage, startDocSite, type DocSite } from '../../support/scripted-site.ts';
import { waitUntil } from '../../support/wait-until.ts';

vi.setConfig({ testTimeout: 90_000 });

const closing: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});

async function open(limits: NonNullable<CrawlOptions['limits']>, responseMs = 0): Promise<[Crawler, DocSite]> {
  const site = await startDocSite({}, ({ url = '' }, response) => {
    if (!url.startsWith('/docs/')) return void response.writeHead(404).end();
    setTimeout(() => response.setHeader('content-type', 'text/html').end(docPage(url)), responseMs);
  });
  closing.push(site);
  const crawler = await createCrawler({ limits });
  closing.push(crawler);
  return [crawler, site];
}

async function addDue({ store }: Crawler, startUrl: string): Promise<void> {
  const definition = { name: startUrl, kind: 'web', startUrl, settings: { every: '1h', preset: 'basic' } } as const;
  await store.sources.add(definition, '', { afterMs: -1000 });
}

test('paused runs do not keep scheduled ones from starting (finding B3)', async () => {
  const [crawler, site] = await open({ maxScheduledRuns: 4 });
  for (let nth = 1; nth <= 4; nth += 1) {
    const run = await crawler.start(`${site.origin}/docs/paused-${nth}`, { preset: 'basic' });
    await crawler.store.runs.control(run, 'pause');
  }
  await addDue(crawler, `${site.origin}/docs/due`);
  await waitUntil(
    'the due source is crawled',
    async () => (await crawler.stored()).includes(`${site.origin}/docs/due`),
    20_000,
  );
});

test('as many scheduled runs are active as the setting allows (finding P5)', async () => {
  const [crawler, site] = await open({ maxScheduledRuns: 6 }, 2000);
  for (let nth = 1; nth <= 8; nth += 1) await addDue(crawler, `${site.origin}/docs/${nth}`);
  let most = 0;
  await waitUntil(
    'all due sources are crawled',
    async () => {
      const live = await crawler.store.runs.live();
      most = Math.max(most, live.length);
      return (await crawler.stored()).length === 8;
    },
    60_000,
  );
  expect(most).toBe(6);
});

test('a process coordinates a bounded number of runs at a time (finding P6)', async () => {
  const [crawler, site] = await open({ maxRuns: 2 }, 300);
  const runs = [];
  for (let nth = 1; nth <= 5; nth += 1)
    runs.push(await crawler.start(`${site.origin}/docs/${nth}`, { preset: 'basic' }));
  let most = 0;
  await waitUntil(
    'all runs end',
    async () => {
      const live = await crawler.store.runs.live();
      most = Math.max(most, live.filter(({ state }) => state === 'running').length);
      return live.length === 0;
    },
    60_000,
  );
  expect(most).toBe(2);
  for (const run of runs) expect(await crawler.ended(run)).toMatchObject({ counts: { new: 1 } });
});
