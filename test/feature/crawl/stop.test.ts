// A worker that is stopped releases its run, whatever it was doing; a run that is stopped does not wait for slow servers.

import { type AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { addSite, openCrawler } from '../../support/measured-crawl.ts';
import { createCrawler } from '../../support/crawl.ts';
import { docPage, startDocSite } from '../../support/scripted-site.ts';
import { claimAll, createRunFixture } from '../../support/run-fixture.ts';
import { openTestPostgres, openTestSqlite } from '../../support/stores.ts';
import { waitUntil } from '../../support/wait-until.ts';

for (const open of [openTestSqlite, openTestPostgres]) {
  test(`${open.name}: a run stopped while robots.txt is being fetched is released immediately`, async () => {
    const { store, close } = await open();
    const deaf = createServer().listen(0, '127.0.0.1');
    await once(deaf, 'listening');
    const source = await addSite(store, 'deaf', `http://127.0.0.1:${(deaf.address() as AddressInfo).port}/`);
    const crawler = openCrawler(store);
    const connected = once(deaf, 'connection');
    await store.runs.start(source.versions[0]!.id, 'incremental', {});
    const [socket] = await connected;
    await crawler.close();
    expect(await store.runs.lease('the next worker', 1000)).not.toBeNull();
    socket.destroy();
    deaf.close();
    await close();
  });
}

for (const open of [openTestSqlite, openTestPostgres]) {
  test(`${open.name}: a stop drops the URLs in flight after its grace, and aborts their requests`, async () => {
    let aborted = 0;
    const site = await startDocSite({}, ({ url = '' }, response) => {
      response.setHeader('content-type', 'text/html');
      if (url === '/docs/')
        return void response.end(docPage('Start', ['/docs/slow-1', '/docs/slow-2', '/docs/slow-3']));
      if (!url.startsWith('/docs/slow-')) return void response.writeHead(404).end();
      response.on('close', () => (aborted += 1));
    });
    // Two workers: one of them has claims of a run that the other one coordinates, or both.
    const crawler = await createCrawler({ open, workers: 2, limits: { concurrency: 2 } });
    const run = await crawler.start(`${site.origin}/docs/`, { preset: 'basic' });
    await waitUntil(
      'the slow pages are in flight',
      () => site.pages().filter((url) => url.includes('slow')).length === 3,
    );
    await crawler.store.runs.stopWithin(run, 300);
    const ended = await crawler.ended(run, 20_000);
    expect(ended).toMatchObject({ state: 'stopped', counts: { new: 1, dropped: 3, failed: 0 } });
    expect((await crawler.outcomes(run)).get(`${site.origin}/docs/slow-1`)).toBe(
      'drop: stopped: still in flight when the grace period was over',
    );
    await waitUntil('the requests are aborted', () => aborted === 3);
    await crawler.close();
    await site.close();
  });
}

test('discovery ends when its run is stopped', async () => {
  const site = await startDocSite({}, ({ url = '' }, response) => {
    if (url !== '/sitemap.xml') response.writeHead(404).end();
  });
  const crawler = await createCrawler();
  const run = await crawler.start(`${site.origin}/docs/`, { preset: 'sitemap-only' });
  await waitUntil('the sitemap is asked for', () => site.requests.some(({ url }) => url === '/sitemap.xml'));
  await crawler.store.runs.stopWithin(run, 0);
  expect(await crawler.ended(run, 20_000)).toMatchObject({ state: 'stopped' });
  await crawler.close();
  await site.close();
});

for (const open of [openTestSqlite, openTestPostgres]) {
  test(`${open.name}: a run paused during discovery starts it over when it is resumed (finding D20)`, async () => {
    let [answers, aborted] = [false, false];
    const site = await startDocSite({}, ({ url = '' }, response) => {
      response.setHeader('content-type', 'text/html').on('close', () => (aborted ||= url === '/sitemap.xml'));
      if (url === '/docs/') return void response.end(docPage('Start', []));
      if (url === '/sitemap.xml' && answers)
        response.end(`<urlset><url><loc>${site.origin}/docs/</loc></url></urlset>`);
      else if (url !== '/sitemap.xml') response.writeHead(404).end();
    });
    const crawler = await createCrawler({ open });
    const run = await crawler.start(`${site.origin}/docs/`, { preset: 'sitemap-only' });
    await waitUntil('the sitemap is asked for', () => site.requests.some(({ url }) => url === '/sitemap.xml'));
    await crawler.store.runs.control(run, 'pause');
    await waitUntil('its request is aborted', () => aborted);
    expect(await crawler.store.runs.byId(run)).toMatchObject({ state: 'paused', seededAt: null });
    answers = true;
    await crawler.store.runs.control(run, 'resume');
    expect(await crawler.ended(run, 20_000)).toMatchObject({ state: 'completed', counts: { new: 1 } });
    await crawler.close();
    await site.close();
  });
}

for (const open of [openTestSqlite, openTestPostgres]) {
  test(`${open.name}: a stop ends the work on pages of an older extractor (finding D20)`, async () => {
    const paths = Array.from({ length: 64 }, (_, nth) => `/docs/${nth}`);
    const site = await startDocSite({
      '/docs/': docPage('Start', paths),
      ...Object.fromEntries(paths.map((path) => [path, docPage(path)])),
    });
    const stopped = Promise.withResolvers<void>();
    const batches: number[] = [];
    const crawler = await createCrawler({
      async open(settings) {
        const opened = await open(settings);
        const { pages } = opened.store;
        const reprocess: typeof pages.reprocess = async (lease, batch) => {
          batches.push(batch.length);
          await stopped.promise;
          return pages.reprocess(lease, batch);
        };
        return { ...opened, store: { ...opened.store, pages: { ...pages, reprocess } } };
      },
    });
    const start = `${site.origin}/docs/`;
    await crawler.crawl(start, { preset: 'basic' });
    await crawler.sql(`update pages set pipeline_version = 'html@0'`);
    const run = await crawler.start(start, { preset: 'basic' });
    await waitUntil('pages are reprocessed', () => batches.length === 1);
    await crawler.store.runs.control(run, 'stop');
    // The run asks now and then whether it may continue.
    await wait(1500);
    stopped.resolve();
    expect(await crawler.ended(run)).toMatchObject({ state: 'stopped' });
    expect(batches).toHaveLength(1);
    await crawler.close();
    await site.close();
  });
}

test('a stop takes effect when the processes of the run were killed', async () => {
  const { store, close } = await openTestSqlite();
  const { run, lease } = await createRunFixture(store, ['https://x.dev/a']);
  expect(await claimAll(store), 'claimed by a worker that never answers again').toHaveLength(1);
  await store.runs.stopWithin(run.id, 0);
  await store.runs.renew(lease, 1);
  const crawler = openCrawler(store);
  await waitUntil(
    'another process ends the run',
    async () => (await store.runs.byId(run.id))?.endedAt !== null,
    20_000,
  );
  expect(await store.runs.byId(run.id)).toMatchObject({ state: 'stopped', counts: { dropped: 1 } });
  await crawler.close();
  await close();
});
