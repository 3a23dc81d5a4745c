// Migrates a PostgreSQL database to the newest schema. One process migrates while the others wait. Each migration has a
// separate transaction: after a kill it is applied as a whole or not at all, and a long one does not undo those before it.

import { now } from '../../platform/clock.ts';
import {
  APPLIED,
  MIGRATIONS_TABLE,
  pendingMigrations,
  readMigrations,
  RECORD,
  type AppliedMigration,
  type Migration,
} from '../sql/engine/migrations.ts';
import type { PostgresDriver, Session } from './driver.ts';

const LOCK = 7_069_697; // Arbitrary, but unique among the advisory locks of the database.

/**
 * An index of a large table takes long to build, and so does waiting for the process that builds it. The limits are set
 * here because those of the role or of the database would apply otherwise.
 */
const BEGIN = `begin; set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0`;
const HAS_TABLE = `select to_regclass('migrations') is not null as present`;

export async function migratePostgres(
  driver: PostgresDriver,
  ours: readonly Migration[] = readMigrations('postgres'),
): Promise<void> {
  const session = await driver.connect('unlimited');
  let broken = true;
  try {
    if (!(await isCurrent(session, ours))) while (await applyNext(session, ours));
    broken = false;
  } finally {
    session.release(broken);
  }
}

/** Without a lock, so that a process need not wait for another one to see that there is nothing to do. */
async function isCurrent(session: Session, ours: readonly Migration[]): Promise<boolean> {
  const [table] = await session.query<{ present: boolean }>(HAS_TABLE, []);
  if (table?.present !== true) return false;
  return pendingMigrations(await session.query<AppliedMigration>(APPLIED, []), ours).length === 0;
}

/** False if none is left. */
async function applyNext(session: Session, ours: readonly Migration[]): Promise<boolean> {
  await session.execute(BEGIN);
  await session.query(`select pg_advisory_xact_lock(${LOCK})`, []);
  await session.query(MIGRATIONS_TABLE, []);
  const [next] = pendingMigrations(await session.query<AppliedMigration>(APPLIED, []), ours);
  if (next !== undefined) {
    for (const statement of statementsOf(next.sql)) await session.query(statement, []);
    await session.query(RECORD, [next.number, next.name, next.hash, now()]);
  }
  await session.execute('commit');
  return next !== undefined;
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
