// Caches that are full evict what was unused for longest, and keep what is in use.

import { expect, test } from 'vitest';
import type { RunId } from '../../src/core/model/run.ts';
import { createHostRateLimiter } from '../../src/crawl/polite/host-rate-limiter.ts';
import { createSiteProfileLoader } from '../../src/crawl/site/site-profile.ts';
import { claimAll, createRunFixture, createSettlement, indexAll, indexedOutcome } from '../support/run-fixture.ts';
import { openTestSqlite } from '../support/stores.ts';

test('the profiles of 20 sites are still cached when the crawl of another one begins', async () => {
  const { store, close } = await openTestSqlite();
  const { run } = await createRunFixture(store);
  let reads = 0;
  const facts: typeof store.sources.facts = (version) => {
    reads += 1;
    return store.sources.facts(version);
  };
  const load = createSiteProfileLoader({ ...store, sources: { ...store.sources, facts } });
  for (let id = 1; id <= 21; id += 1) await load(id as RunId, run.version);
  for (let id = 2; id <= 21; id += 1) await load(id as RunId, run.version);
  expect(reads).toBe(21);
  await close();
});

test('requests to a host keep their delay however many other hosts are crawled', async () => {
  const { store, close } = await openTestSqlite();
  const limiter = createHostRateLimiter(store.hosts, { nowMs: () => performance.now(), random: () => 0 });
  const { signal } = new AbortController();
  const request = (host: string, paceMs: number) =>
    limiter.waitForSlot(
      host,
      { startsInMs: 0, paceMs, reservedAtMs: performance.now(), burstMs: Infinity },
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
  await store.searchIndex.postings([run.version], ['zebra']);
  const [found] = await Promise.all([
    store.searchIndex.postings([run.version], ['zebra']),
    store.searchIndex.postings([other], ['zebra']),
  ]);
  expect(found.segments).toHaveLength(1);
  await close();
});
