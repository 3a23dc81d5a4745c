// What an idle worker asks of PostgreSQL, and how soon it notices work of another process.

import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPgAnnouncer } from '../../src/store/postgres/pg-announcer.ts';
import type { PostgresDriver } from '../../src/store/postgres/driver.ts';
import { openPostgresStore, openStoreOver } from '../../src/store/postgres/open-postgres-store.ts';
import { createPgDriver } from '../../src/store/postgres/pg-driver.ts';
import { createCrawler } from '../support/crawl.ts';
import { createDatabase, TEST_SETTINGS } from '../support/stores.ts';
import { waitUntil } from '../support/wait-until.ts';

const MEASURED_MS = 2000;

function counted(driver: PostgresDriver): { readonly driver: PostgresDriver; readonly statements: () => number } {
  let statements = 0;
  return {
    statements: () => statements,
    driver: {
      ...driver,
      async connect(timeLimit) {
        const session = await driver.connect(timeLimit);
        return {
          ...session,
          query: (sql, values) => ((statements += 1), session.query(sql, values)),
          execute: (sql) => ((statements += 1), session.execute(sql)),
        };
      },
    },
  };
}

test('an idle worker executes few statements, and wakes up for a run of another process (finding P6)', async () => {
  const database = await createDatabase();
  const options = { url: database.url, poolSize: 4, onError: () => undefined };
  const { driver, statements } = counted(createPgDriver(options));
  const announcer = createPgAnnouncer(driver, database.url, () => undefined);
  const store = await openStoreOver(driver, TEST_SETTINGS, announcer);
  const crawler = await createCrawler({
    open: async () => ({ store, sql: async () => undefined, close: () => store.close() }),
  });
  await waitUntil('the worker listens', () => store.wakeups.maxIdleMs() === 2000);
  await wait(4000);
  const before = statements();
  await wait(MEASURED_MS);
  const perSecond = ((statements() - before) / MEASURED_MS) * 1000;
  expect(perSecond).toBeLessThan(10);

  const other = await openPostgresStore({ ...TEST_SETTINGS, ...options });
  const source = await other.sources.add({ name: 'x', kind: 'web', start: 'http://127.0.0.1:1/', settings: {} }, '');
  const heard = store.wakeups.next('runs', store.wakeups.count('runs'), 10_000, new AbortController().signal);
  const seen = store.wakeups.count('runs');
  const { id } = await other.runs.start(source.versions[0]!.id, 'incremental', {});
  expect(await heard).toBeGreaterThan(seen);
  await waitUntil('the run is taken', async () => (await other.runs.byId(id))?.startedAt !== null, 10_000);
  await other.close();
  await crawler.close();
  await database.drop();
});
