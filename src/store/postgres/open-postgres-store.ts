// Opens the store of a PostgreSQL database.

import { pinakesError } from '../../core/model/errors.ts';
import type { Store } from '../port.ts';
import { createSqlStore, type StoreSettings } from '../sql/create-sql-store.ts';
import type { EngineParts } from '../sql/engine/engine-parts.ts';
import { localHostOf } from '../sql/frontier/host-schedule.ts';
import { checkPostgresFiles } from './check-files.ts';
import { claimUrls } from './claim-urls.ts';
import type { PostgresDriver } from './driver.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { createPgDriver } from './pg-driver.ts';
import { createPostgresEngine, type PostgresEngine } from './postgres-engine.ts';
import { isRejection } from './postgres-failure.ts';
import { textLocks } from './text-locks.ts';
import { createVectorSearch } from './vector-search.ts';

const MINIMUM_VERSION = 150_000;

export interface PostgresStoreOptions extends StoreSettings {
  readonly url: string;
  readonly poolSize: number;
  readonly timeoutMs?: number;
  readonly onError: (error: Error) => void;
}

export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  return openStoreOver(createPgDriver(options), options);
}

/** Closes the driver if it fails. */
export async function openStoreOver(driver: PostgresDriver, settings: StoreSettings): Promise<Store> {
  try {
    await requireVersion(driver);
    await migratePostgres(driver);
    const engine = createPostgresEngine(driver);
    return createSqlStore(engine, postgresParts(engine, settings.machine ?? null), settings);
  } catch (error) {
    await driver.close();
    throw error;
  }
}

async function requireVersion(driver: PostgresDriver): Promise<void> {
  const session = await driver.connect();
  const [row] = await session.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
    [],
  );
  session.release(false);
  if ((row?.version ?? 0) >= MINIMUM_VERSION) return;
  throw pinakesError('database.unsupported', {
    engine: 'PostgreSQL',
    why: `version ${row?.version ?? 'unknown'} is too old`,
    advice: 'Use PostgreSQL 15 or newer',
  });
}

export function postgresParts(engine: PostgresEngine, machine: string | null): EngineParts {
  const localHost = localHostOf(machine);
  return {
    name: 'postgres',
    claim: (request, maxAttempts) => claimUrls(engine, request, { maxAttempts, localHost }),
    textLocks,
    forUpdate: 'for update skip locked',
    byCodePoint: ' collate "C"',
    isRejection,
    databaseBytes: 'select pg_database_size(current_database()) as bytes',
    vectors: createVectorSearch(engine),
    checkFiles: (depth) => checkPostgresFiles(engine.reader, depth),
    backup: () => Promise.reject(pinakesError('backup.unsupported', {})),
  };
}
