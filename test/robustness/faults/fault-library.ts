// A library under fault, of either engine, with access from outside while the program is running.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../../src/store/port.ts';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.ts';
import { openSqliteReader, openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import type { EngineName } from '../../support/library.ts';
import type { Settings } from '../../support/program.ts';
import { thisOwner } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import type { PrivatePostgres } from './private-postgres.ts';

export const MAX_ATTEMPTS = 100;
const STORE_SETTINGS = { startDelayMs: 0, maxAttempts: MAX_ATTEMPTS };

export interface FaultLibrary {
  readonly engine: EngineName;
  /** How the program finds it; a proxy may be in between. */
  readonly settings: Settings;
  /** The folder of SQLite, or the URL of the database. */
  readonly at: string;
  read<T>(work: (store: Store) => Promise<T>): Promise<T>;
  /** As the owner: no other process may hold the folder in the meantime. */
  write<T>(change: (store: Store) => Promise<T>): Promise<T>;
  sql<Row>(text: string): Promise<readonly Row[]>;
  remove(): Promise<void>;
}

export function sqliteLibrary(directory = temporaryDirectory()): FaultLibrary {
  const options = { ...STORE_SETTINGS, directory, owner: thisOwner };
  return {
    engine: 'sqlite',
    settings: { PINAKES_DATA_DIR: directory },
    at: directory,
    read: (work) => using(openSqliteReader(options), work),
    write: (change) => using(Promise.resolve(openSqliteStore(options)), change),
    async sql<Row>(text: string) {
      const database = new DatabaseSync(join(directory, 'pinakes.db'), { timeout: 5000, readOnly: true });
      try {
        return database.prepare(text).all() as Row[];
      } finally {
        database.close();
      }
    },
    remove: async () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** `seen` is the URL that the program is given: the database itself, or a proxy in front of it. */
export function postgresLibrary(server: PrivatePostgres, url: string, seen = url): FaultLibrary {
  const open = (): Promise<Store> =>
    openPostgresStore({ ...STORE_SETTINGS, url, poolSize: 2, onError: () => undefined });
  return {
    engine: 'postgres',
    settings: { PINAKES_DATABASE_URL: seen, PINAKES_DATABASE_POOL_SIZE: '6' },
    at: url,
    read: (work) => using(open(), work),
    write: (change) => using(open(), change),
    sql: (text) => server.sql(text, url),
    remove: async () => {
      await server.sql(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`);
    },
  };
}

async function using<T>(opening: Promise<Store>, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await opening;
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
