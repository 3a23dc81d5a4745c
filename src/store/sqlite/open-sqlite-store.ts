// Opens the store of a data directory: lock, schema, engine.

import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../port.ts';
import { createSqlStore, type StoreSettings } from '../sql/create-sql-store.ts';
import type { EngineParts } from '../sql/engine-parts.ts';
import { claimUrls } from './claim-urls.ts';
import { isCurrent, migrateSqlite } from './migrate-sqlite.ts';
import { lockDataDirectory, type Owner, type OwnerLock } from './owner-lock.ts';
import { sqliteFailure } from './sqlite-failure.ts';
import { openSqliteEngine, openSqliteReaderEngine, type DatabaseClock, type SqliteEngine } from './sqlite-engine.ts';

export interface SqliteStoreOptions extends StoreSettings {
  readonly directory: string;
  readonly owner: Owner;
  readonly now?: DatabaseClock;
}

export function openSqliteStore(options: SqliteStoreOptions): Store {
  const { directory, owner, now = Date.now } = options;
  const lock = lockOwn(directory, owner);
  try {
    const file = join(directory, 'pinakes.db');
    migrateSqlite(file);
    const engine = openSqliteEngine(file, now);
    const store = createSqlStore(engine, sqliteParts(engine), options);
    return {
      ...store,
      async close() {
        await store.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw sqliteFailure(error);
  }
}

function lockOwn(directory: string, owner: Owner): OwnerLock {
  try {
    mkdirSync(directory, { recursive: true });
    chmodSync(directory, 0o700);
    return lockDataDirectory(directory, owner);
  } catch (error) {
    throw sqliteFailure(error);
  }
}

/**
 * For whoever only reads, beside the owner or without one. A directory that was never used is made ready first, and one
 * with an older schema is brought up to date, both of which need the lock for a moment.
 */
export function openSqliteReader(options: SqliteStoreOptions): Store {
  const { directory, now = Date.now } = options;
  const file = join(directory, 'pinakes.db');
  if (!existsSync(file) || !isCurrent(file)) void openSqliteStore(options).close();
  const engine = openSqliteReaderEngine(file, now);
  return createSqlStore(engine, sqliteParts(engine), options);
}

export function sqliteParts(engine: SqliteEngine): EngineParts {
  return {
    name: 'sqlite',
    claim: (request, maxAttempts) => claimUrls(engine, request, maxAttempts),
    lockTexts: async () => undefined,
    forUpdate: '',
  };
}
