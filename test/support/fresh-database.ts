// Empty databases of both engines behind one interface to migrate, read and alter them.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { migratePostgres } from '../../src/store/postgres/migrate-postgres.ts';
import { createPgDriver } from '../../src/store/postgres/pg-driver.ts';
import type { Migration } from '../../src/store/sql/engine/migrations.ts';
import { migrateSqlite } from '../../src/store/sqlite/migrate-sqlite.ts';
import { createDatabase } from './stores.ts';
import { temporaryDirectory } from './temporary-folder.ts';
import type { TestDatabase } from './test-database.ts';
import { postgresColumns, postgresSchema, sqliteColumns, sqliteSchema } from './read-schema.ts';

export interface FreshDatabase {
  readonly location: TestDatabase;
  migrate(ours?: readonly Migration[]): Promise<void>;
  schema(): Promise<string>;
  /** `table.column`, in order. */
  columns(): Promise<readonly string[]>;
  sql(text: string): Promise<void>;
  remove(): Promise<void>;
}

export type CreateDatabase = () => Promise<FreshDatabase>;

export const freshSqlite: CreateDatabase = async () => {
  const directory = temporaryDirectory();
  const file = join(directory, 'pinakes.db');
  return {
    location: { engine: 'sqlite', directory },
    migrate: async (ours) => migrateSqlite(file, ours),
    schema: async () => (existsSync(file) ? sqliteSchema(file) : ''),
    columns: async () => sqliteColumns(file),
    async sql(text) {
      const database = new DatabaseSync(file);
      database.exec(text);
      database.close();
    },
    remove: async () => rmSync(directory, { recursive: true }),
  };
};

export const freshPostgres: CreateDatabase = async () => {
  const { url, drop } = await createDatabase();
  return {
    location: { engine: 'postgres', url },
    async migrate(ours) {
      const driver = createPgDriver({ url, poolSize: 1, onError: () => undefined });
      await migratePostgres(driver, ours).finally(() => driver.close());
    },
    schema: () => postgresSchema(url),
    columns: () => postgresColumns(url),
    async sql(text) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(text).finally(() => client.end());
    },
    remove: drop,
  };
};
