// A filled store is created once per engine; every test gets a copy of its database, which it may break.

import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../../src/store/port.ts';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { createDatabase, execute, TEST_SETTINGS, thisOwner } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { fillStore } from '../../support/fill-store.ts';

interface FilledCopy {
  readonly store: Store;
  /** Executes SQL without the store, as a fault would: without foreign keys and, on SQLite, without checks. */
  readonly sql: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface FilledCopies {
  readonly engine: 'sqlite' | 'postgres';
  create(): Promise<void>;
  copy(): Promise<FilledCopy>;
  remove(): Promise<void>;
}

function fileIn(directory: string): string {
  return join(directory, 'pinakes.db');
}

function openFile(directory: string): Store {
  return openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner });
}

function openUrl(url: string): Promise<Store> {
  return openPostgresStore({ ...TEST_SETTINGS, url, poolSize: 4, onError: () => undefined });
}

export function sqliteCopies(): FilledCopies {
  const template = temporaryDirectory();
  return {
    engine: 'sqlite',
    async create() {
      const store = openFile(template);
      await fillStore(store);
      await store.close();
    },
    async copy() {
      const directory = temporaryDirectory();
      copyFileSync(fileIn(template), fileIn(directory));
      const store = openFile(directory);
      return {
        store,
        async sql(text) {
          const database = new DatabaseSync(fileIn(directory), { timeout: 5000, enableForeignKeyConstraints: false });
          database.function('now_ms', () => Date.now());
          database.exec('pragma ignore_check_constraints = on');
          database.exec(text);
          database.close();
        },
        async close() {
          await store.close();
          rmSync(directory, { recursive: true });
        },
      };
    },
    remove: async () => rmSync(template, { recursive: true }),
  };
}

export function postgresCopies(): FilledCopies {
  let template: Awaited<ReturnType<typeof createDatabase>>;
  return {
    engine: 'postgres',
    async create() {
      template = await createDatabase();
      const store = await openUrl(template.url);
      await fillStore(store);
      await store.close();
    },
    async copy() {
      const database = await createDatabase(new URL(template.url).pathname.slice(1));
      const store = await openUrl(database.url);
      return {
        store,
        sql: (text) => execute(database.url, `set session_replication_role = replica; ${text}`),
        async close() {
          await store.close();
          await database.drop();
        },
      };
    },
    remove: () => template.drop(),
  };
}
