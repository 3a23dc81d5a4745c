// Every cache with two users that take turns, and with one user more than it can hold.

import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { createRequestBudgets } from '../../../src/serve/rate-limit.ts';
import { createStreamTickets, MAX_USED_TICKETS } from '../../../src/serve/http/stream-tickets.ts';
import type { Principal } from '../../../src/platform/access-token.ts';
import type { VersionId } from '../../../src/core/model/run.ts';
import { createFilterMasks } from '../../../src/core/lexical/query/filter-masks.ts';
import { createExclusionLimit } from '../../../src/store/sql/frontier/frontier-lookup.ts';
import { projectFiles, readProject } from '../../support/project-files.ts';
import { fake } from './cache-case.ts';
import { CRAWL_CACHES } from './crawl-caches.ts';
import { REQUEST_CACHES } from './request-caches.ts';
import { openSegments, SEARCH_CACHES } from './search-caches.ts';

const CACHES = [...REQUEST_CACHES, ...CRAWL_CACHES, ...SEARCH_CACHES];

/** Caches that have a test of their own: they keep the time of requests, and the rules of runs. */
const OTHER_TESTS: Readonly<Record<string, string>> = {
  'crawl/context/run-rules.ts': 'test/feature/crawl/bounded-caches.test.ts',
  'crawl/politeness/host-rate-limiter.ts': 'test/feature/crawl/bounded-caches.test.ts',
};
const IN_USE = /createLruCache[<(]|cacheLoads\(/;

test.each(CACHES)('two $users that take turns are cached in $file, whoever else passes by', async ({ size, open }) => {
  const cache = await open();
  const wrong: unknown[] = [];
  for (let other = 2; other < size + 3; other += 1)
    for (const user of [0, 1, other]) {
      const got = await cache.use(user);
      if (!isDeepStrictEqual(got, cache.answer(user))) wrong.push({ user, got, expected: cache.answer(user) });
    }
  expect(wrong).toEqual([]);
  expect([0, 1].map((user) => cache.loads(user))).toEqual([1, 1]);
  await cache.close?.();
});

test('every cache is in a table', () => {
  const sources = projectFiles().filter((file) => /^src\/.*\.ts$/.test(file) && !/lru-cache|\.test\./.test(file));
  const withCache = sources.filter((file) => IN_USE.test(readProject(file))).map((file) => file.slice('src/'.length));
  const tested = new Set([...CACHES.map(({ file }) => file), ...Object.keys(OTHER_TESTS)]);
  expect(withCache.filter((file) => !tested.has(file))).toEqual([]);
  for (const [file, where] of Object.entries(OTHER_TESTS)) {
    expect(withCache).toContain(file);
    expect(readProject(where)).toMatch(/evict|cached|however many|beyond/);
  }
});

test('a search over one segment more than is cached reads that segment again, and no other', async () => {
  const { counter, segmentsOf } = openSegments(100);
  const versions = Array.from({ length: 101 }, (_, i) => (i + 1) as VersionId);
  for (let search = 0; search < 3; search += 1) expect(await segmentsOf(versions)).toHaveLength(101);
  expect(versions.map(counter.of).filter((loads) => loads > 1)).toEqual([3]);
});

test('any number of tokens with limits of their own are limited', () => {
  const budgets = createRequestBudgets(60, () => 0);
  const passed = (n: number): boolean => {
    const principal = fake<Principal>({ token: `t${n}`, requestsPerMinute: 100 + n });
    return budgets.take(principal) === 0;
  };
  for (let round = 0; round < 60; round += 1) for (let n = 0; n < 150; n += 1) passed(n);
  expect(Array.from({ length: 150 }, (_, n) => passed(n)).filter(Boolean)).toEqual([]);
});

test('a ticket that was used opens no second stream, however many others are used', async () => {
  let now = 0;
  const byName = async (name: string) => ({
    name,
    hash: `hash of ${name}`,
    previous: null,
    role: 'read',
    sources: null,
  });
  const tickets = createStreamTickets(fake({ byName }), () => now);
  const issue = (token: string): Promise<string> => tickets.issue(fake({ token, secret: `hash of ${token}` }));
  const first = await issue('a');
  expect(await tickets.redeem(first)).not.toBeNull();
  for (let n = 1; n < MAX_USED_TICKETS; n += 1) expect(await tickets.redeem(await issue('a'))).not.toBeNull();
  const beyond = await issue('a');
  expect([await tickets.redeem(beyond), await tickets.redeem(first)]).toEqual([null, null]);
  expect(await tickets.redeem(await issue('b'))).not.toBeNull();
  now += 61_000;
  expect(await tickets.redeem(first)).toBeNull();
  expect(await tickets.redeem(await issue('a'))).not.toBeNull();
});

test('a filter that is always in use forgets segments that are gone', async () => {
  const reader = { filterColumns: async () => [], positionsMatching: async () => [] };
  const masksOf = createFilterMasks(fake(reader), 1000);
  const filter = { pathPrefix: '/a' };
  const live = { id: 0, chunks: 8, pageStarts: Uint32Array.of(0, 8) };
  let reads = 0;
  const counting = { ...reader, positionsMatching: async () => ((reads += 1), []) };
  const countingMasksOf = createFilterMasks(fake(counting), 1000);
  for (let id = 1; id < 500; id += 1) {
    expect([...(await masksOf([live, { ...live, id }], filter)).keys()].sort((a, b) => a - b)).toEqual([0, id]);
    await countingMasksOf([live, { ...live, id }], filter);
  }
  // Those that are gone are no longer known; the one that is searched each time still is.
  const before = reads;
  await countingMasksOf([live], filter);
  expect(reads).toBe(before);
  await countingMasksOf([{ ...live, id: 1 }], filter);
  expect(reads).toBe(before + 1);
});

test('reasons with figures of their pages are counted together', () => {
  const records = createExclusionLimit(10);
  const recorded = Array.from({ length: 100_000 }, (_, n) => records(`${n % 2000} pages are alike`)).filter(Boolean);
  expect(recorded.length).toBeLessThanOrEqual(1000 * 10 + 10);
});
