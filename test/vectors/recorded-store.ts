// A store that records its statements, to explain their plans and to hold a transaction at a certain statement.

import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach } from 'vitest';
import { createSqlStore } from '../../src/store/sql/create-sql-store.ts';
import type { Store } from '../../src/store/port.ts';
import type { Parameter, PostgresDriver } from '../../src/store/postgres/driver.ts';
import { migratePostgres } from '../../src/store/postgres/migrate-postgres.ts';
import { postgresParts } from '../../src/store/postgres/open-postgres-store.ts';
import { createPgDriver } from '../../src/store/postgres/pg-driver.ts';
import { createPostgresEngine } from '../../src/store/postgres/postgres-engine.ts';
import { migrateSqlite } from '../../src/store/sqlite/migrate-sqlite.ts';
import { sqliteParts } from '../../src/store/sqlite/open-sqlite-store.ts';
import { openSqliteEngine } from '../../src/store/sqlite/sqlite-engine.ts';
import { createWriteLock } from '../../src/store/sqlite/write-lock.ts';
import { createDatabase, temporaryDirectory, TEST_SETTINGS } from '../support/stores.ts';

export interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

export interface RecordedStore {
  readonly store: Store;
  /** What `work` executed. */
  readonly recorded: (work: () => Promise<unknown>) => Promise<readonly Statement[]>;
  /** Lines of the plans of these statements that read a table without a condition on its key. */
  readonly scans: (statements: readonly Statement[]) => Promise<readonly string[]>;
  readonly sql: <Row>(text: string) => Promise<Row[]>;
  /** The next statement that contains the text waits until the returned function is called; PostgreSQL only. */
  readonly holdAt: (part: string) => { readonly reached: Promise<void>; readonly release: () => void };
}

const opened: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

export async function openRecordedPostgres(): Promise<RecordedStore> {
  const database = await createDatabase();
  let statements: Statement[] = [];
  let held: { part: string; reach: () => void; until: Promise<void> } | null = null;
  const driver = createPgDriver({ url: database.url, poolSize: 6, onError: () => undefined });
  await migratePostgres(driver);
  const recording: PostgresDriver = {
    ...driver,
    async connect() {
      const session = await driver.connect();
      return {
        ...session,
        async query<Row>(sql: string, values: readonly Parameter[]) {
          statements.push({ sql, values });
          if (held !== null && sql.includes(held.part)) {
            const { reach, until } = held;
            held = null;
            reach();
            await until;
          }
          return session.query<Row>(sql, values);
        },
      };
    },
  };
  const engine = createPostgresEngine(recording);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const store = createSqlStore(engine, postgresParts(engine, null), TEST_SETTINGS);
  opened.push(async () => {
    await store.close();
    await client.end();
    await database.drop();
  });
  return {
    store,
    async recorded(work) {
      statements = [];
      await work();
      return statements;
    },
    async scans(of) {
      const found: string[] = [];
      for (const { sql, values } of of.filter((statement) =>
        /^\s*(select|delete|update|insert|with)/.test(statement.sql),
      )) {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, [...values]);
        for (const row of rows)
          if (/Seq Scan on (vectors|embeddings|events)/.test(row['QUERY PLAN']))
            found.push(`${row['QUERY PLAN'].trim()}: ${sql}`);
      }
      return found;
    },
    sql: async <Row>(text: string) => (await client.query(text)).rows as Row[],
    holdAt(part) {
      const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
      const { promise: until, resolve: release } = Promise.withResolvers<void>();
      held = { part, reach, until };
      return { reached, release };
    },
  };
}

export async function openRecordedSqlite(): Promise<RecordedStore> {
  const file = join(temporaryDirectory(), 'pinakes.db');
  migrateSqlite(file);
  const engine = openSqliteEngine(file, { now: Date.now, writeLock: createWriteLock(), servesRequests: false });
  const store = createSqlStore(engine, sqliteParts(engine), TEST_SETTINGS);
  const other = new DatabaseSync(file, { timeout: 5000 });
  other.function('now_ms', () => Date.now());
  opened.push(async () => {
    other.close();
    await store.close();
  });
  return {
    store,
    async recorded(work) {
      const statements: Statement[] = [];
      const prototype: { prepare: (this: DatabaseSync, sql: string) => StatementSync } = DatabaseSync.prototype;
      const { prepare } = prototype;
      prototype.prepare = function recordingPrepare(sql) {
        statements.push({ sql, values: [] });
        return prepare.call(this, sql);
      };
      await work().finally(() => {
        prototype.prepare = prepare;
      });
      return statements;
    },
    async scans(of) {
      const found: string[] = [];
      for (const { sql } of of) {
        const rows = other.prepare(`explain query plan ${sql}`).all() as Array<{ detail: string }>;
        for (const { detail } of rows)
          if (/^SCAN (vectors|embeddings|events|chunks|pages|frontier|problems|e|c|p)\b/.test(detail))
            found.push(`${detail}: ${sql}`);
      }
      return found;
    },
    sql: async <Row>(text: string) =>
      text.startsWith('select') ? (other.prepare(text).all() as Row[]) : (other.exec(text), []),
    holdAt: () => {
      throw new Error('SQLite has one writer');
    },
  };
}
