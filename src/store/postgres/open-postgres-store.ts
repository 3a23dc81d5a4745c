// Opens the store of a PostgreSQL database.

import { pinakesError } from '../../core/model/errors.ts';
import type { Store } from '../port.ts';
import { createSqlStore, type StoreSettings } from '../sql/create-sql-store.ts';
import type { EngineParts } from '../sql/engine/engine-parts.ts';
import { createSchemaCheck, readMigrations } from '../sql/engine/migrations.ts';
import type { Announcer } from '../sql/engine/wakeups.ts';
import { localHostOf } from '../sql/frontier/host-schedule.ts';
import { checkPostgresFiles } from './check-files.ts';
import { claimUrls } from './claim-urls.ts';
import type { PostgresDriver } from './driver.ts';
import { createEventPartitions } from './event-partitions.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { createPgAnnouncer } from './pg-announcer.ts';
import { createPgDriver, directUrlOf, type PgOptions } from './pg-driver.ts';
import { createPostgresEngine, type PostgresEngine } from './postgres-engine.ts';
import { isRejection } from './postgres-failure.ts';
import { textLocks } from './text-locks.ts';
import { createVectorSearch } from './vector-search.ts';

const MINIMUM_VERSION = 150_000;

export interface PostgresStoreOptions extends StoreSettings {
  readonly url: string;
  readonly poolSize: number;
  readonly timeoutMs?: number;
  /** False behind a pooler that does not keep prepared statements. */
  readonly preparedStatements?: boolean;
  /** URL of the same database without a pooler, for migrations and wake-ups. */
  readonly directUrl?: string | undefined;
  readonly onError: (error: Error) => void;
}

export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { directUrl, onError } = options;
  if (directUrl !== undefined) await migrateDirectly({ ...options, url: directUrl });
  const driver = createPgDriver(options);
  return openStoreOver(driver, options, createPgAnnouncer(driver, directUrlOf(options), onError));
}

/** A long transaction would occupy a connection of the pooler, which may have its own time limits. */
async function migrateDirectly(options: PgOptions): Promise<void> {
  const driver = createPgDriver({ ...options, poolSize: 1 });
  try {
    await requireVersion(driver);
    await migratePostgres(driver);
  } finally {
    await driver.close();
  }
}

/** Closes the driver if it fails. */
export async function openStoreOver(
  driver: PostgresDriver,
  settings: StoreSettings,
  announcer: Announcer = createPgAnnouncer(driver, null, () => undefined),
): Promise<Store> {
  try {
    await requireVersion(driver);
    await migratePostgres(driver);
    const engine = createPostgresEngine(driver);
    return createSqlStore(engine, postgresParts(engine, settings.machine ?? null, announcer), settings);
  } catch (error) {
    await driver.close();
    throw error;
  }
}

async function requireVersion(driver: PostgresDriver): Promise<void> {
  const session = await driver.connect();
  let version = 0;
  let broken = true;
  try {
    const [row] = await session.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
      [],
    );
    version = row?.version ?? 0;
    broken = false;
  } finally {
    session.release(broken);
  }
  if (version >= MINIMUM_VERSION) return;
  throw pinakesError('database.unsupported', {
    what: 'This PostgreSQL server',
    reason: `version ${version} is too old`,
    advice: 'Use PostgreSQL 15 or newer',
  });
}

export function postgresParts(
  engine: PostgresEngine,
  machine: string | null,
  announcer: Announcer = createPgAnnouncer(engine.driver, null, () => undefined),
): EngineParts {
  const localHost = localHostOf(machine);
  const requireSchema = createSchemaCheck(readMigrations('postgres'));
  return {
    name: 'postgres',
    claim: (request, limits) => claimUrls(engine, request, { ...limits, localHost, requireSchema }),
    requireSchema,
    announcer,
    textLocks,
    withShortLog: (work) => work(),
    forUpdate: 'for update skip locked',
    byCodePoint: ' collate "C"',
    isRejection,
    databaseBytes: 'select pg_database_size(current_database()) as bytes',
    // Only a superuser may read the size of its files.
    writeAheadLog: async () => ({ mode: 'wal', bytes: null }),
    vectors: createVectorSearch(engine),
    eventPartitions: createEventPartitions(engine),
    checkFiles: (depth) => checkPostgresFiles(engine.reader, depth),
    backup: () => Promise.reject(pinakesError('backup.unsupported', {})),
  };
}
