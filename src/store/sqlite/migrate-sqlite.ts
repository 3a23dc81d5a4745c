// Migrates a SQLite file to the newest schema, in one transaction: after a kill it has the old schema or the new one.

import { DatabaseSync } from 'node:sqlite';
import { now } from '../../platform/clock.ts';
import { createPrivately } from '../../platform/file-lock.ts';
import {
  APPLIED,
  MIGRATIONS_TABLE,
  pendingMigrations,
  readMigrations,
  RECORD,
  type AppliedMigration,
  type Migration,
} from '../sql/engine/migrations.ts';

const HAS_SCHEMA = `select 1 from sqlite_master where name = 'migrations'`;

/** Also rejects a schema that is newer than this program. A file without a schema is left by a first owner that was killed. */
export function isSchemaCurrent(file: string): boolean {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    if (database.prepare(HAS_SCHEMA).get() === undefined) return false;
    const applied = database.prepare(APPLIED).all() as unknown as AppliedMigration[];
    return pendingMigrations(applied, readMigrations('sqlite')).length === 0;
  } finally {
    database.close();
  }
}

export function migrateSqlite(file: string, ours: readonly Migration[] = readMigrations('sqlite')): void {
  createPrivately(file);
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    database.exec('pragma journal_mode = wal; begin immediate');
    database.exec(MIGRATIONS_TABLE);
    const applied = database.prepare(APPLIED).all() as unknown as AppliedMigration[];
    for (const migration of pendingMigrations(applied, ours)) {
      database.exec(migration.sql);
      database.prepare(RECORD.replaceAll('$', '?')).run(migration.number, migration.name, migration.hash, now());
    }
    database.exec('commit');
  } finally {
    database.close();
  }
}
