// Store contract: samples of a run, its hosts, the requests for a URL, and the size of the library by day.

import { expect, test } from 'vitest';
import type { ActionDeps } from '../../src/actions/action.ts';
import { showGrowth } from '../../src/actions/show-growth.ts';
import { listUrls } from '../../src/actions/list-urls.ts';
import { showUrl } from '../../src/actions/show-url.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import type { Store } from '../../src/store/port.ts';
import type { Claim, Outcome, Settlement, UrlFetch } from '../../src/store/port/frontier.ts';
import { claimAll, createRunFixture, createSettlement, indexedOutcome } from '../support/run-fixture.ts';
import type { TestStore } from '../support/stores.ts';

const OK: UrlFetch = {
  status: 200,
  bytes: 900,
  mediaType: 'text/html; charset=utf-8',
  firstByteMs: 12.4,
  totalMs: 30,
  error: null,
};
const TIMEOUT: UrlFetch = {
  status: null,
  bytes: 0,
  mediaType: null,
  firstByteMs: null,
  totalMs: null,
  error: 'fetch.timeout',
};

function fetched(claim: Claim, outcome: Outcome, fetch: UrlFetch): Settlement {
  return { ...createSettlement(claim, outcome), fetch, bytes: fetch.bytes };
}

export function runStatisticsContract(opened: () => TestStore): void {
  const store = (): Store => opened().store;

  test('requests are counted by host, and kept with the ended run', async () => {
    const urls = ['https://x.dev/a', 'https://x.dev/b', 'https://y.dev/c'];
    const { run, lease } = await createRunFixture(store(), urls);
    const claims = await claimAll(store());
    await store().frontier.settle(
      claims.map((claim) =>
        claim.url.endsWith('b')
          ? fetched(claim, { kind: 'failed', reason: 'fetch.timeout' }, TIMEOUT)
          : fetched(claim, indexedOutcome(claim.url, 'text'), OK),
      ),
    );
    const live = await store().runs.hosts(run.id, 10);
    expect(live.map(({ host, requests, pages, errors, bytes }) => [host, requests, pages, errors, bytes])).toEqual([
      ['x.dev', 2, 1, 1, 900],
      ['y.dev', 1, 1, 0, 900],
    ]);
    expect(live[1]).toMatchObject({ lastStatus: 200, requestsPerMinute: 1, delayMs: 0 });
    await store().hosts.adjust('y.dev', (state) => ({ ...state, delayMs: 700 }));
    expect((await store().runs.hosts(run.id, 10))[1]).toMatchObject({ delayMs: 700 });
    await store().runs.finish(lease, 'completed', null);
    await store().hosts.adjust('y.dev', (state) => ({ ...state, delayMs: 5000 }));
    expect((await store().runs.hosts(run.id, 10))[1]).toMatchObject({ delayMs: 700, requestsPerMinute: 0 });
    expect(await store().runs.hosts(run.id, 1)).toHaveLength(1);
    const { counts, activeAt } = (await store().runs.byId(run.id))!;
    expect(counts).toMatchObject({ requests: 3, downloads: 2, bytes: 1800 });
    expect(activeAt).not.toBeNull();
  });

  test('a URL keeps its newest requests, across runs and without a page', async () => {
    const { source, run, lease } = await createRunFixture(store(), ['https://x.dev/a']);
    const locate = async () => (await store().frontier.locate(run.version, pageUrl('https://x.dev/a')))?.fetches ?? [];
    const settle = async (outcome: Outcome, fetch: UrlFetch): Promise<void> => {
      const [claim] = await claimAll(store());
      await store().frontier.settle([fetched(claim!, outcome, fetch)]);
    };
    await settle({ kind: 'retry', reason: 'fetch.timeout', inMs: 0 }, TIMEOUT);
    await settle({ kind: 'failed', reason: 'status 500' }, { ...OK, status: 500, error: 'fetch.status' });
    expect(await locate()).toMatchObject([
      {
        run: run.id,
        status: 500,
        bytes: 900,
        mediaType: 'text/html',
        firstByteMs: 12,
        totalMs: 30,
        error: 'fetch.status',
      },
      { run: run.id, status: null, bytes: 0, mediaType: null, firstByteMs: null, error: 'fetch.timeout' },
    ]);
    await store().runs.finish(lease, 'partial', null);
    let last = run;
    for (let i = 0; i < 14; i += 1) {
      const next = await createRunFixture(store(), ['https://x.dev/a'], source);
      await settle({ kind: 'not-found', reason: 'status 404' }, { ...OK, status: 404, mediaType: null });
      await store().runs.finish(next.lease, 'completed', null);
      last = next.run;
    }
    const retained = await locate();
    expect(retained.length).toBeGreaterThan(5);
    expect(retained.length).toBeLessThan(15);
    expect(retained[0]).toMatchObject({ run: last.id, status: 404, mediaType: null });
    expect(retained.every(({ at }) => Math.abs(Date.now() - at.getTime()) < 600_000)).toBe(true);
  });

  test('a URL that was settled without a request has none', async () => {
    const { run } = await createRunFixture(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    await store().frontier.settle([createSettlement(claim!, { kind: 'excluded', reason: 'robots-disallow' })]);
    expect(await store().frontier.locate(run.version, claim!.url)).toMatchObject({ fetches: [] });
    expect(await store().runs.hosts(run.id, 10)).toEqual([]);
    expect((await store().runs.byId(run.id))?.counts).toMatchObject({ requests: 0, downloads: 0 });
  });

  test('samples are thinned to 400 in a run of any length, and the latest stay', async () => {
    const { run, lease } = await createRunFixture(store());
    const samples = async () => store().runs.samples(run.id);
    await fillSamples(run.id, 20_000);
    await store().runs.renew(lease, 60_000);
    const thinned = await samples();
    expect(thinned.length).toBeLessThanOrEqual(400);
    expect(thinned.length).toBeGreaterThan(150);
    expect(thinned.slice(0, 2).map(({ found }) => found)).toEqual([0, 64]);
    expect(thinned.slice(-4, -1).map(({ found }) => found)).toEqual([19_997, 19_998, 19_999]);
    await store().runs.finish(lease, 'completed', null);
    expect((await samples()).length).toBeLessThanOrEqual(400);
  });

  test('the present is compared with a sample that is half a minute old', async () => {
    const { run, lease } = await createRunFixture(store());
    expect(await store().runs.recentSample(run.id)).toBeNull();
    await store().runs.renew(lease, 60_000);
    expect(await store().runs.recentSample(run.id)).toBeNull();
    await opened().sql(`update run_samples set at = at - 6000 where run_id = ${run.id}`);
    expect(await store().runs.recentSample(run.id)).toMatchObject({ found: 0 });
    await fillSamples(run.id, 20);
    const recent = (await store().runs.recentSample(run.id))!;
    expect(recent.found).toBe(17);
  });

  test('what is known about a URL is shown for every version that found it', async () => {
    const details = (url: string) => showUrl.run({ url }, { store: store() } as ActionDeps);
    const { source } = await createRunFixture(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    await store().frontier.settle([
      fetched(claim!, { kind: 'not-found', reason: 'status 404' }, { ...OK, status: 404 }),
    ]);
    const other = await createRunFixture(store(), ['https://x.dev/a']);
    const { occurrences } = await details('https://x.dev/a');
    expect(occurrences).toMatchObject([
      { source: source.name, outcome: 'not-found', reason: 'status 404', page: null, fetches: [{ status: 404 }] },
      { source: other.source.name, run: other.run.id, state: 'queued', outcome: null, fetches: [] },
    ]);
    const written = await details('https://X.dev/a?utm_source=mail&utm_medium=x#top');
    expect([written.url, written.occurrences.length]).toEqual(['https://x.dev/a', 2]);
    expect(await details('https://x.dev/never')).toEqual({ url: 'https://x.dev/never', occurrences: [] });
  });

  test('the URLs of an earlier run are listed page by page, each once, with a filter too', async () => {
    const urls = Array.from({ length: 7 }, (_, nth) => `https://x.dev/${nth}`);
    const { source, run, lease } = await createRunFixture(store(), urls);
    const failed: Outcome = { kind: 'failed', reason: 'status 500' };
    await store().frontier.settle((await claimAll(store())).map((claim) => createSettlement(claim, failed)));
    await store().runs.finish(lease, 'partial', null);
    await createRunFixture(store(), urls, source);
    for (const text of [undefined, 'x.dev']) {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const input = { run: String(run.id), text, cursor, limit: 2 };
        const page = await listUrls.run(input, { store: store() } as ActionDeps);
        found.push(...page.urls.map(({ url }) => url));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined && found.length < 20);
      expect(found.toSorted()).toEqual(urls);
    }
  });

  test('the size of a source is recorded by day, and 0 once it is removed', async () => {
    const growth = (days: number, name?: string) =>
      showGrowth.run({ days, source: name }, { store: store() } as ActionDeps);
    const { source, lease } = await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b']);
    for (const claim of await claimAll(store()))
      await store().frontier.settle([fetched(claim, indexedOutcome(claim.url, 'one', `two ${claim.url}`), OK)]);
    await store().runs.renew(lease, 60_000);
    const size = { pages: 2, chunks: 4 };
    expect((await growth(5)).days).toMatchObject([{ ...size, receivedBytes: 0, databaseBytes: null }]);
    await store().runs.finish(lease, 'completed', null);
    const [day, ...others] = (await growth(5, source.name)).days;
    expect(others).toEqual([]);
    expect(day).toMatchObject({ ...size, receivedBytes: 1800 });
    expect(day?.databaseBytes).toBeGreaterThan(10_000);
    // As if the run had ended three days ago, and another source had been measured the day before yesterday.
    await opened().sql(
      `update library_days set day = day - 3;
       insert into library_days (source, day, pages, chunks, received_bytes) select 'other', day + 1, 5, 7, 0 from library_days`,
    );
    const pages = async (days: number, name?: string) => (await growth(days, name)).days.map((one) => one.pages);
    expect(await pages(10)).toEqual([2, 7, 7, 7]);
    expect(await pages(1)).toEqual([2]);
    expect(await pages(2, source.name)).toEqual([2, 2]);
    await store().sources.remove(source.id);
    expect(await pages(10)).toEqual([2, 7, 7, 5]);
    expect(await pages(10, source.name)).toEqual([2, 2, 2, 0]);
  });

  /** One for every ten seconds before now, each with its number as the number of URLs found. */
  async function fillSamples(run: number, count: number): Promise<void> {
    const startedAt = Date.now() - count * 10_000;
    await opened().sql(
      `delete from run_samples where run_id = ${run};
       update runs set started_at = ${startedAt} where id = ${run};
       with recursive n (i) as (select 0 union all select i + 1 from n where i < ${count - 1})
         insert into run_samples (run_id, nth, at, found, queue_size, stored, failed, bytes)
         select ${run}, i, ${startedAt} + i * 10000, i, 0, 0, 0, 0 from n`,
    );
  }
}
