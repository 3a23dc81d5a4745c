// Pages that end together are settled together: one transaction for many, and nobody waits for pages that cannot come.

import { expect, test } from 'vitest';
import { createHeldClaims } from '../../src/operate/held-claims.ts';
import { createSettleQueue } from '../../src/crawl/loop/settlement-batcher.ts';
import { createLog } from '../../src/platform/log.ts';
import type { Settlement, Store } from '../../src/store/port.ts';
import { aRun, claimAll, indexed, settling } from '../support/run-fixture.ts';
import { openTestSqlite } from '../support/stores.ts';

const log = createLog({ level: 'error', now: () => new Date() });
const never = new AbortController().signal;
const URLS = ['https://x.dev/a', 'https://x.dev/b', 'https://x.dev/c'];

async function finishedPages(store: Store): Promise<readonly Settlement[]> {
  await aRun(store, URLS);
  const claims = await claimAll(store);
  return claims.map((claim) => settling(claim, indexed(claim.url, `text of ${claim.url}`)));
}

/** A queue over a real store that says how many were settled at once. */
function queueOver(store: Store, inWork: () => number) {
  const batches: number[] = [];
  const settle: Store['frontier']['settle'] = (settlements) => {
    batches.push(settlements.length);
    return store.frontier.settle(settlements);
  };
  const told = { ...store, frontier: { ...store.frontier, settle } };
  return { batches, queue: createSettleQueue({ store: told, log, inWork }) };
}

test('pages that end one after the other within a moment share a transaction', async () => {
  const { store, close } = await openTestSqlite();
  const { batches, queue } = queueOver(store, () => URLS.length);
  const waiting = [];
  for (const settlement of await finishedPages(store)) {
    waiting.push(queue.settle(settlement, never));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await Promise.all(waiting)).toEqual(['settled', 'settled', 'settled']);
  expect(batches).toEqual([3]);
  await close();
});

test('a page that takes long keeps the finished ones waiting for a moment only', async () => {
  const { store, close } = await openTestSqlite();
  const { batches, queue } = queueOver(store, () => URLS.length);
  const [first, second] = await finishedPages(store);
  expect(await Promise.all([queue.settle(first!, never), queue.settle(second!, never)])).toEqual([
    'settled',
    'settled',
  ]);
  expect(batches).toEqual([2]);
  await close();
});

test('room for one more is waited with, room for many is taken at once, and a long wait for room ends', async () => {
  const { store, close } = await openTestSqlite();
  const claims = (await finishedPages(store)).map(({ claim }) => claim);
  const held = createHeldClaims(4);
  const ends: Array<() => void> = [];
  for (const claim of claims) held.hold(claim, new Promise((resolve) => ends.push(resolve)));
  expect(await held.room(never)).toBe(1);
  setTimeout(() => ends.forEach((end) => end()), 1);
  expect(await held.room(never)).toBeGreaterThanOrEqual(2);
  await held.ended();
  expect(await held.room(never)).toBe(4);
  await close();
});
