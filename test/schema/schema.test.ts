// The schema after migration: from every earlier schema, through kills, and with two concurrent processes.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readMigrations } from '../../src/store/sql/engine/migrations.ts';
import type { Store } from '../../src/store/port.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { TEST_SETTINGS, thisOwner } from '../support/stores.ts';
import { runChild } from '../zombies/run-child.ts';
import type { TestDatabase } from '../zombies/test-database.ts';
import { committedSchema, type EngineName } from './committed-schema.ts';
import { freshPostgres, freshSqlite, type CreateDatabase, type FreshDatabase } from './fresh-database.ts';

const MIGRATE = new URL('./migrate-process.ts', import.meta.url);

describe('SQLite', () => migrationsOf('sqlite', freshSqlite));
describe('PostgreSQL', () => migrationsOf('postgres', freshPostgres));

async function openStore(place: TestDatabase): Promise<Store> {
  if (place.engine === 'sqlite')
    return openSqliteStore({ ...TEST_SETTINGS, directory: place.directory, owner: thisOwner });
  return openPostgresStore({ ...TEST_SETTINGS, url: place.url, poolSize: 2, onError: () => undefined });
}

function migrationsOf(engine: EngineName, fresh: CreateDatabase): void {
  const ours = readMigrations(engine);
  let database: FreshDatabase;
  beforeEach(async () => {
    database = await fresh();
  });
  afterEach(() => database.remove());

  async function migrateInProcess(
    more: { place?: TestDatabase; dieAfter?: number; startAt?: number } = {},
  ): Promise<readonly string[]> {
    const lines: string[] = [];
    const task = { place: database.place, dieAfter: null, startAt: 0, ...more };
    await runChild(MIGRATE, task, (line) => lines.push(line)).ended;
    return lines;
  }

  test('the migrations produce the committed schema (written by npm run schema)', async () => {
    await database.migrate();
    expect(await database.schema()).toBe(committedSchema(engine));
  });

  // Migrations are applied one by one, so where an upgrade starts matters little: empty, first, halfway and last.
  for (const applied of [0, 1, Math.floor(ours.length / 2), ours.length - 1]) {
    test(`a database at schema ${applied} is migrated to the newest, and migrating it again changes nothing`, async () => {
      await database.migrate(ours.slice(0, applied));
      await database.migrate();
      expect(await database.schema()).toBe(committedSchema(engine));
      await database.migrate();
      expect(await database.schema()).toBe(committedSchema(engine));
    });
  }

  test('milestones of a former version are numbered in the order of their times', async () => {
    await database.migrate(ours.filter(({ number }) => number < 21));
    await database.sql(
      `insert into milestones (run_id, kind, source_id, at, details) values
        (2, 'seeded', 1, 3000, '{}'), (1, 'seeded', 1, 1000, '{"urls":5}'), (1, 'aborted', 1, 2000, '{}')`,
    );
    await database.migrate();
    const store = await openStore(database.place);
    const found = await store.journal.listMilestones({ run: null, kind: null, before: null, after: null, limit: 10 });
    await store.close();
    expect(found.map(({ id, run, kind, at }) => [id, run, kind, at.getTime()])).toEqual([
      [3, 2, 'seeded', 3000],
      [2, 1, 'aborted', 2000],
      [1, 1, 'seeded', 1000],
    ]);
    expect(found[2]?.details).toEqual({ urls: 5 });
  });

  test('a database of a newer program is rejected and left unchanged', async () => {
    await database.migrate();
    await database.sql(
      `insert into migrations (number, name, hash, applied_at) values (9999, '9999-later.sql', '', 0)`,
    );
    await expect(database.migrate()).rejects.toMatchObject({
      code: 'database.newer',
      details: { found: 9999, known: ours.at(-1)!.number },
    });
    expect(await database.schema()).toBe(committedSchema(engine));
  });

  test('a database whose applied migration differs from ours is rejected', async () => {
    await database.migrate();
    await database.sql(`update migrations set hash = 'altered' where number = 1`);
    await expect(database.migrate()).rejects.toMatchObject({ code: 'database.unsupported' });
  });

  test('a migration that fails halfway leaves the former schema', async () => {
    const next = ours.at(-1)!.number + 1;
    const sql = 'create table half (a integer);\nno such thing;\n';
    const broken = { number: next, name: `${next}-broken.sql`, sql, hash: 'x' };
    await database.migrate(ours);
    await expect(database.migrate([...ours, broken])).rejects.toThrow();
    expect(await database.schema()).toBe(committedSchema(engine));
  });

  /** On PostgreSQL each migration has a transaction of its own. */
  async function schemaAfterFirstCommit(): Promise<string> {
    if (engine === 'sqlite') return committedSchema(engine);
    const other = await fresh();
    await other.migrate(ours.slice(0, 1));
    return other.schema().finally(() => other.remove());
  }

  /** Every third statement, and the commit. */
  async function killPoints(): Promise<readonly number[]> {
    const other = await fresh();
    const [end = ''] = await migrateInProcess({ place: other.place });
    await other.remove();
    const commit = Number(/first commit at (\d+)/.exec(end)?.[1]);
    return [...Array.from({ length: Math.floor((commit - 1) / 3) }, (_, at) => 1 + 3 * at), commit];
  }

  test('SIGKILL between statements leaves the old schema or the new one', { timeout: 300_000 }, async () => {
    const committed = await schemaAfterFirstCommit();
    const points = await killPoints();
    expect(points.length).toBeGreaterThan(10);
    for (const dieAfter of points) {
      const isLast = dieAfter === points.at(-1);
      expect(await migrateInProcess({ dieAfter })).toEqual([`killed ${isLast ? 'after' : 'before'} the commit`]);
      expect(await database.schema(), `after statement ${dieAfter}`).toBe(isLast ? committed : '');
    }
    await database.migrate();
    expect(await database.schema()).toBe(committedSchema(engine));
  });

  test('two processes that migrate concurrently both succeed', async () => {
    const startAt = Date.now() + 1000;
    const both = await Promise.all([migrateInProcess({ startAt }), migrateInProcess({ startAt })]);
    expect(both.flat()).toEqual([expect.stringMatching(/^finished/), expect.stringMatching(/^finished/)]);
    expect(await database.schema()).toBe(committedSchema(engine));
  });
}
