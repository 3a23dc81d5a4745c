// Which database this process uses.

import type { Effect } from './actions/action.ts';
import type { LoadedConfig } from './platform/config/load-config.ts';
import type { Config } from './platform/config/schema.ts';
import type { Log } from './platform/log.ts';
import type { Store } from './store/port.ts';

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

export async function openStore({ config, log, command }: Surroundings, effect: Effect): Promise<Store> {
  const settings = { startDelayMs: config.crawl.startDelayMs, maxAttempts: config.crawl.maxAttempts };
  if (config.databaseUrl !== undefined) {
    const { openPostgresStore } = await import('./store/postgres/open-postgres-store.ts');
    const onError = (error: Error): void => log.warn('a database connection broke', { error });
    const { databaseUrl: url, databasePoolSize: poolSize, databaseTimeoutMs: timeoutMs } = config;
    return openPostgresStore({ ...settings, url, poolSize, timeoutMs, onError });
  }
  const { openSqliteReader, openSqliteStore } = await import('./store/sqlite/open-sqlite-store.ts');
  const owner = { pid: process.pid, command, since: new Date().toISOString() };
  const options = { ...settings, directory: config.dataDir, owner, minFreeBytes: config.minFreeBytes };
  return effect === 'read' ? openSqliteReader(options) : openSqliteStore(options);
}

export function isLocal({ config }: Surroundings): boolean {
  return config.databaseUrl === undefined;
}
