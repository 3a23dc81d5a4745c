// Opens the store of a data directory: lock, schema, engine.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../port.ts';
import { createSqlStore, type StoreSettings } from '../sql/create-sql-store.ts';
import type { EngineParts, TextLocks } from '../sql/engine/engine-parts.ts';
import { createAnnouncer } from '../sql/engine/wakeups.ts';
import { backupSqlite, checkSqliteFile } from './backup-restore.ts';
import { claimUrls, endLeases } from './claim-urls.ts';
import { createDiskSpaceCheck, withDiskSpaceGuard } from './disk-space-guard.ts';
import { isSchemaCurrent, migrateSqlite } from './migrate-sqlite.ts';
import { correctTimes, createDatabaseClock } from './monotonic-clock.ts';
import { lockDataDirectory, type Owner, type OwnerLock } from './owner-lock.ts';
import { openSqliteEngine, openSqliteReaderEngine, type DatabaseClock, type SqliteEngine } from './sqlite-engine.ts';
import { isRejection, sqliteFailure } from './sqlite-failure.ts';
import { createVectorSearch } from './vector-search.ts';
import { createWriteLock, type WriteLock } from './write-lock.ts';

export interface SqliteStoreOptions extends StoreSettings {
  readonly directory: string;
  readonly owner: Owner;
  /** Bytes of its volume that new work must leave free; 0 by default. */
  readonly minFreeBytes?: number;
  readonly now?: DatabaseClock;
  /** Required if another thread of this process writes as well. */
  readonly writeLock?: WriteLock;
}

export function openSqliteStore(options: SqliteStoreOptions): Store {
  const { directory, owner } = options;
  const lock = lockDirectory(directory, owner);
  try {
    const file = join(directory, 'pinakes.db');
    migrateSqlite(file);
    correctTimes(file);
    const { now = createDatabaseClock(file), writeLock } = options;
    const engine = openSqliteEngine(file, {
      now,
      writeLock: writeLock ?? createWriteLock(),
      servesRequests: writeLock !== undefined,
    });
    endLeases(engine);
    const store = createStore(engine, options);
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

/** For another thread of the process that owns the directory and has opened it; both share the write lock. */
export function openSqliteSecondWriter(options: SqliteStoreOptions & { readonly writeLock: WriteLock }): Store {
  const file = join(options.directory, 'pinakes.db');
  const { now = createDatabaseClock(file), writeLock } = options;
  return createStore(openSqliteEngine(file, { now, writeLock, servesRequests: false }), options);
}

function createStore(engine: SqliteEngine, options: SqliteStoreOptions): Store {
  const check = createDiskSpaceCheck(options.directory, options.minFreeBytes ?? 0);
  return withDiskSpaceGuard(createSqlStore(engine, sqliteParts(engine), options), check);
}

function lockDirectory(directory: string, owner: Owner): OwnerLock {
  try {
    return lockDataDirectory(directory, owner);
  } catch (error) {
    throw sqliteFailure(error);
  }
}

/**
 * Read-only, with or without an owner process. A new directory is initialized first, and one with an older schema is migrated;
 * both need the lock for a moment.
 */
export async function openSqliteReader(options: SqliteStoreOptions): Promise<Store> {
  const { directory } = options;
  const file = join(directory, 'pinakes.db');
  try {
    if (!existsSync(file) || !isSchemaCurrent(file)) await openSqliteStore(options).close();
    const engine = openSqliteReaderEngine(file, options.now ?? createDatabaseClock(file));
    return createSqlStore(engine, sqliteParts(engine), options);
  } catch (error) {
    throw sqliteFailure(error);
  }
}

/** Pages of the write-ahead log. A removal of 500 MB took 38 s with this checkpoint and 85 s with the usual one, which stopped a step for seconds. */
const SHORT_LOG_PAGES = 1000;

/** Removals may overlap: the last one to end restores the usual length. */
export function createShortLog({
  writer: { database },
}: {
  readonly writer: Pick<SqliteEngine['writer'], 'database'>;
}): EngineParts['withShortLog'] {
  let running = 0;
  let usual = 0;
  return async (work) => {
    if (running === 0) {
      const row = database.prepare('pragma wal_autocheckpoint').get() as { wal_autocheckpoint: number };
      usual = row.wal_autocheckpoint;
      database.exec(`pragma wal_autocheckpoint = ${SHORT_LOG_PAGES}`);
    }
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      if (running === 0) database.exec(`pragma wal_autocheckpoint = ${usual}`);
    }
  };
}

/** The transaction itself is the lock. */
const ONE_WRITER: TextLocks = {
  holdSpaces: async () => undefined,
  lockSpaces: async () => undefined,
  addTexts: async (_tx, _hashes, _spaces, insert) => void (await insert()),
  lockTexts: async (_tx, hashes) => hashes.length,
  forClaim: '',
};

async function readWriteAheadLog({ reader }: SqliteEngine): Promise<{ mode: string; bytes: number }> {
  const [mode] = await reader.all<{ journal_mode: string }>('pragma journal_mode');
  const [file] = await reader.all<{ file: string }>(`select file from pragma_database_list where name = 'main'`);
  const bytes = statSync(`${file?.file ?? ''}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return { mode: mode?.journal_mode ?? 'unknown', bytes };
}

export function sqliteParts(engine: SqliteEngine): EngineParts {
  return {
    name: 'sqlite',
    claim: (request, limits) => claimUrls(engine, request, limits),
    // Only the process that owns the directory migrates it.
    requireSchema: async () => undefined,
    announcer: createAnnouncer(),
    textLocks: ONE_WRITER,
    withShortLog: createShortLog(engine),
    forUpdate: '',
    byCodePoint: '',
    isRejection,
    databaseBytes: 'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',
    writeAheadLog: () => readWriteAheadLog(engine),
    vectors: createVectorSearch(engine.reader),
    eventPartitions: null,
    checkFiles: (depth) => checkSqliteFile(engine.reader, depth),
    backup: async (file) => backupSqlite(engine.writer.database.location() ?? '', file),
  };
}
