// Migrates a PostgreSQL database to the newest schema. One process migrates while the others wait; in one transaction, so after a
// kill it has the old schema or the new one.

import {
  APPLIED,
  MIGRATIONS_TABLE,
  pendingMigrations,
  readMigrations,
  RECORD,
  type AppliedMigration,
  type Migration,
} from '../sql/engine/migrations.ts';
import type { PostgresDriver } from './driver.ts';

const LOCK = 7_069_697; // Arbitrary, but unique among the advisory locks of the database.

export async function migratePostgres(
  driver: PostgresDriver,
  ours: readonly Migration[] = readMigrations('postgres'),
): Promise<void> {
  const session = await driver.connect();
  let broken = true;
  try {
    await session.query('begin', []);
    await session.query(`select pg_advisory_xact_lock(${LOCK})`, []);
    await session.query(MIGRATIONS_TABLE, []);
    const applied = await session.query<AppliedMigration>(APPLIED, []);
    for (const migration of pendingMigrations(applied, ours)) {
      for (const statement of statementsOf(migration.sql)) await session.query(statement, []);
      await session.query(RECORD, [migration.number, migration.name, migration.hash, Date.now()]);
    }
    await session.query('commit', []);
    broken = false;
  } finally {
    session.release(broken);
  }
}

/** Our files end each statement with a semicolon at the end of a line and quote function bodies with $$. */
function statementsOf(sql: string): string[] {
  const statements: string[] = [];
  let current = '';
  for (const line of sql.split('\n')) {
    if (line.startsWith('--') && current === '') continue;
    current += `${line}\n`;
    const bodies = current.split('$$').length - 1;
    if (line.trimEnd().endsWith(';') && bodies % 2 === 0) {
      statements.push(current);
      current = '';
    }
  }
  if (current.trim() !== '') statements.push(current);
  return statements;
}
