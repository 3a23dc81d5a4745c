// The schema after migration: of both databases, from an earlier schema, through kills, and with two concurrent processes. The migrations
// after those of the program are made up.

import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readMigrations, type Migration } from '../../../src/store/sql/engine/migrations.ts';
import { runChild } from '../../support/run-child.ts';
import type { TestDatabase } from '../../support/test-database.ts';
import { freshPostgres, freshSqlite, type CreateDatabase, type FreshDatabase } from '../../support/fresh-database.ts';

const MIGRATE = new URL('./migrate-process.ts', import.meta.url);

describe('SQLite', () => migrationsOf('sqlite', freshSqlite));
describe('PostgreSQL', () => migrationsOf('postgres', freshPostgres));

async function migrated(fresh: CreateDatabase, migrations?: readonly Migration[]): Promise<FreshDatabase> {
  const database = await fresh();
  await database.migrate(migrations);
  return database;
}

test('both databases have the same tables and columns', async () => {
  const [sqlite, postgres] = await Promise.all([migrated(freshSqlite), migrated(freshPostgres)]);
  const columns = await sqlite.columns();
  expect(columns.length).toBeGreaterThan(300);
  const isPartition = (column: string): boolean => /^events_\d/.test(column);
  expect((await postgres.columns()).filter((column) => !isPartition(column))).toEqual(columns);
  await Promise.all([sqlite.remove(), postgres.remove()]);
});

const later = (number: number, sql: string): Migration => ({
  number,
  name: `${number}-test.sql`,
  sql,
  hash: String(number),
});

function migrationsOf(engine: TestDatabase['engine'], fresh: CreateDatabase): void {
  const ours = readMigrations(engine);
  const first = later(9001, 'create table first (a integer);\ncreate index first_a on first (a);\n');
  const second = later(9002, 'alter table pages add column note text;\n');
  let ourSchema: string;
  let newestSchema: string;
  let database: FreshDatabase;

  async function schemaOf(migrations: readonly Migration[]): Promise<string> {
    const other = await migrated(fresh, migrations);
    return other.schema().finally(() => other.remove());
  }

  beforeAll(async () => {
    ourSchema = await schemaOf(ours);
    newestSchema = await schemaOf([...ours, first, second]);
  });
  beforeEach(async () => {
    database = await fresh();
  });
  afterEach(() => database.remove());

  async function migrateInProcess(
    more: { location?: TestDatabase; dieAfter?: number; startAt?: number } = {},
  ): Promise<readonly string[]> {
    const lines: string[] = [];
    const task = { location: database.location, more: [first, second], dieAfter: null, startAt: 0, ...more };
    await runChild(MIGRATE, task, (line) => lines.push(line)).ended;
    return lines;
  }

  for (const applied of [0, ours.length, ours.length + 1]) {
    test(`a database with ${applied} migrations is migrated to the newest, once`, async () => {
      const all = [...ours, first, second];
      await database.migrate(all.slice(0, applied));
      await database.migrate(all);
      expect(await database.schema()).toBe(newestSchema);
      await database.migrate(all);
      expect(await database.schema()).toBe(newestSchema);
    });
  }

  test('a migration that arrives after one with a higher number is applied, and each of them once', async () => {
    await database.migrate([...ours, second]);
    await database.migrate([...ours, first, second]);
    expect(await database.schema()).toBe(newestSchema);
  });

  test('a database of a newer program is rejected and left unchanged', async () => {
    await database.migrate([...ours, first]);
    await expect(database.migrate()).rejects.toMatchObject({
      code: 'database.newer',
      details: { found: first.number, known: ours.at(-1)!.number },
    });
    expect(await database.schema()).toBe(await schemaOf([...ours, first]));
  });

  test('a database whose applied migration differs from ours is rejected', async () => {
    await database.migrate();
    await database.sql(`update migrations set hash = 'altered' where number = 1`);
    await expect(database.migrate()).rejects.toMatchObject({ code: 'database.unsupported' });
  });

  test('a migration that fails halfway leaves the former schema', async () => {
    const broken = later(9001, 'create table half (a integer);\nno such thing;\n');
    await database.migrate();
    await expect(database.migrate([...ours, broken])).rejects.toThrow();
    expect(await database.schema()).toBe(ourSchema);
  });

  /** Every fifth statement, and the commit. */
  async function killPoints(): Promise<readonly number[]> {
    const other = await fresh();
    const [end = ''] = await migrateInProcess({ location: other.location });
    await other.remove();
    const commit = Number(/first commit at (\d+)/.exec(end)?.[1]);
    return [...Array.from({ length: Math.floor((commit - 1) / 5) }, (_, at) => 1 + 5 * at), commit];
  }

  test('SIGKILL between statements leaves the old schema or the new one', { timeout: 300_000 }, async () => {
    // On PostgreSQL each migration has its own transaction.
    const committed = engine === 'sqlite' ? newestSchema : await schemaOf(ours.slice(0, 1));
    const points = await killPoints();
    expect(points.length).toBeGreaterThan(10);
    for (const dieAfter of points) {
      const isLast = dieAfter === points.at(-1);
      expect(await migrateInProcess({ dieAfter })).toEqual([`killed ${isLast ? 'after' : 'before'} the commit`]);
      expect(await database.schema(), `after statement ${dieAfter}`).toBe(isLast ? committed : '');
    }
    await database.migrate([...ours, first, second]);
    expect(await database.schema()).toBe(newestSchema);
  });

  test('two processes that migrate concurrently both succeed', async () => {
    // A new file is created under the lock of its owner, because the switch to the write-ahead log does not wait for another process.
    if (engine === 'sqlite') await database.migrate();
    const startAt = Date.now() + 1000;
    const both = await Promise.all([migrateInProcess({ startAt }), migrateInProcess({ startAt })]);
    expect(both.flat()).toEqual([expect.stringMatching(/^finished/), expect.stringMatching(/^finished/)]);
    expect(await database.schema()).toBe(newestSchema);
  });
}
