// Where a store stands, in a form that a child process can be given, and how each process opens it.

import { join } from 'node:path';
import type { Store } from '../../src/store/port.ts';
import { createSqlStore, type StoreSettings } from '../../src/store/sql/create-sql-store.ts';
import type { Engine } from '../../src/store/sql/engine/engine.ts';
import { migratePostgres } from '../../src/store/postgres/migrate-postgres.ts';
import { postgresParts } from '../../src/store/postgres/open-postgres-store.ts';
import { createPgDriver } from '../../src/store/postgres/pg-driver.ts';
import { createPostgresEngine } from '../../src/store/postgres/postgres-engine.ts';
import { migrateSqlite } from '../../src/store/sqlite/migrate-sqlite.ts';
import { sqliteParts } from '../../src/store/sqlite/sqlite-parts.ts';
import { lockDataDirectory } from '../../src/store/sqlite/owner-lock.ts';
import { createWriteTurns } from '../../src/store/sqlite/write-lock.ts';
import { openSqliteEngine } from '../../src/store/sqlite/sqlite-engine.ts';

export type Place =
  | { readonly engine: 'sqlite'; readonly directory: string }
  | { readonly engine: 'postgres'; readonly url: string };

/** Nobody gives up here: how often a URL is asked is left to the fates of the test. */
const SETTINGS: StoreSettings = { startDelayMs: 0, maxAttempts: 60 };

export interface OpenPlace {
  readonly store: Store;
  /** URLs that are not settled, counted from the rows: counters may be wrong where the fence is off. */
  unsettled(): Promise<number>;
  /** The number `n` that a statement gives. */
  count(sql: string): Promise<number>;
}

/** As production opens it; `altered` may stand between the store and its engine, to do what only a test wants. */
export async function openPlace(
  place: Place,
  altered: (engine: Engine) => Engine = (engine) => engine,
): Promise<OpenPlace> {
  if (place.engine === 'postgres') {
    const driver = createPgDriver({ url: place.url, poolSize: 4, onError: () => undefined });
    await migratePostgres(driver);
    const engine = createPostgresEngine(driver);
    return opened(createSqlStore(altered(engine), postgresParts(engine), SETTINGS), engine);
  }
  const owner = { pid: process.pid, command: 'a test', since: new Date().toISOString() };
  const lock = lockDataDirectory(place.directory, owner);
  const file = join(place.directory, 'pinakes.db');
  migrateSqlite(file);
  const engine = openSqliteEngine(file, { now: Date.now, turns: createWriteTurns(), answers: false });
  const store = createSqlStore(altered(engine), sqliteParts(engine), SETTINGS);
  const close = async (): Promise<void> => {
    await store.close();
    lock.release();
  };
  return opened({ ...store, close }, engine);
}

function opened(store: Store, engine: Engine): OpenPlace {
  const count = async (sql: string): Promise<number> => {
    const [row] = await engine.reader.all<{ n: number }>(sql);
    return row?.n ?? 0;
  };
  return { store, count, unsettled: () => count(`select count(*) as n from frontier where state < 3`) };
}
