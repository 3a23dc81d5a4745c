// A request slot whose answer came late may be over.

import { expect, test } from 'vitest';
import { createHostRateLimiter } from '../../../src/crawl/politeness/host-rate-limiter.ts';
import { openTestSqlite } from '../../support/stores.ts';

test('a slot is given up if the database took long to answer, and used otherwise', async () => {
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
    const reservedAtMs = performance.now();
    const slot = {
      startsInMs: 0,
      delayMs,
      reservedAfterMs: reservedAtMs - answeredInMs,
      reservedAtMs,
      burstMs: Infinity,
    };
    await limiter.waitForSlot(`${answeredInMs}.example`, slot, async () => true, new AbortController().signal);
    return reserved;
  };
  expect(await reservationsAfter(90, 20)).toBe(0);
  expect(await reservationsAfter(300, 1000)).toBe(0);
  expect(await reservationsAfter(600, 1000)).toBeGreaterThan(0);
  await close();
});

test('of slots whose answers all come late, the third is used', async () => {
  const { store, close } = await openTestSqlite();
  let lateMs = 0;
  const reservationsWith = async (lateAnswers: number): Promise<number> => {
    let reserved = 0;
    const hosts: typeof store.hosts = {
      ...store.hosts,
      async reserveSlot() {
        reserved += 1;
        const reservedAfterMs = performance.now() + lateMs;
        if (reserved < lateAnswers) lateMs += 600;
        return { startsInMs: 0, delayMs: 50, reservedAfterMs };
      },
    };
    const limiter = createHostRateLimiter(hosts, { nowMs: () => performance.now() + lateMs, random: () => 0 });
    const slot = {
      startsInMs: 0,
      delayMs: 1000,
      reservedAtMs: performance.now() + lateMs,
      reservedAfterMs: performance.now() + lateMs - 600,
      burstMs: 0,
    };
    await limiter.waitForSlot(`${lateAnswers}.example`, slot, async () => true, new AbortController().signal);
    return reserved;
  };
  expect(await reservationsWith(1)).toBe(1);
  expect(await reservationsWith(2)).toBe(2);
  expect(await reservationsWith(9)).toBe(2);
  await close();
});
