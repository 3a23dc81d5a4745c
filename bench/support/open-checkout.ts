// Opens a new store with the code of a checkout, so that two of them can be compared.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type * as postgresModule from '../../src/store/postgres/open-postgres-store.ts';
import type * as sqliteModule from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/store/port.ts';
import { createDatabase, TEST_SETTINGS, thisOwner } from '../../test/support/stores.ts';
import { temporaryDirectory } from '../../test/support/temporary-folder.ts';
import { processesCpuMs } from './backend-cpu.ts';
import { cpuMs } from './processor-time.ts';

export interface Opened {
  readonly store: Store;
  /** CPU time of this process and, on PostgreSQL, of its connection. */
  readonly cpu: () => number;
  readonly close: () => Promise<void>;
}

export async function openSqlite(checkout: string): Promise<Opened> {
  const path = join(checkout, 'src/store/sqlite/open-sqlite-store.ts');
  const { openSqliteStore } = (await import(path)) as typeof sqliteModule;
  const directory = temporaryDirectory();
  const store = openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner });
  const close = async (): Promise<void> => {
    await store.close();
    rmSync(directory, { recursive: true });
  };
  return { store, cpu: cpuMs, close };
}

export async function openPostgres(checkout: string): Promise<Opened> {
  const path = join(checkout, 'src/store/postgres/open-postgres-store.ts');
  const { openPostgresStore } = (await import(path)) as typeof postgresModule;
  const { url, drop } = await createDatabase();
  const store = await openPostgresStore({ ...TEST_SETTINGS, url, poolSize: 1, onError: () => undefined });
  await store.sources.list();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await client.end();
  const pids = rows.map(({ pid }) => pid);
  const close = async (): Promise<void> => {
    await store.close();
    await drop();
  };
  return { store, cpu: () => [...processesCpuMs(pids).values()].reduce((sum, ms) => sum + ms, cpuMs()), close };
}
