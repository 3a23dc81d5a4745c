// Opens the database that this process uses.

import { leavesLibrary, type Effect } from '../actions/action.ts';
import type { LocalVolume } from '../library/library-state.ts';
import type { Config } from '../platform/config/schema.ts';
import type { Store } from '../store/port.ts';
import type { StoreSettings } from '../store/sql/create-sql-store.ts';
import type { SqliteStoreOptions } from '../store/sqlite/open-sqlite-store.ts';
import { createWriteLock, type WriteLock } from '../store/sqlite/write-lock.ts';
import type { AppContext } from './app-context.ts';

/** Dependencies of opening a database. */
type StoreContext = Pick<AppContext, 'config' | 'log' | 'command'>;

/** With a write lock if another thread of this process writes too. `connections` limits those to PostgreSQL. */
export async function openStore(
  context: StoreContext,
  effect: Effect,
  {
    writeLock,
    connections = context.config.database.poolSize - 1,
  }: { writeLock?: WriteLock; connections?: number } = {},
): Promise<Store> {
  if (!usesSqlite(context)) return openPostgres(context, connections);
  const { openSqliteReader, openSqliteStore } = await import('../store/sqlite/open-sqlite-store.ts');
  const options = sqliteOptions(context);
  return leavesLibrary(effect)
    ? openSqliteReader(options)
    : openSqliteStore({ ...options, ...(writeLock && { writeLock }) });
}

/** For another thread of a process that opened its store with a write lock. */
export async function openSecondWriterStore(
  context: StoreContext,
  lockMemory: SharedArrayBuffer,
  connections: number,
): Promise<Store> {
  if (!usesSqlite(context)) return openPostgres(context, connections);
  const { openSqliteSecondWriter } = await import('../store/sqlite/open-sqlite-store.ts');
  return openSqliteSecondWriter({ ...sqliteOptions(context), writeLock: createWriteLock(lockMemory) });
}

/** Connections of each thread of a process that crawls. */
export interface ConnectionShares {
  readonly main: number;
  readonly query: number;
  /** 0 if there are too few for it: the query thread does its work then. */
  readonly scan: number;
  readonly crawl: number;
}

/**
 * Divides `database.poolSize` among the threads: one connection listens for wake-ups, and most are for the crawl thread. A
 * process without interfaces answers no queries.
 */
export function connectionShares(poolSize: number, hasInterfaces: boolean): ConnectionShares {
  const free = poolSize - 1;
  if (!hasInterfaces) return { main: 1, query: 0, scan: 0, crawl: free - 1 };
  const quarter = Math.max(1, Math.floor(free / 4));
  const rest = free - 2 * quarter;
  const scan = rest > 1 ? 1 : 0;
  return { main: quarter, query: quarter, scan, crawl: rest - scan };
}

async function openPostgres({ config, log }: StoreContext, poolSize: number): Promise<Store> {
  const { openPostgresStore } = await import('../store/postgres/open-postgres-store.ts');
  const onError = (error: Error): void => log.warn('a database connection was lost', { error });
  const { url = '', directUrl, timeoutMs, preparedStatements } = config.database;
  const { files } = config;
  const connection = { url, directUrl, poolSize, timeoutMs, preparedStatements, onError };
  return openPostgresStore({ ...storeSettings(config), machine: files.machine, ...connection });
}

function sqliteOptions({ config, command }: StoreContext): SqliteStoreOptions {
  const owner = { pid: process.pid, command, since: new Date().toISOString() };
  return { ...storeSettings(config), directory: config.dataDir, owner, minFreeBytes: config.minFreeBytes };
}

function storeSettings({ crawl: { startDelayMs, maxAttempts, queueEventMaxUrls } }: Config): StoreSettings {
  return { startDelayMs, maxAttempts, queueEventMaxUrls };
}

/** Null if the database is on a server. */
export function localVolume({ config }: Pick<AppContext, 'config'>): LocalVolume | null {
  return usesSqlite({ config }) ? { directory: config.dataDir, minFreeBytes: config.minFreeBytes } : null;
}

export function usesSqlite({ config }: Pick<AppContext, 'config'>): boolean {
  return config.database.url === undefined;
}
