// Connections to PostgreSQL: how many a process opens, what happens when the server has none left, and how long a migration
// may take.

import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import pg from 'pg';
import { connectionShares } from '../../../src/compose/store.ts';
import { migratePostgres } from '../../../src/store/postgres/migrate-postgres.ts';
import { createPgDriver } from '../../../src/store/postgres/pg-driver.ts';
import { readMigrations, type Migration } from '../../../src/store/sql/engine/migrations.ts';
import { start } from '../../support/program.ts';
import { createDatabase, postgresUrl } from '../../support/stores.ts';
import { waitUntil } from '../../support/wait-until.ts';

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

test('the threads of a process share its connections, one of which listens (finding P1)', () => {
  for (let poolSize = 4; poolSize <= 40; poolSize += 1) {
    for (const isQueried of [true, false]) {
      const { main, query, scan, crawl } = connectionShares(poolSize, isQueried);
      expect(1 + main + query + scan + crawl).toBe(poolSize);
      expect(Math.min(main, crawl, isQueried ? query : 1)).toBeGreaterThan(0);
    }
  }
  expect(connectionShares(10, false).query).toBe(0);
});

test('a worker opens at most as many connections as its setting allows (finding P1)', async () => {
  const database = await createDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const worker = start({ PINAKES_DATABASE_URL: database.url, PINAKES_DATABASE_POOL_SIZE: '4' }, ['worker']);
  let most = 0;
  await connected(postgresUrl(), async (admin) => {
    const count = async (): Promise<number> => {
      // Autovacuum works in the database too.
      const sql = `select count(*)::int as n from pg_stat_activity where datname = $1 and backend_type = 'client backend'`;
      const { rows } = await admin.query(sql, [name]);
      return (rows as Array<{ n: number }>)[0]?.n ?? 0;
    };
    await waitUntil('the crawl thread has opened the database', async () => (most = Math.max(most, await count())) > 2);
    for (const until = Date.now() + 2000; Date.now() < until; await wait(20)) most = Math.max(most, await count());
  });
  worker.kill('SIGTERM');
  expect(await worker.ended).toMatchObject({ code: 0 });
  expect(most).toBeLessThanOrEqual(4);
  await database.drop();
});

test('a server without free connections is asked again, then named as the reason (finding P1)', async () => {
  const database = await createDatabase();
  const role = `${new URL(database.url).pathname.slice(1)}_few`;
  // The limit of a role raises the same error as that of a server, which the other tests use.
  await connected(postgresUrl(), (admin) => admin.query(`create role ${role} login password 'few' connection limit 1`));
  const url = new URL(database.url);
  url.username = role;
  url.password = 'few';
  const driver = createPgDriver({ url: url.href, poolSize: 4, connectTimeoutMs: 6000, onError: () => undefined });
  const first = await driver.connect();
  await expect(driver.connect()).rejects.toMatchObject({
    code: 'database.connections',
    retryable: true,
    nextStep: expect.stringContaining('PINAKES_DATABASE_POOL_SIZE'),
  });
  const waiting = driver.connect();
  first.release(true);
  (await waiting).release(false);
  await driver.close();
  await database.drop();
  await connected(postgresUrl(), (admin) => admin.query(`drop role ${role}`));
});

test('a migration has no statement timeout, nor has waiting for one (finding B6)', async () => {
  const database = await createDatabase();
  const slow: Migration = { number: 9000, name: '9000-slow.sql', hash: 'slow', sql: 'select pg_sleep(2);\n' };
  const ours = [...readMigrations('postgres'), slow];
  const drivers = [1, 2].map(() =>
    createPgDriver({ url: database.url, poolSize: 1, timeoutMs: 1000, onError: () => undefined }),
  );
  await Promise.all(drivers.map((driver) => migratePostgres(driver, ours)));
  const count = `select count(*)::int as n from migrations`;
  expect((await connected(database.url, (client) => client.query(count))).rows).toEqual([{ n: ours.length }]);
  await Promise.all(drivers.map((driver) => driver.close()));
  await database.drop();
});

test('a migration that fails leaves those before it applied (finding B6)', async () => {
  const database = await createDatabase();
  const good: Migration = { number: 9000, name: '9000-good.sql', hash: 'good', sql: 'create table good (a int);\n' };
  const bad: Migration = { number: 9001, name: '9001-bad.sql', hash: 'bad', sql: 'create table good (a int);\n' };
  const driver = createPgDriver({ url: database.url, poolSize: 1, onError: () => undefined });
  await expect(migratePostgres(driver, [...readMigrations('postgres'), good, bad])).rejects.toThrow('already exists');
  const newest = `select max(number) as n from migrations`;
  expect((await connected(database.url, (client) => client.query(newest))).rows).toEqual([{ n: 9000 }]);
  await driver.close();
  await database.drop();
});
