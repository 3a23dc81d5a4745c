// One SQLite file for all simulations of a process, emptied before each: to open one and prepare its statements takes a seventh of a
// simulation's time.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrateSqlite } from '../../../src/store/sqlite/migrate-sqlite.ts';
import { openSqliteEngine, type SqliteEngine } from '../../../src/store/sqlite/sqlite-engine.ts';
import { createWriteLock } from '../../../src/store/sqlite/write-lock.ts';
import { virtualEpochMs } from './virtual-time.ts';

interface ReusedDatabase {
  readonly engine: SqliteEngine;
  readonly empty: () => void;
}

/** The migrations draw them at random. */
const FIXED_IDS = `update change_log set library_id = '5ed0000000000000', history_id = '5ed0000000000001'`;

const MEMORY_FOLDER = '/dev/shm';
let folder: string | null = null;
let files = 0;
let reused: ReusedDatabase | null = null;

/** A file that does not exist yet, in memory where the system has such a folder; removed when the process ends. */
export function newDatabaseFile(): string {
  if (folder === null) {
    const created = mkdtempSync(join(existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), 'pinakes-simulation-'));
    process.on('exit', () => rmSync(created, { recursive: true, force: true }));
    folder = created;
  }
  files += 1;
  return join(folder, `${files}.db`);
}

export function removeDatabaseFile(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}

export function openSimulatedEngine(file: string): SqliteEngine {
  return openSqliteEngine(file, { now: virtualEpochMs, writeLock: createWriteLock(), servesRequests: false });
}

/** As the migrations leave it. No other simulation may be under way. */
export function takeEmptyDatabase(): SqliteEngine {
  if (reused === null) {
    const file = newDatabaseFile();
    migrateSqlite(file);
    // Foreign keys are not checked while it is emptied: to turn them off for a moment would discard all prepared statements.
    const cleaner = new DatabaseSync(file, { enableForeignKeyConstraints: false });
    cleaner.exec(FIXED_IDS);
    reused = { engine: openSimulatedEngine(file), empty: createEmptying(cleaner) };
  } else reused.empty();
  return reused.engine;
}

/** A transaction that never ends holds its lock: the next simulation gets another file. */
export function abandonDatabase(): void {
  reused = null;
}

/** Deletes all rows, then inserts those that the migrations had left. */
function createEmptying(database: DatabaseSync): () => void {
  database.function('now_ms', () => virtualEpochMs());
  const tables = database
    .prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite_stat%'`)
    .all()
    .map(({ name }) => String(name));
  const deletions = tables.map((table) => database.prepare(`delete from "${table}"`));
  const insertions = tables.flatMap((table) =>
    database
      .prepare(`select * from "${table}"`)
      .all()
      .map((row) => {
        const columns = Object.keys(row);
        const statement = database.prepare(
          `insert into "${table}" (${columns.join()}) values (${columns.map(() => '?').join()})`,
        );
        return { statement, values: Object.values(row) };
      }),
  );
  return () => {
    database.exec('begin immediate');
    for (const deletion of deletions) deletion.run();
    for (const { statement, values } of insertions) statement.run(...values);
    database.exec('commit; pragma wal_checkpoint(passive)');
  };
}
