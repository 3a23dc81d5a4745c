// Settings of connections to PostgreSQL, and two coordinators of one run.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPgDriver } from '../../src/store/postgres/pg-driver.ts';
import { openPostgresStore, postgresParts } from '../../src/store/postgres/open-postgres-store.ts';
import { createPostgresEngine, type PostgresEngine } from '../../src/store/postgres/postgres-engine.ts';
import type { PostgresDriver } from '../../src/store/postgres/driver.ts';
import { pageUrl, urlKey } from '../../src/core/model/page-url.ts';
import type { Outcome } from '../../src/store/port/frontier.ts';
import { createSqlStore } from '../../src/store/sql/create-sql-store.ts';
import type { Engine, Value } from '../../src/store/sql/engine/engine.ts';
import { confirmMissing } from '../../src/store/sql/pages/confirm-missing.ts';
import type { Store } from '../../src/store/port.ts';
import { claimAll, createRunFixture, createSettlement, indexedOutcome } from '../support/run-fixture.ts';
import { createDatabase, TEST_SETTINGS } from '../support/stores.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let store: Store;
let driver: PostgresDriver;
let engine: PostgresEngine;

beforeAll(async () => {
  database = await createDatabase();
  const options = { ...TEST_SETTINGS, url: database.url, poolSize: 4, onError: () => undefined };
  store = await openPostgresStore(options);
  driver = createPgDriver(options);
  engine = createPostgresEngine(driver);
});
afterAll(async () => {
  await driver.close();
  await store.close();
  await database.drop();
});

test('no statement is compiled, within a transaction or without (finding D31)', async () => {
  const select = `select current_setting('jit') as jit`;
  expect(await engine.reader.all(select)).toEqual([{ jit: 'off' }]);
  expect(await engine.transaction((tx) => tx.all(select))).toEqual([{ jit: 'off' }]);
});

test(
  'a transaction survives a thread that is blocked for some seconds (finding D34)',
  { timeout: 30_000 },
  async () => {
    const one = await engine.transaction(async (tx) => {
      await tx.all('select 1 as one');
      const until = performance.now() + 5000;
      while (performance.now() < until);
      return tx.all('select 1 as one');
    });
    expect(one).toEqual([{ one: 1 }]);
  },
);

test('a coordinator that was suspended does not confirm what its successor has confirmed (finding D33)', async () => {
  const first = await createRunFixture(store, ['https://x.dev/a', 'https://x.dev/b']);
  const stored = await claimAll(store);
  await store.frontier.settle(stored.map((claim) => createSettlement(claim, indexedOutcome(claim.url, claim.url))));
  expect(await store.runs.finish(first.lease, 'completed', null)).toBe(true);
  const { run, lease } = await createRunFixture(store, [], first.source);
  await store.frontier.enqueuePrevious(run.id, null, 10);
  const claims = await claimAll(store);
  await store.frontier.settle(
    claims.map((claim) => createSettlement(claim, { kind: 'missing', reason: 'status 404' })),
  );
  const successor = async (): Promise<void> => {
    await engine.transaction((tx) => tx.all('update runs set lease_until = 1 where id = $1', [run.id]));
    const taken = await store.runs.lease('successor', 30_000);
    expect(await store.frontier.confirmMissing(taken!, 10)).toBe(2);
  };
  let isPending = true;
  const suspended: Engine = {
    ...engine,
    transaction: (work, flush) =>
      engine.transaction(
        (tx) =>
          work({
            ...tx,
            async all<Row>(sql: string, values: Parameters<typeof tx.all>[1] = []) {
              const rows = await tx.all<Row>(sql, values);
              if (isPending && sql.includes('from frontier')) {
                isPending = false;
                await successor();
              }
              return rows;
            },
          }),
        flush,
      ),
  };
  const parts = postgresParts(engine, null);
  expect(await confirmMissing({ engine: suspended, parts }, lease, 10)).toBe(0);
  expect((await store.runs.byId(run.id))?.counts).toMatchObject({ found: 2, removed: 2, missing: 0 });
  expect(await store.verify()).toEqual([]);
});

test('a coordinator that was suspended does not replace the links that its successor has counted', async () => {
  const urls = ['https://counted.dev/a', 'https://counted.dev/b'] as const;
  const { run, lease } = await createRunFixture(store, urls);
  for (const claim of await claimAll(store)) {
    const outcome = indexedOutcome(claim.url, claim.url) as Extract<Outcome, { kind: 'indexed' }>;
    const page = { ...outcome.page, outlinks: urls.map((url) => urlKey(pageUrl(url))) };
    await store.frontier.settle([createSettlement(claim, { ...outcome, page })]);
  }
  const counts = () => engine.reader.all(`select inlinks from pages where version_id = ${run.version}`);
  let isPending = true;
  const suspended: Engine = {
    ...engine,
    reader: {
      ...engine.reader,
      async all<Row>(sql: string, values?: readonly Value[]) {
        const rows = await engine.reader.all<Row>(sql, values);
        if (isPending && sql.includes('from page_links')) {
          isPending = false;
          await engine.transaction((tx) => tx.all('update runs set lease_until = 1 where id = $1', [run.id]));
          await store.pages.countLinks((await store.runs.lease('successor', 30_000))!);
          expect(await counts()).toEqual([{ inlinks: 1 }, { inlinks: 1 }]);
          await engine.transaction((tx) => tx.all('update pages set inlinks = 7 where version_id = $1', [run.version]));
        }
        return rows;
      },
    },
  };
  await createSqlStore(suspended, postgresParts(engine, null), TEST_SETTINGS).pages.countLinks(lease);
  expect(await counts()).toEqual([{ inlinks: 7 }, { inlinks: 7 }]);
});
