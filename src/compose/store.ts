// Which database this process uses.

import type { Effect } from '../actions/action.ts';
import type { LoadedConfig } from '../platform/config/load-config.ts';
import type { Config } from '../platform/config/schema.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from '../store/port.ts';
import type { StoreSettings } from '../store/sql/create-sql-store.ts';
import type { SqliteStoreOptions } from '../store/sqlite/open-sqlite-store.ts';
import { createWriteTurns, type WriteTurns } from '../store/sqlite/write-lock.ts';

export interface Surroundings {
  readonly config: Config;
  /** Where each setting comes from. */
  readonly origins: LoadedConfig['origins'];
  readonly log: Log;
  readonly command: string;
  /** Of the program. */
  readonly version: string;
  readonly signal: AbortSignal;
}

/** What a database is opened with. */
type OpenedWith = Pick<Surroundings, 'config' | 'log' | 'command'>;

/** With turns where another thread of this process is to write as well. */
export async function openStore(around: OpenedWith, effect: Effect, turns?: WriteTurns): Promise<Store> {
  if (!isLocal(around)) return openPostgres(around);
  const { openSqliteReader, openSqliteStore } = await import('../store/sqlite/open-sqlite-store.ts');
  const options = sqliteOptions(around);
  return effect === 'read' ? openSqliteReader(options) : openSqliteStore({ ...options, ...(turns && { turns }) });
}

/** For another thread of a process that has opened its store with turns. */
export async function openPartnerStore(around: OpenedWith, turns: SharedArrayBuffer): Promise<Store> {
  if (!isLocal(around)) return openPostgres(around);
  const { openSqlitePartner } = await import('../store/sqlite/open-sqlite-store.ts');
  return openSqlitePartner({ ...sqliteOptions(around), turns: createWriteTurns(turns) });
}

async function openPostgres({ config, log }: OpenedWith): Promise<Store> {
  const { openPostgresStore } = await import('../store/postgres/open-postgres-store.ts');
  const onError = (error: Error): void => log.warn('a database connection broke', { error });
  const { databaseUrl: url = '', databasePoolSize: poolSize, databaseTimeoutMs: timeoutMs } = config;
  return openPostgresStore({ ...settingsOf(config), url, poolSize, timeoutMs, onError });
}

function sqliteOptions({ config, command }: OpenedWith): SqliteStoreOptions {
  const owner = { pid: process.pid, command, since: new Date().toISOString() };
  return { ...settingsOf(config), directory: config.dataDir, owner, minFreeBytes: config.minFreeBytes };
}

function settingsOf({ crawl: { startDelayMs, maxAttempts } }: Config): StoreSettings {
  return { startDelayMs, maxAttempts };
}

export function isLocal({ config }: Pick<Surroundings, 'config'>): boolean {
  return config.databaseUrl === undefined;
}
