// Real stores for tests: a SQLite file, a fresh database on a real PostgreSQL, and an embedded PostgreSQL.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import type { Store } from '../../src/store/port.ts';
import type { StoreSettings } from '../../src/store/sql/create-sql-store.ts';
import type { Parameter, PostgresDriver, Session } from '../../src/store/postgres/driver.ts';
import {
  openPostgresStore,
  openStoreOver,
  type PostgresStoreOptions,
} from '../../src/store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { createOnce, templateOfRun } from './template-database.ts';
import { temporaryDirectory } from './temporary-folder.ts';

export const TEST_SETTINGS: StoreSettings = { startDelayMs: 0, maxAttempts: 8 };

export interface TestStore {
  readonly store: Store;
  /** Runs SQL outside the store, to simulate a fault. */
  readonly sql: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export type OpenTestStore = (settings?: Partial<StoreSettings>) => Promise<TestStore>;

export const thisOwner = { pid: process.pid, command: 'vitest', since: new Date().toISOString() };

export const openTestSqlite: OpenTestStore = async (settings) => {
  const directory = temporaryDirectory();
  const store = openSqliteStore({ ...TEST_SETTINGS, ...settings, directory, owner: thisOwner });
  return {
    store,
    sql: async (text) => {
      const { DatabaseSync } = await import('node:sqlite');
      const database = new DatabaseSync(join(directory, 'pinakes.db'), {
        timeout: 5000,
        enableForeignKeyConstraints: false,
      });
      database.function('now_ms', () => Date.now());
      database.exec('pragma ignore_check_constraints = on');
      database.exec(text);
      database.close();
    },
    close: async () => {
      await store.close();
      rmSync(directory, { recursive: true });
    },
  };
};

export function postgresUrl(): string {
  const url = process.env['PINAKES_TEST_POSTGRES_URL'];
  if (url === undefined) throw new Error('PINAKES_TEST_POSTGRES_URL names no PostgreSQL: npm run postgres starts one');
  return url;
}

let databases = 0;

interface TestDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** Creates an empty database on the test server; the returned function removes it. */
export async function createDatabase(template = 'template1'): Promise<TestDatabase> {
  const name = `test_${process.pid}_${Date.now()}_${(databases += 1)}`;
  await asAdmin(`create database ${name} template ${template}`);
  return { url: databaseUrl(name), drop: () => asAdmin(`drop database if exists ${name} with (force)`) };
}

let migrated: Promise<void> | null = null;

/** Creates a database with the current schema. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  migrated ??= createOnce(postgresUrl(), createTemplate);
  await migrated;
  const database = await createDatabase(templateOfRun());
  await execute(
    database.url,
    'update change_log set library_id = substr(md5(random()::text), 17), history_id = substr(md5(random()::text), 17)',
  );
  return database;
}

/** Returns its name. */
async function createTemplate(): Promise<string> {
  const { url } = await createDatabase();
  await (await openPostgresStore({ ...TEST_SETTINGS, url, poolSize: 1, onError: () => undefined })).close();
  return new URL(url).pathname.slice(1);
}

function databaseUrl(name: string): string {
  const url = new URL(postgresUrl());
  url.pathname = `/${name}`;
  return url.href;
}

let admin: pg.Pool | null = null;

/** On one connection for all tests of a process, which does not keep the process alive. */
async function asAdmin(sql: string): Promise<void> {
  admin ??= new pg.Pool({ connectionString: postgresUrl(), max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // The pool replaces a connection that the server closed while it was idle.
  if (admin.listenerCount('error') === 0) admin.on('error', () => undefined);
  await admin.query(sql);
}

/** Executes SQL on a separate connection. */
export async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

export const openTestPostgres: OpenTestStore = (settings) => openTestPostgresWith({}, settings);

/** With other options of the connection. */
export async function openTestPostgresWith(
  options: Partial<PostgresStoreOptions>,
  settings: Partial<StoreSettings> = {},
): Promise<TestStore> {
  const database = await createMigratedDatabase();
  const connection = { url: database.url, poolSize: 10, onError: () => undefined, ...options };
  const store = await openPostgresStore({ ...TEST_SETTINGS, ...settings, ...connection });
  return {
    store,
    sql: (text) => execute(database.url, `set session_replication_role = replica; ${text}`),
    close: async () => {
      await store.close();
      await database.drop();
    },
  };
}

/** One session shared in turn: PGlite has a single connection. */
export function pgliteDriver(database: PGlite): PostgresDriver {
  let free: Promise<void> = Promise.resolve();
  return {
    begin: 'begin',
    async connect() {
      const before = free;
      const { promise, resolve: done } = Promise.withResolvers<void>();
      free = promise;
      await before;
      return {
        async query<Row>(sql: string, values: readonly Parameter[]) {
          const result = await database.query<Row>(sql, values as unknown[], { parsers: { 20: Number } });
          return result.rows;
        },
        execute: async (sql) => void (await database.exec(sql)),
        release: () => done(),
      } satisfies Session;
    },
    connectDirect: null,
    close: () => database.close(),
  };
}

let embedded: Promise<PGlite> | null = null;

/** Starting one takes seconds, so all tests share it, each with an empty schema. */
export const openTestPglite: OpenTestStore = async (settings) => {
  embedded ??= PGlite.create();
  const database = await embedded;
  await database.exec('drop schema public cascade; create schema public');
  const driver = { ...pgliteDriver(database), close: async () => undefined };
  const store = await openStoreOver(driver, { ...TEST_SETTINGS, ...settings });
  return {
    store,
    sql: async (text) => {
      await database.exec(`set session_replication_role = replica; ${text}; set session_replication_role = origin`);
    },
    close: () => store.close(),
  };
};
