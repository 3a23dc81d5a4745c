// When the leases of claims in flight are renewed, and what a retry reads to find the URLs that failed.

import { expect, test } from 'vitest';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import type { CrawlContext } from '../../../src/crawl/page/crawl-context.ts';
import { renewInFlight } from '../../../src/crawl/loop/claim-loop.ts';
import type { Claim } from '../../../src/store/port/frontier.ts';
import { claimAll, createRunFixture } from '../../support/run-fixture.ts';
import { openTestSqlite } from '../../support/stores.ts';

test('a change of a run asks which claims are held, and renews them only when their time has come (finding D29)', async () => {
  const { store, close } = await openTestSqlite();
  await createRunFixture(store, ['https://x.dev/a', 'https://x.dev/b']);
  const claims = await claimAll(store, 2, 60_000);
  const calls = { renew: 0, held: 0 };
  const frontier: typeof store.frontier = {
    ...store.frontier,
    renew(...args) {
      calls.renew += 1;
      return store.frontier.renew(...args);
    },
    held(...args) {
      calls.held += 1;
      return store.frontier.held(...args);
    },
  };
  let changes = 0;
  const wakeups = { ...store.wakeups, next: async () => (changes += 1) };
  const aborted: Claim[] = [];
  const stop = new AbortController();
  const context = {
    ports: { store: { ...store, frontier, wakeups } },
    limits: { leaseMs: 60_000, renewMs: 20_000 },
    clock: { nowMs: () => performance.now(), random: () => 0 },
  } as unknown as CrawlContext;
  const inFlight = { claims: () => claims, abort: (claim: Claim) => void aborted.push(claim) };
  const renewing = renewInFlight(inFlight, context, stop.signal);
  await expect.poll(() => calls.held).toBeGreaterThan(1);
  expect(aborted).toEqual([]);
  await store.frontier.release(claims.slice(0, 1));
  await expect.poll(() => aborted).toContain(claims[0]);
  expect(aborted).not.toContain(claims[1]);
  expect(calls.renew).toBe(0);
  stop.abort();
  await renewing;
  await close();
});

const URLS = 45_000;

test('a retry looks at a limited number of URLs in each statement (finding D10)', async () => {
  const { store, sql, close } = await openTestSqlite();
  const { run, source } = await createRunFixture(store, ['https://x.dev/failed']);
  const [claim] = await claimAll(store);
  const outcome = { kind: 'failed', reason: 'status 500' } as const;
  await store.frontier.settle([{ claim: claim!, outcome, links: [], excluded: [], bytes: 0 }]);
  await sql(`insert into frontier (version_id, url_key, url, host_id, run_id, depth, priority, found_by, state, outcome, enqueued_at, settled_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${URLS})
    select version_id, unhex(printf('%032x', i)), 'https://x.dev/' || i, host_id, run_id, 1, 1, found_by, state, 6, enqueued_at, settled_at
    from frontier, n where run_id = ${run.id}`);
  await sql(`update runs set state = 'completed', ended_at = 1`);
  const retry = await store.runs.start(source.versions[0]!.id, 'retry', {});
  const found: string[] = [];
  let statements = 0;
  for (let after: string | null = null; statements < 10;) {
    const only = { outcome: 'failed', reason: null } as const;
    const batch: Awaited<ReturnType<typeof store.frontier.previousUrls>> = await store.frontier.previousUrls(
      retry.id,
      after,
      1000,
      only,
    );
    found.push(...batch.urls.map(({ url }) => url));
    statements += 1;
    ({ after } = batch);
    if (after === null) break;
  }
  expect(found).toEqual([pageUrl('https://x.dev/failed')]);
  expect(statements).toBe(3);
  await close();
});
