// Query plans of the statements that a store executes, on both engines.

import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../src/store/port.ts';
import type { Parameter, PostgresDriver } from '../../src/store/postgres/driver.ts';
import { openStoreOver } from '../../src/store/postgres/open-postgres-store.ts';
import { createPgDriver } from '../../src/store/postgres/pg-driver.ts';
import { createSqlStore } from '../../src/store/sql/create-sql-store.ts';
import { migrateSqlite } from '../../src/store/sqlite/migrate-sqlite.ts';
import { sqliteParts } from '../../src/store/sqlite/open-sqlite-store.ts';
import { openSqliteEngine } from '../../src/store/sqlite/sqlite-engine.ts';
import { createWriteLock } from '../../src/store/sqlite/write-lock.ts';
import { createDatabase, execute, TEST_SETTINGS } from './stores.ts';
import { temporaryDirectory } from './temporary-folder.ts';

export interface PlannedStore {
  readonly store: Store;
  /** The tables that the statements of `work` read without an index condition, each with its statement. */
  readonly scansOf: (work: (store: Store) => Promise<unknown>) => Promise<readonly string[]>;
  /** Runs SQL outside the store. */
  readonly sql: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Every table that grows with the library. */
const GROWING = [
  'pages',
  'chunks',
  'documents',
  'bodies',
  'events',
  'vectors',
  'embeddings',
  'frontier',
  'search_pages',
  'search_postings',
];

export async function openPlannedSqlite(): Promise<PlannedStore> {
  const directory = temporaryDirectory();
  const file = join(directory, 'pinakes.db');
  migrateSqlite(file);
  const open = (): Store => {
    const engine = openSqliteEngine(file, { now: Date.now, writeLock: createWriteLock(), servesRequests: false });
    return createSqlStore(engine, sqliteParts(engine), TEST_SETTINGS);
  };
  const store = open();
  const connect = (): DatabaseSync => {
    const database = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: false });
    database.function('now_ms', () => Date.now());
    return database;
  };
  return {
    store,
    async scansOf(work) {
      const prepared = recordPrepared();
      // Its connections have prepared nothing yet.
      const other = open();
      try {
        await work(other);
      } finally {
        prepared.stop();
        await other.close();
      }
      const database = connect();
      const scans = [...prepared.statements].flatMap((sql) => {
        const steps = database.prepare(`explain query plan ${sql}`).all() as Array<{ detail: string }>;
        return steps.filter(({ detail }) => isScan(detail, sql)).map(({ detail }) => `${detail}: ${sql}`);
      });
      database.close();
      return scans;
    },
    async sql(text) {
      const database = connect();
      database.exec(text);
      database.close();
    },
    async close() {
      await store.close();
      rmSync(directory, { recursive: true });
    },
  };
}

/** Aliases of tables are short names, so they are looked up in the statement. */
function isScan(detail: string, sql: string): boolean {
  const name = /^SCAN (\w+)/.exec(detail)?.[1];
  if (name === undefined) return false;
  const table = new RegExp(`(\\w+) (?:as )?${name}\\b`).exec(sql)?.[1];
  return GROWING.includes(name) || (table !== undefined && GROWING.includes(table));
}

function recordPrepared(): { readonly statements: ReadonlySet<string>; stop(): void } {
  const prototype: { prepare: DatabaseSync['prepare'] } = DatabaseSync.prototype;
  const { prepare } = prototype;
  const statements = new Set<string>();
  prototype.prepare = function recorded(this: DatabaseSync, sql: string) {
    statements.add(sql);
    return prepare.call(this, sql);
  };
  return { statements, stop: () => void (prototype.prepare = prepare) };
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

export async function openPlannedPostgres(): Promise<PlannedStore> {
  const { url, drop } = await createDatabase();
  const driver = createPgDriver({ url, poolSize: 4, onError: () => undefined });
  const statements = new Map<string, readonly Parameter[]>();
  const recording: PostgresDriver = {
    ...driver,
    async connect() {
      const session = await driver.connect();
      return {
        ...session,
        query<Row>(sql: string, values: readonly Parameter[]) {
          statements.set(sql, values);
          return session.query<Row>(sql, values);
        },
      };
    },
  };
  const store = await openStoreOver(recording, TEST_SETTINGS);
  return {
    store,
    async scansOf(work) {
      statements.clear();
      await work(store);
      const executed = [...statements];
      const session = await driver.connect();
      // The tables are small here: where there is an index for a condition it is used all the same.
      await session.query('set enable_seqscan = off', []);
      const scans: string[] = [];
      for (const [sql, values] of executed) {
        const [row] = await session.query<{ 'QUERY PLAN': ReadonlyArray<{ Plan: PlanNode }> }>(
          `explain (format json) ${sql}`,
          values,
        );
        for (const node of scanNodes(row!['QUERY PLAN'][0]!.Plan)) scans.push(`${node}: ${sql}`);
      }
      session.release(true);
      return [...new Set(scans)];
    },
    // Not by the driver, which limits the time of a statement.
    sql: (text) => execute(url, `set session_replication_role = replica; ${text}`),
    async close() {
      await store.close();
      await drop();
    },
  };
}

function scanNodes(node: PlanNode): string[] {
  // Each partition of a table is named for the first number of its range.
  const table = (node['Relation Name'] ?? '').replace(/_\d+$/, '');
  const isScanned =
    node['Node Type'] === 'Seq Scan' ||
    (/^Index (?:Only )?Scan/.test(node['Node Type']) && node['Index Cond'] === undefined);
  const own = isScanned && GROWING.includes(table) ? [`${node['Node Type']} of ${table}`] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scanNodes)];
}
