// The location of a database, in a form that can be passed to a child process, and how each process opens it.

import { join } from 'node:path';
import type { Store } from '../../src/store/port.ts';
import { createSqlStore, type StoreSettings } from '../../src/store/sql/create-sql-store.ts';
import type { Engine } from '../../src/store/sql/engine/engine.ts';
import { URL_STATE } from '../../src/store/sql/engine/states.ts';
import { migratePostgres } from '../../src/store/postgres/migrate-postgres.ts';
import { postgresParts } from '../../src/store/postgres/open-postgres-store.ts';
import { createPgDriver } from '../../src/store/postgres/pg-driver.ts';
import { createPostgresEngine } from '../../src/store/postgres/postgres-engine.ts';
import { migrateSqlite } from '../../src/store/sqlite/migrate-sqlite.ts';
import { sqliteParts } from '../../src/store/sqlite/open-sqlite-store.ts';
import { lockDataDirectory } from '../../src/store/sqlite/owner-lock.ts';
import { createWriteLock } from '../../src/store/sqlite/write-lock.ts';
import { openSqliteEngine } from '../../src/store/sqlite/sqlite-engine.ts';

export type TestDatabase =
  | { readonly engine: 'sqlite'; readonly directory: string }
  | { readonly engine: 'postgres'; readonly url: string };

/** No attempt limit here: how often a URL is fetched is decided by the test. */
const SETTINGS: StoreSettings = { startDelayMs: 0, maxAttempts: 60 };

export interface OpenDatabase {
  readonly store: Store;
  /** URLs that are not settled, counted from the rows: counters may be wrong where the fencing check is off. */
  unsettled(): Promise<number>;
  /** The number `n` that a statement returns. */
  readonly count: (sql: string) => Promise<number>;
}

/** As in production; `altered` can wrap the engine, for test-only behaviour. */
export async function openDatabase(
  database: TestDatabase,
  altered: (engine: Engine) => Engine = (engine) => engine,
): Promise<OpenDatabase> {
  if (database.engine === 'postgres') {
    const driver = createPgDriver({ url: database.url, poolSize: 4, onError: () => undefined });
    await migratePostgres(driver);
    const engine = createPostgresEngine(driver);
    return opened(createSqlStore(altered(engine), postgresParts(engine, null), SETTINGS), engine);
  }
  const owner = { pid: process.pid, command: 'a test', since: new Date().toISOString() };
  const lock = lockDataDirectory(database.directory, owner);
  const file = join(database.directory, 'pinakes.db');
  migrateSqlite(file);
  const engine = openSqliteEngine(file, { now: Date.now, writeLock: createWriteLock(), servesRequests: false });
  const store = createSqlStore(altered(engine), sqliteParts(engine), SETTINGS);
  const close = async (): Promise<void> => {
    await store.close();
    lock.release();
  };
  return opened({ ...store, close }, engine);
}

function opened(store: Store, engine: Engine): OpenDatabase {
  const count = async (sql: string): Promise<number> => {
    const [row] = await engine.reader.all<{ n: number }>(sql);
    return row?.n ?? 0;
  };
  return {
    store,
    count,
    unsettled: () => count(`select count(*) as n from frontier where state < ${URL_STATE.settled}`),
  };
}
