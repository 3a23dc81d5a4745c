// Puts a backup in the place of a library. The library that was there is kept beside it.

import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PinakesError, pinakesError } from '../../core/model/errors.ts';
import { isCurrent, migrateSqlite } from './migrate-sqlite.ts';
import { lockDataDirectory, type Owner } from './owner-lock.ts';

/** Returns where the old library went; null where there was none. Raises `backup.unusable` or `database.owned`. */
export function restoreSqlite(directory: string, file: string, owner: Owner): string | null {
  checkBackup(file);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = lockDataDirectory(directory, owner);
  try {
    const database = join(directory, 'pinakes.db');
    // Beside its place first: a kill leaves the old library or the new one.
    const coming = `${database}.coming`;
    copyFileSync(file, coming);
    migrateSqlite(coming);
    settleLog(coming);
    const before = existsSync(database) ? `${database}.before-${owner.since.replaceAll(/[:.]/g, '-')}` : null;
    if (before !== null) {
      settleLog(database);
      copyFileSync(database, before);
    }
    renameSync(coming, database);
    return before;
  } finally {
    lock.release();
  }
}

function checkBackup(file: string): void {
  const unusable = (why: string, cause?: unknown): Error => pinakesError('backup.unusable', { file, why }, cause);
  if (!existsSync(file)) throw unusable('there is no such file');
  try {
    isCurrent(file);
    const database = new DatabaseSync(file, { readOnly: true });
    const rows = database.prepare('pragma quick_check(1)').all() as Array<{ quick_check: string }>;
    const tables = database.prepare("select 1 from sqlite_master where name = 'migrations'").get();
    database.close();
    if (tables === undefined) throw unusable('it is not a library');
    if (rows[0]?.quick_check !== 'ok') throw unusable('it is damaged');
  } catch (error) {
    throw error instanceof PinakesError ? error : unusable('it is not a library', error);
  }
}

/** Everything into the file itself, so that no log of another database lies beside it. */
function settleLog(file: string): void {
  const database = new DatabaseSync(file, { timeout: 5000 });
  database.exec('pragma wal_checkpoint(truncate); pragma journal_mode = delete');
  database.close();
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
}
