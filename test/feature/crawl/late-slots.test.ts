// A request slot whose answer came late may be over.

import { expect, test } from 'vitest';
import { createHostRateLimiter } from '../../../src/crawl/politeness/host-rate-limiter.ts';
import { openTestSqlite } from '../../support/stores.ts';

test('a slot is given up once if the database took long to answer, and used otherwise', async () => {
  const { store, close } = await openTestSqlite();
  let reserved = 0;
  const hosts: typeof store.hosts = {
    ...store.hosts,
    reserveSlot(host) {
      reserved += 1;
      return store.hosts.reserveSlot(host);
    },
  };
  const limiter = createHostRateLimiter(hosts, { nowMs: () => performance.now(), random: () => 0 });
  const reservationsAfter = async (answeredInMs: number, delayMs: number): Promise<number> => {
    reserved = 0;
    const slot = { startsInMs: 0, delayMs, reservedAtMs: performance.now(), answeredInMs, burstMs: Infinity };
    await limiter.waitForSlot(`${answeredInMs}.example`, slot, async () => true, new AbortController().signal);
    return reserved;
  };
  expect(await reservationsAfter(90, 20)).toBe(0);
  expect(await reservationsAfter(300, 1000)).toBe(0);
  expect(await reservationsAfter(600, 1000)).toBeGreaterThan(0);
  await close();
});
