// Backs up a SQLite library to a file, and restores one from it.

import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PinakesError, pinakesError } from '../../core/model/errors.ts';
import { isCurrent, migrateSqlite } from './migrate-sqlite.ts';
import { lockDataDirectory, type Owner } from './owner-lock.ts';

/** Writes one snapshot, while others write to the database and without blocking them. Raises `export.refused` for a file that exists. */
export function backupSqlite(database: string, file: string): void {
  if (existsSync(file)) throw pinakesError('export.refused', { path: file, why: 'the file already exists' });
  const temporary = `${file}.part`;
  rmSync(temporary, { force: true });
  const connection = new DatabaseSync(database, { readOnly: true, timeout: 5000 });
  try {
    connection.prepare('vacuum into ?').run(temporary);
    chmodSync(temporary, 0o600);
    renameSync(temporary, file);
  } finally {
    connection.close();
    rmSync(temporary, { force: true });
  }
}

/** Replaces the library, and keeps the old one next to it. Returns where; null if there was none. Raises `backup.unusable` or `database.owned`. */
export function restoreSqlite(directory: string, file: string, owner: Owner): string | null {
  checkBackup(file);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = lockDataDirectory(directory, owner);
  try {
    const database = join(directory, 'pinakes.db');
    // Copied next to the database first: after a kill there is the old library or the new one.
    const incoming = `${database}.incoming`;
    copyFileSync(file, incoming);
    migrateSqlite(incoming);
    checkpointLog(incoming);
    const before = existsSync(database) ? `${database}.before-${owner.since.replaceAll(/[:.]/g, '-')}` : null;
    if (before !== null) {
      checkpointLog(database);
      copyFileSync(database, before);
    }
    renameSync(incoming, database);
    return before;
  } finally {
    lock.release();
  }
}

function checkBackup(file: string): void {
  const unusable = (why: string, cause?: unknown): Error => pinakesError('backup.unusable', { file, why }, cause);
  if (!existsSync(file)) throw unusable('the file does not exist');
  try {
    isCurrent(file);
    const database = new DatabaseSync(file, { readOnly: true });
    const rows = database.prepare('pragma quick_check(1)').all() as Array<{ quick_check: string }>;
    const tables = database.prepare("select 1 from sqlite_master where name = 'migrations'").get();
    database.close();
    if (tables === undefined) throw unusable('it is not a Pinakes library');
    if (rows[0]?.quick_check !== 'ok') throw unusable('it is damaged');
  } catch (error) {
    throw error instanceof PinakesError ? error : unusable('it is not a Pinakes library', error);
  }
}

/** Moves the write-ahead log into the file, so that no log of another database is left next to it. */
function checkpointLog(file: string): void {
  const database = new DatabaseSync(file, { timeout: 5000 });
  database.exec('pragma wal_checkpoint(truncate); pragma journal_mode = delete');
  database.close();
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
}
