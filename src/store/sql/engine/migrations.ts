// Migrations are files, applied in the order of their names, forward only. A database with newer migrations than this program
// is rejected, and so is one whose applied migrations differ from ours.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pinakesError } from '../../../core/model/errors.ts';
import { sha256Hex } from '../../../core/model/hash.ts';
import { requiredPackagePath } from '../../../platform/package-path.ts';
import type { Executor } from './engine.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly hash: string;
}

export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly hash: string;
}

export const MIGRATIONS_TABLE = `create table if not exists migrations (number integer primary key, name text not null, hash text not null, applied_at bigint not null)`;
export const APPLIED = `select number, name, hash from migrations order by number`;
export const RECORD = `insert into migrations (number, name, hash, applied_at) values ($1, $2, $3, $4)`;

export function readMigrations(engine: 'sqlite' | 'postgres'): readonly Migration[] {
  const folder = requiredPackagePath(`migrations/${engine}`);
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.sort().map((file) => {
    const sql = readFileSync(join(folder, file), 'utf8');
    return { number: Number.parseInt(file, 10), name: file, sql, hash: sha256Hex(sql) };
  });
}

/** Raises `database.newer` if another process has applied migrations that this program does not have. */
export function createSchemaCheck(ours: readonly Migration[]): (tx: Executor) => Promise<void> {
  const known = ours.at(-1)?.number ?? 0;
  return async (tx) => {
    const [row] = await tx.all<{ number: number | null }>(`select max(number) as number from migrations`);
    const found = row?.number ?? 0;
    if (found > known) throw pinakesError('database.newer', { found, known });
  };
}

/** The migrations that are still to be applied, by number: one may arrive after another with a higher number. */
export function pendingMigrations(
  applied: readonly AppliedMigration[],
  ours: readonly Migration[],
): readonly Migration[] {
  const newest = applied.at(-1);
  if (newest !== undefined && newest.number > (ours.at(-1)?.number ?? 0)) {
    throw pinakesError('database.newer', { found: newest.number, known: ours.at(-1)?.number ?? 0 });
  }
  for (const { number, name, hash } of applied) {
    const own = ours.find((migration) => migration.number === number);
    if (own?.hash !== hash)
      throw pinakesError('database.unsupported', {
        what: 'The schema of this database',
        reason: `migration ${name} differs from the one in this version of Pinakes`,
        advice: 'Use the version of Pinakes that created this database, or start with an empty one',
      });
  }
  const numbers = new Set(applied.map(({ number }) => number));
  return ours.filter(({ number }) => !numbers.has(number));
}
