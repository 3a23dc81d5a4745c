// Caches that are full evict what was unused for longest, and keep what is in use.

import { expect, test } from 'vitest';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import type { RunId } from '../../../src/core/model/run.ts';
import { createRunRulesLoader } from '../../../src/crawl/context/run-rules.ts';
import { createHostRateLimiter } from '../../../src/crawl/politeness/host-rate-limiter.ts';
import { saveLlmsFull } from '../../../src/crawl/site/llms-full-cache.ts';
import { createSiteProfileLoader } from '../../../src/crawl/site/site-profile.ts';
import { createSecretFor } from '../../../src/platform/secrets.ts';
import { claimAll, createRunFixture, createSettlement, indexAll, indexedOutcome } from '../../support/run-fixture.ts';
import { openTestSqlite } from '../../support/stores.ts';

test('the profiles of sites are cached by their size, not by their number (finding B10)', async () => {
  const { store, close } = await openTestSqlite();
  const { run } = await createRunFixture(store);
  let reads = 0;
  const siteProfile: typeof store.sources.siteProfile = (version) => {
    reads += 1;
    return store.sources.siteProfile(version);
  };
  const sources = { ...store.sources, siteProfile };
  const load = createSiteProfileLoader({ ...store, sources });
  const loadAll = async (): Promise<void> => {
    for (let id = 1; id <= 100; id += 1) await load(id as RunId, run.version);
  };
  await loadAll();
  await loadAll();
  expect(reads).toBe(100);

  const url = pageUrl('https://x.dev/a');
  await saveLlmsFull(store, run.version, { file: url, pages: [{ url, text: 'x'.repeat(1000) }], validators: null });
  const loadLarge = createSiteProfileLoader({ ...store, sources }, 2500);
  const readsOf = async (id: number): Promise<number> => {
    const before = reads;
    await loadLarge(id as RunId, run.version);
    return reads - before;
  };
  expect([await readsOf(1), await readsOf(2), await readsOf(1), await readsOf(3)]).toEqual([1, 1, 0, 1]);
  expect([await readsOf(1), await readsOf(3), await readsOf(2)]).toEqual([0, 0, 1]);
  await close();
});

test('requests to a host keep their delay however many other hosts are crawled', async () => {
  const { store, close } = await openTestSqlite();
  const limiter = createHostRateLimiter(store.hosts, { nowMs: () => performance.now(), random: () => 0 });
  const { signal } = new AbortController();
  const request = (host: string, delayMs: number) =>
    limiter.waitForSlot(
      host,
      { startsInMs: 0, delayMs, reservedAfterMs: 0, reservedAtMs: 0, burstMs: Infinity },
      async () => true,
      signal,
    );
  for (let nth = 1; nth < 10_000; nth += 1) await request(`${nth}.example`, 1);
  await request('docs.example', 400);
  const firstAt = performance.now();
  await request('another.example', 1);
  await request('docs.example', 400);
  expect(performance.now() - firstAt).toBeGreaterThan(390);
  await close();
});

test('a search finds its pages while another search reads more segments than are cached', async () => {
  const { store, sql, close } = await openTestSqlite();
  const { run } = await createRunFixture(store, ['https://x.dev/a']);
  const [claim] = await claimAll(store);
  await store.frontier.settle([createSettlement(claim!, indexedOutcome(claim!.url, 'about zebras'))]);
  await indexAll(store);
  const other = (run.version + 1) as typeof run.version;
  await sql(`insert into search_segments (version_id, state, chunks, pages, page_sizes, index_fingerprint)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
    select ${other}, (select max(state) from search_segments), 1, 1, (select page_sizes from search_segments limit 1), '' from n`);
  await store.segments.segments([run.version]);
  const [found] = await Promise.all([store.segments.segments([run.version]), store.segments.segments([other])]);
  expect(found).toHaveLength(1);
  await close();
});

test('every tenth run checks validators, also beyond the thousandth (finding B4)', async () => {
  const { store, sql, close } = await openTestSqlite();
  const { run } = await createRunFixture(store);
  await sql(`update runs set state = 'completed', ended_at = 1;
    insert into runs (source_id, version_id, state, mode, settings, created_at, ended_at)
    with recursive n(i) as (select 2 union all select i + 1 from n where i < 1011)
    select ${run.source}, ${run.version}, 'completed', 'incremental', '{}', 1, 1 from n`);
  const limits = { maxUrlsPerPattern: 1000, duplicateCheckPages: 500 };
  const load = createRunRulesLoader({ store, secretFor: createSecretFor([], {}), limits });
  const trusting: boolean[] = [];
  for (let nth = 999; nth <= 1011; nth += 1) trusting.push((await load((run.id + nth - 1) as RunId)).trustsValidators);
  const isCheck = (nth: number): boolean => nth % 10 === 0;
  expect(trusting).toEqual(Array.from({ length: 13 }, (_, i) => !isCheck(999 + i)));
  await close();
});
