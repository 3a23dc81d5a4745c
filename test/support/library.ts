// A library of one engine for the real program, with access to its store from the test.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Store } from '../../src/store/port.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import type { StoreSettings } from '../../src/store/sql/create-sql-store.ts';
import { openSqliteReader } from '../../src/store/sqlite/open-sqlite-store.ts';
import { createMigratedDatabase, TEST_SETTINGS, thisOwner } from './stores.ts';
import { temporaryDirectory } from './temporary-folder.ts';
import { run, start, type ProgramResult, type RunningProgram, type Settings } from './program.ts';

export type EngineName = 'sqlite' | 'postgres';
export const ENGINES: readonly EngineName[] = ['sqlite', 'postgres'];

export interface Library {
  readonly engine: EngineName;
  readonly settings: Settings;
  run(...args: readonly string[]): Promise<ProgramResult>;
  /** With `--json`: the result, or the error. */
  json(...args: readonly string[]): Promise<never>;
  start(...args: readonly string[]): RunningProgram;
  /** With additional settings. */
  startAs(more: Settings, ...args: readonly string[]): RunningProgram;
  /** Opened for reading, in addition to the owner of the library. */
  read<T>(query: (store: Store) => Promise<T>): Promise<T>;
  readonly sql: <Row>(text: string) => Promise<readonly Row[]>;
  readonly remove: () => Promise<void>;
}

/** Loopback is allowed and there is no delay between requests, because the site is our own. */
const LOOPBACK_SITE: Settings = {
  PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
  PINAKES_CRAWL_START_DELAY_MS: '0',
  PINAKES_LOG_LEVEL: 'warn',
  PINAKES_OWNER_MODE: 'in-process',
};

export async function createLibrary(engine: EngineName, more: Settings = {}): Promise<Library> {
  const maxAttempts = Number(more['PINAKES_CRAWL_MAX_ATTEMPTS'] ?? TEST_SETTINGS.maxAttempts);
  const as = { ...TEST_SETTINGS, maxAttempts };
  const location = engine === 'sqlite' ? openSqliteLocation(as) : await openPostgresLocation(as);
  const settings = { ...LOOPBACK_SITE, ...location.settings, ...more };
  return {
    engine,
    settings,
    run: (...args) => run(settings, args),
    async json(...args) {
      const { stdout, stderr } = await run(settings, [...args, '--json']);
      if (stdout === '') throw new Error(`no answer: ${stderr}`);
      return JSON.parse(stdout) as never;
    },
    start: (...args) => start(settings, args),
    startAs: (own, ...args) => start({ ...settings, ...own }, args),
    async read(query) {
      const store = await location.open();
      try {
        return await query(store);
      } finally {
        await store.close();
      }
    },
    sql: location.sql,
    remove: location.remove,
  };
}

interface Location {
  readonly settings: Settings;
  readonly open: () => Promise<Store>;
  readonly sql: <Row>(text: string) => Promise<readonly Row[]>;
  readonly remove: () => Promise<void>;
}

function openSqliteLocation(as: StoreSettings): Location {
  const directory = temporaryDirectory();
  return {
    settings: { PINAKES_DATA_DIR: directory },
    open: async () => openSqliteReader({ ...as, directory, owner: thisOwner }),
    async sql<Row>(text: string) {
      const database = new DatabaseSync(join(directory, 'pinakes.db'), { timeout: 5000 });
      const rows = database.prepare(text).all() as Row[];
      database.close();
      return rows;
    },
    remove: async () => rmSync(directory, { recursive: true }),
  };
}

async function openPostgresLocation(as: StoreSettings): Promise<Location> {
  const { url, drop } = await createMigratedDatabase();
  return {
    settings: { PINAKES_DATABASE_URL: url, PINAKES_DATABASE_POOL_SIZE: '4' },
    open: () => openPostgresStore({ ...as, url, poolSize: 1, onError: () => undefined }),
    async sql<Row>(text: string) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query(text);
      await client.end();
      return rows as Row[];
    },
    remove: drop,
  };
}

/** URLs of the stored pages of every source, sorted. */
export async function storedUrls(library: Library): Promise<readonly string[]> {
  return library.read(async (store) => {
    const versions = (await store.sources.list()).flatMap((source) => source.versions);
    const pages = await Promise.all(versions.map(({ id }) => store.pages.list(id, null, 100_000)));
    return pages.flatMap((list) => list.pages.map(({ url }) => url)).toSorted();
  });
}

/** What workers currently hold: claimed URLs and leased runs. */
export async function claimedRows(library: Library): Promise<{ readonly urls: number; readonly runs: number }> {
  const [urls] = await library.sql<{ n: number | string }>('select count(*) as n from frontier where state = 1');
  const [runs] = await library.sql<{ n: number | string }>('select count(*) as n from runs where worker is not null');
  return { urls: Number(urls?.n), runs: Number(runs?.n) };
}
