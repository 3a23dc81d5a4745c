// The store through PgBouncer in transaction mode, which rejects start-up parameters and keeps no session state.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.ts';
import { frontierContract } from '../../contract/frontier.contract.ts';
import { journalContract } from '../../contract/journal.contract.ts';
import { createCrawler } from '../../support/crawl.ts';
import { startPgbouncer, type Pgbouncer } from '../../support/pgbouncer.ts';
import { createSiteServer } from '../../support/generated-site.ts';
import { createDatabase, TEST_SETTINGS, type TestStore } from '../../support/stores.ts';

let pooler: Pgbouncer;
beforeAll(async () => {
  pooler = await startPgbouncer();
});
afterAll(() => pooler.close());

async function openPooled(preparedStatements: boolean, onError: (error: Error) => void = () => undefined) {
  const database = await createDatabase();
  const url = pooler.through(database.url);
  const connection = { url, directUrl: database.url, poolSize: 8, preparedStatements, onError };
  const store = await openPostgresStore({ ...TEST_SETTINGS, ...connection });
  const close = async (): Promise<void> => {
    await store.close();
    await database.drop();
  };
  return { store, close, sql: () => Promise.reject(new Error('not used here')) } satisfies TestStore;
}

describe('the contract of the store holds through PgBouncer (finding N26)', () => {
  let opened: TestStore;
  beforeEach(async () => {
    opened = await openPooled(false);
  });
  afterEach(async () => {
    expect(await opened.store.verify()).toEqual([]);
    await opened.close();
  });
  describe('the frontier', () => frontierContract(() => opened.store));
  describe('the journal', () => journalContract(() => opened.store));
});

test('a crawl through PgBouncer stores every page, and two workers share it (finding N26)', async () => {
  const site = await createSiteServer({ size: 20 });
  const crawler = await createCrawler({ open: () => openPooled(false), workers: 2 });
  const run = await crawler.crawl(site.start);
  expect(run.state).toBe('completed');
  expect((await crawler.stored()).length).toBeGreaterThan(20);
  expect(await crawler.store.verify()).toEqual([]);
  await crawler.close();
  await site.close();
});

test('prepared statements that PgBouncer does not keep are given up with a warning (finding N26)', async () => {
  const warnings: string[] = [];
  const { store, close } = await openPooled(true, ({ message }) => void warnings.push(message));
  const reads = Array.from({ length: 30 }, async (_, i) => {
    await store.sources.add({ name: `s${i}`, kind: 'web', startUrl: `https://x.dev/${i}`, settings: {} }, '');
    return store.sources.byName(`s${i}`);
  });
  expect((await Promise.all(reads)).map((source) => source?.name)).toEqual(reads.map((_, i) => `s${i}`));
  expect(warnings).toEqual([expect.stringContaining('prepared statements')]);
  await close();
});
