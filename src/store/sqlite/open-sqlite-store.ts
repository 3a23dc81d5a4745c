// Opens the store of a data directory: lock, schema, engine.

import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PinakesError } from '../../core/model/errors.ts';
import type { Store } from '../port.ts';
import { createSqlStore, type StoreSettings } from '../sql/create-sql-store.ts';
import { isCurrent, migrateSqlite } from './migrate-sqlite.ts';
import { lockDataDirectory, type Owner, type OwnerLock } from './owner-lock.ts';
import { createRoomCheck, withinRoom } from './disk-space-guard.ts';
import { sqliteFailure } from './sqlite-failure.ts';
import { createSteadyClock } from './monotonic-clock.ts';
import { openSqliteEngine, openSqliteReaderEngine, type DatabaseClock, type SqliteEngine } from './sqlite-engine.ts';
import { sqliteParts } from './sqlite-parts.ts';
import { createWriteTurns, type WriteTurns } from './write-lock.ts';

export interface SqliteStoreOptions extends StoreSettings {
  readonly directory: string;
  readonly owner: Owner;
  /** Bytes of its volume that no new work may use; 0 unless given. */
  readonly minFreeBytes?: number;
  readonly now?: DatabaseClock;
  /** Given where another thread of this process writes as well. */
  readonly turns?: WriteTurns;
}

export function openSqliteStore(options: SqliteStoreOptions): Store {
  const { directory, owner } = options;
  const lock = lockOwn(directory, owner);
  try {
    const file = join(directory, 'pinakes.db');
    migrateSqlite(file);
    const { now = createSteadyClock(newestTime(file)), turns } = options;
    const engine = openSqliteEngine(file, { now, turns: turns ?? createWriteTurns(), answers: turns !== undefined });
    endLeases(engine);
    const store = storeOver(engine, options);
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

/** For another thread of the process that owns the directory and has opened it; it has that thread's turns. */
export function openSqlitePartner(options: SqliteStoreOptions & { readonly turns: WriteTurns }): Store {
  const file = join(options.directory, 'pinakes.db');
  const { now = createSteadyClock(newestTime(file)), turns } = options;
  return storeOver(openSqliteEngine(file, { now, turns, answers: false }), options);
}

function storeOver(engine: SqliteEngine, options: SqliteStoreOptions): Store {
  const check = createRoomCheck(options.directory, options.minFreeBytes ?? 0);
  return withinRoom(createSqlStore(engine, sqliteParts(engine), options), check);
}

/** A time that was written is past, whatever the system's clock says now. */
function newestTime(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    const rows = database.prepare(
      `select at from (select at from events order by seq desc limit 1) union all select max(created_at) from runs`,
    );
    return Math.max(0, ...(rows.all() as Array<{ at: number | null }>).map(({ at }) => at ?? 0));
  } finally {
    database.close();
  }
}

/**
 * The lock is ours, so whoever held a lease here is dead, and what it was filling will not be finished. Where there is no
 * room to write it, leases end by themselves.
 */
function endLeases({ writer: { database } }: SqliteEngine): void {
  try {
    database.exec(`update frontier set wake_at = now_ms() where wake_at > now_ms() and state = 1;
      update embeddings set wake_at = now_ms() where wake_at > now_ms() and state = 1;
      update runs set lease_until = now_ms() where lease_until > now_ms();
      update search_segments set state = 3 where state = 4`);
  } catch (error) {
    const failure = sqliteFailure(error);
    if (!(failure instanceof PinakesError) || failure.code !== 'database.full') throw failure;
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
  const { directory } = options;
  const file = join(directory, 'pinakes.db');
  if (!existsSync(file) || !isCurrent(file)) void openSqliteStore(options).close();
  const engine = openSqliteReaderEngine(file, options.now ?? createSteadyClock(newestTime(file)));
  return createSqlStore(engine, sqliteParts(engine), options);
}
