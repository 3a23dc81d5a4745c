// Transactions that cross on PostgreSQL: one changes a row after a statement of another one has begun, and before that statement
// locks its row. The statement then sees the new row, and everything else as it was.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPgDriver } from '../../src/store/postgres/pg-driver.ts';
import { openPostgresStore, postgresParts } from '../../src/store/postgres/open-postgres-store.ts';
import { createPostgresEngine, type PostgresEngine } from '../../src/store/postgres/postgres-engine.ts';
import type { PostgresDriver } from '../../src/store/postgres/driver.ts';
import { createSqlStore } from '../../src/store/sql/create-sql-store.ts';
import type { Value } from '../../src/store/sql/engine/engine.ts';
import type { Store } from '../../src/store/port.ts';
import type { Source } from '../../src/store/port/sources.ts';
import { claimAll, createRunFixture, createSettlement, frontierEntry, indexedOutcome } from '../support/run-fixture.ts';
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

const OF_TEST = `locktype = 'advisory' and objid = 42 and database = (select oid from pg_database where datname = current_database())`;

/** Until so many statements wait for locks. */
async function waitForCrossing(statements = 1): Promise<void> {
  const waiting = `select 1 as one from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(() => engine.reader.all(waiting), { timeout: 10_000 }).toHaveLength(statements);
}

/** Executes statements in a transaction of another process, which stays open until it is ended. */
async function openTransaction(...statements: readonly string[]): Promise<{ commit(): Promise<void> }> {
  const session = await driver.connect();
  await session.execute('begin');
  for (const statement of statements) await session.query(statement, []);
  return {
    async commit() {
      await session.execute('commit');
      session.release(false);
    },
  };
}

/** A claim waits after its start, and before it locks a host, until it is released. */
async function holdClaims(): Promise<{ release(): Promise<void> }> {
  const [{ definition }] = (await engine.reader.all<{ definition: string }>(
    `select pg_get_functiondef('now_ms'::regproc) as definition`,
  )) as [{ definition: string }];
  await engine.reader.all(`create or replace function now_ms() returns bigint language plpgsql as $$ begin
    if current_query() like '%with ready as%' then perform pg_advisory_xact_lock_shared(42); end if;
    return floor(extract(epoch from clock_timestamp()) * 1000); end $$`);
  const holder = await openTransaction('select pg_advisory_xact_lock(42)');
  return {
    async release() {
      await holder.commit();
      await expect.poll(() => engine.reader.all(`select 1 as one from pg_locks where ${OF_TEST}`)).toEqual([]);
      await engine.reader.all(definition);
    },
  };
}

test('a URL is found that is enqueued while a claim is about to find its host without queues', async () => {
  const first = await createRunFixture(store, ['https://crossing.dev/a']);
  const [claim] = await claimAll(store);
  await store.frontier.settle([createSettlement(claim!, indexedOutcome(claim!.url, 'a'))]);
  expect(await store.runs.finish(first.lease, 'completed', null)).toBe(true);
  const held = await holdClaims();
  const crossing = claimAll(store);
  await waitForCrossing();
  await createRunFixture(store, ['https://crossing.dev/b']);
  await held.release();
  await crossing;
  await expect.poll(() => claimAll(store), { timeout: 10_000 }).toHaveLength(1);
});

test('a URL that is claimed while its source is removed stores no page', async () => {
  const { source, run } = await createRunFixture(store, ['https://removed.dev/a']);
  const [first] = await claimAll(store);
  await store.frontier.settle([createSettlement(first!, indexedOutcome(first!.url, 'a'), ['https://removed.dev/b'])]);
  const held = await holdClaims();
  const crossing = claimAll(store);
  await waitForCrossing();
  // The removal ends the run and then waits for a chunk.
  const reader = await openTransaction(`select pk from chunks for update`);
  const removal = store.sources.remove(source.id);
  await expect.poll(async () => (await store.runs.byId(run.id))?.state).toBe('stopped');
  await held.release();
  const [late] = await crossing;
  expect(late?.url).toBe('https://removed.dev/b');
  expect(await store.frontier.settle([createSettlement(late!, indexedOutcome(late!.url, 'b'))])).toEqual([
    'superseded',
  ]);
  expect(await store.pages.get(late!.version, late!.url)).toBeNull();
  await reader.commit();
  await removal;
  expect(await store.verify()).toEqual([]);
});

test.each([
  ['source', async (source: Source) => store.sources.remove(source.id)],
  ['version', async (source: Source) => store.sources.removeVersion(source.versions[0]!.id)],
] as const)('no run is started of a %s that is about to be removed', async (what, remove) => {
  const { source } = await createRunFixture(store, [`https://${what}.dev/a`]);
  await claimAll(store);
  // The last statement of the transaction that ends the run waits for the claim.
  const worker = await openTransaction(`select 1 from frontier where worker is not null for update`);
  const removal = remove(source);
  await waitForCrossing();
  const starting = store.runs.start(source.versions[0]!.id, 'incremental', {});
  starting.catch(() => undefined);
  await waitForCrossing(2);
  await worker.commit();
  await expect(starting).rejects.toMatchObject({ code: 'source.unknown' });
  await removal;
  expect(await store.verify()).toEqual([]);
});

test('an analysis is saved without a page that is about to be removed', async () => {
  const { run } = await createRunFixture(store, ['https://analyzed.dev/a', 'https://analyzed.dev/b']);
  const claims = await claimAll(store);
  await store.frontier.settle(claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, claim.url))));
  const options = { analysisVersion: 1, pageLimit: null, domainLimit: null, source: run.source };
  const flags = { skipPages: false, skipDomains: false, dryRun: false, verbose: false };
  await store.analysis.start('analysis', { ...options, ...flags });
  const lease = await store.analysis.lease('worker', 60_000);
  const pages = await store.analysis.pending({ ...options, ...flags }, null, 10);
  const removal = await openTransaction(`delete from pages where url = 'https://analyzed.dev/a'`);
  const saving = store.analysis.savePages(
    lease!,
    pages.map((page) => ({ page, analysis: { kind: 'article' }, mentions: null })),
    {},
  );
  saving.catch(() => undefined);
  await waitForCrossing();
  await removal.commit();
  expect(await saving).toBe(true);
  expect((await store.analysis.analyses(run.version, null, 10)).pages).toMatchObject([
    { url: 'https://analyzed.dev/b' },
  ]);
});

test('a level waits for a URL that is released and claimed again while it is checked', async () => {
  const { run, lease } = await createRunFixture(store);
  await store.frontier.advanceDepth(lease);
  await store.frontier.enqueue(run.id, [
    frontierEntry('https://levels.dev/'),
    frontierEntry('https://levels.dev/next', { depth: 1, priority: 1 }),
  ]);
  let claims = await claimAll(store);
  const crossed = createSqlStore(
    {
      ...engine,
      reader: {
        ...engine.reader,
        async all<Row>(sql: string, values?: readonly Value[]) {
          const isCheck = sql.startsWith('select 1 as one from frontier where due_at is not null');
          if (isCheck) await store.frontier.release(claims);
          const rows = await engine.reader.all<Row>(sql, values);
          if (isCheck) claims = await claimAll(store);
          return rows;
        },
      },
    },
    postgresParts(engine, null),
    TEST_SETTINGS,
  );
  await crossed.frontier.advanceDepth(lease);
  expect(claims).toHaveLength(1);
  await store.frontier.release(claims);
  expect(await claimAll(store)).toMatchObject([{ url: 'https://levels.dev/' }]);
});
