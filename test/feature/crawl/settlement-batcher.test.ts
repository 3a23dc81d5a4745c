// Group commit: pages that finish together are settled in one transaction, and nothing waits for pages that cannot
// come.

import { expect, test } from 'vitest';
import { createInFlightClaims } from '../../../src/crawl/loop/claim-loop.ts';
import { createSettlementBatcher } from '../../../src/crawl/loop/settlement-batcher.ts';
import { pinakesError } from '../../../src/core/model/errors.ts';
import { createLog } from '../../../src/platform/log.ts';
import type { Store } from '../../../src/store/port.ts';
import type { Settlement } from '../../../src/store/port/frontier.ts';
import { createRunFixture, claimAll, indexedOutcome, createSettlement } from '../../support/run-fixture.ts';
import { openTestPostgres, openTestSqlite } from '../../support/stores.ts';

const log = createLog({ level: 'error', now: () => new Date() });
const never = new AbortController().signal;
const URLS = ['https://x.dev/a', 'https://x.dev/b', 'https://x.dev/c'];

async function finishedPages(store: Store): Promise<readonly Settlement[]> {
  await createRunFixture(store, URLS);
  const claims = await claimAll(store);
  return claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, `text of ${claim.url}`)));
}

/** A batcher over a real store that reports the batch sizes. */
function batcherOver(store: Store, inFlight: () => number) {
  const batches: number[] = [];
  const settle: Store['frontier']['settle'] = (settlements) => {
    batches.push(settlements.length);
    return store.frontier.settle(settlements);
  };
  const recording = { ...store, frontier: { ...store.frontier, settle } };
  return { batches, batcher: createSettlementBatcher({ store: recording, log, inFlight }) };
}

test('pages that finish within a moment of each other share a transaction', async () => {
  const { store, close } = await openTestSqlite();
  const { batches, batcher } = batcherOver(store, () => URLS.length);
  const waiting = [];
  for (const settlement of await finishedPages(store)) {
    waiting.push(batcher.settle(settlement, never));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await Promise.all(waiting)).toEqual(['settled', 'settled', 'settled']);
  expect(batches).toEqual([3]);
  await close();
});

test('a slow page delays finished ones only for a moment', async () => {
  const { store, close } = await openTestSqlite();
  const { batches, batcher } = batcherOver(store, () => URLS.length);
  const [first, second] = await finishedPages(store);
  expect(await Promise.all([batcher.settle(first!, never), batcher.settle(second!, never)])).toEqual([
    'settled',
    'settled',
  ]);
  expect(batches).toEqual([2]);
  await close();
});

test('a page that the database cannot store in time fails alone (finding B2)', async () => {
  const { store, close } = await openTestSqlite();
  const tooLong = pinakesError('database.timeout', { reason: 'canceling statement due to statement timeout' });
  const settle: Store['frontier']['settle'] = (settlements) =>
    settlements.some(({ claim }) => claim.url === URLS[1])
      ? Promise.reject(tooLong)
      : store.frontier.settle(settlements);
  const slow = { ...store, frontier: { ...store.frontier, settle } };
  const batcher = createSettlementBatcher({ store: slow, log, inFlight: () => URLS.length });
  const pages = (await finishedPages(store)).toSorted((a, b) => a.claim.url.localeCompare(b.claim.url));
  const settling = pages.map((settlement) => batcher.settle(settlement, never));
  expect(await Promise.allSettled(settling)).toMatchObject([
    { value: 'settled' },
    { reason: { code: 'database.timeout' } },
    { value: 'settled' },
  ]);
  await close();
});

test('capacity for many claims is used immediately, and for one after a short wait', async () => {
  const { store, close } = await openTestSqlite();
  const claims = (await finishedPages(store)).map(({ claim }) => claim);
  const inFlight = createInFlightClaims(4);
  const ends: Array<() => void> = [];
  for (const claim of claims) inFlight.add(claim, () => new Promise((resolve) => ends.push(resolve)));
  expect(await inFlight.capacity(never)).toBe(1);
  setTimeout(() => ends.forEach((end) => end()), 1);
  expect(await inFlight.capacity(never)).toBeGreaterThanOrEqual(2);
  await inFlight.allEnded();
  expect(await inFlight.capacity(never)).toBe(4);
  await close();
});

test.each([
  [1, 1],
  [2, 1],
  [3, 2],
  [16, 4],
])('of %d claims at a time, a rate-limited host has at most %d', (max, share) => {
  expect(createInFlightClaims(max).maxPerHost).toBe(share);
});

/** A value that each engine rejects. */
const UNSTORABLE = [
  ['sqlite', openTestSqlite, null],
  ['postgres', openTestPostgres, 'A\0'],
] as const;

for (const [engine, open, title] of UNSTORABLE) {
  test(`${engine}: a page that cannot be stored fails alone (finding B11)`, async () => {
    const { store, close } = await open();
    const { batches, batcher } = batcherOver(store, () => URLS.length);
    const [first, bad, last] = await finishedPages(store);
    const { outcome } = bad!;
    if (outcome.kind !== 'indexed') throw new Error(outcome.kind);
    const page = { ...outcome.page, title: title as string };
    const settlements = [first!, { ...bad!, outcome: { ...outcome, page } }, last!];
    const settled = await Promise.all(settlements.map((settlement) => batcher.settle(settlement, never)));
    expect(settled).toEqual(['settled', 'rejected', 'settled']);
    expect(batches).toEqual([3, 2, 1, 1, 1, 1]);
    const { urls } = await store.frontier.urls(bad!.claim.run, { outcome: 'failed', after: null, limit: 10 });
    expect(urls).toMatchObject([{ url: bad!.claim.url, reason: 'database.rejected' }]);
    await close();
  });
}
