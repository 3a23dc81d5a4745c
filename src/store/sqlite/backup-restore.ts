// Keeps a SQLite library safe: checks its file, backs it up while it is in use, and restores a backup.

import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PinakesError, pinakesError } from '../../core/model/errors.ts';
import { uuid } from '../../platform/clock.ts';
import { systemReason } from '../../platform/data-directory.ts';
import type { FileCheck } from '../sql/engine/engine-parts.ts';
import type { Executor } from '../sql/engine/engine.ts';
import { createHistoryId } from '../sql/runs/history.ts';
import { DISABLE_WEBHOOKS } from '../sql/webhooks/webhooks.ts';
import { copyLibrary } from './copy-library.ts';
import { isSchemaCurrent, migrateSqlite } from './migrate-sqlite.ts';
import { lockDataDirectory, type Owner } from './owner-lock.ts';
import { sqliteFailure } from './sqlite-failure.ts';

/**
 * Writes one snapshot, while others write to the database and without blocking them. Raises `export.refused` for a file that exists or cannot
 * be written, and `database.corrupt`.
 */
export function backupSqlite(database: string, file: string): void {
  if (existsSync(file)) throw pinakesError('export.refused', { path: file, reason: 'the file already exists' });
  // A name that no other process can take first.
  const temporary = `${file}.${uuid()}.part`;
  const connection = new DatabaseSync(database, { readOnly: true, timeout: 5000 });
  try {
    createEmptyFile(temporary);
    connection.prepare('vacuum into ?').run(temporary);
    flush(temporary);
    renameSync(temporary, file);
    flushFolder(dirname(file));
  } catch (error) {
    throw targetFailure(error, file);
  } finally {
    connection.close();
    rmSync(temporary, { force: true });
  }
}

/** Before any reading, so that an error can only be about the target. SQLite writes into a file that is empty, and keeps its mode. */
function createEmptyFile(file: string): void {
  writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
}

/** SQLITE_FULL. The source is only read. */
const FULL = 13;

function targetFailure(error: unknown, path: string): unknown {
  const { errcode, syscall } = error as { errcode?: number; syscall?: string };
  if (errcode === FULL) return pinakesError('export.refused', { path, reason: 'its disk is full' }, error);
  if (syscall !== undefined) return pinakesError('export.refused', { path, reason: systemReason(error) }, error);
  return sqliteFailure(error);
}

export interface Restored {
  /** Where the former library is; null if there was none. */
  readonly previous: string | null;
  /** Names of access tokens in the backup that are not valid in the restored library. */
  readonly droppedTokens: readonly string[];
  /** Names of the webhooks of the backup. */
  readonly disabledWebhooks: readonly string[];
}

/**
 * Replaces the library, and keeps the old one next to it. Access tokens stay those of the present library: a backup must neither
 * bring a revoked token back nor add one. Its webhooks send nothing until they are tested: one of them may have been removed since. A new
 * history begins. Raises `backup.invalid` or `database.owned`.
 */
export function restoreSqlite(directory: string, file: string, owner: Owner): Restored {
  checkBackup(file);
  const lock = lockDataDirectory(directory, owner);
  try {
    const database = join(directory, 'pinakes.db');
    // Copied next to the database first: after a kill or a power failure there is the old library or the new one.
    const incoming = join(directory, INCOMING);
    const foreign = copyLibrary(file, incoming);
    if (foreign !== null) throw invalidBackup(file, `its table ${foreign} is not that of Pinakes`);
    migrateSqlite(incoming);
    const droppedTokens = keepTokens(incoming, existsSync(database) ? database : null);
    const disabledWebhooks = beginHistory(incoming);
    checkpointLog(incoming);
    flush(incoming);
    const before = existsSync(database) ? `${database}.before-${owner.since.replaceAll(/[:.]/g, '-')}` : null;
    if (before !== null) keepPrevious(database, before);
    // The copies are on the disk before the old library is replaced.
    flushFolder(directory);
    renameSync(incoming, database);
    flushFolder(directory);
    return { previous: before, droppedTokens, disabledWebhooks };
  } catch (error) {
    throw sqliteFailure(error);
  } finally {
    rmSync(join(directory, INCOMING), { force: true });
    lock.release();
  }
}

const INCOMING = 'pinakes.db.incoming';

/** All columns: a token keeps its rights. */
const TOKEN_COLUMNS = [
  'name',
  'role',
  'hash',
  'sources',
  'requests_per_minute',
  'previous_hash',
  'previous_until',
  'created_at',
  'expires_at',
  'last_used_at',
] as const;

type TokenRow = Readonly<Record<(typeof TOKEN_COLUMNS)[number], string | number | null>>;

/** Returns the names of the tokens that the present library does not have. */
function keepTokens(incoming: string, present: string | null): readonly string[] {
  const retained = present === null ? [] : readPresentTokens(present);
  const dropped = readTokens(incoming).filter(({ hash }) => !retained.some((token) => token.hash === hash));
  const database = new DatabaseSync(incoming, { timeout: 5000 });
  try {
    // Who signed in before the backup signs in again.
    database.exec('begin immediate; delete from tokens; delete from dashboard_sessions');
    const insert = database.prepare(
      `insert into tokens (${TOKEN_COLUMNS.join(', ')}) values (${TOKEN_COLUMNS.map(() => '?').join(', ')})`,
    );
    for (const token of retained) insert.run(...TOKEN_COLUMNS.map((column) => token[column]));
    database.exec('commit');
  } finally {
    database.close();
  }
  return dropped.map(({ name }) => String(name));
}

/** The names of the webhooks, which are disabled now. */
function beginHistory(incoming: string): readonly string[] {
  const database = new DatabaseSync(incoming, { timeout: 5000 });
  try {
    database.prepare('update change_log set history_id = ?').run(createHistoryId());
    database.exec(DISABLE_WEBHOOKS);
    const webhooks = database.prepare('select name from webhooks order by name').all() as Array<{ name: string }>;
    return webhooks.map(({ name }) => name);
  } finally {
    database.close();
  }
}

/** None from a damaged library: a restore is how it is repaired. */
function readPresentTokens(file: string): TokenRow[] {
  try {
    return readTokens(file);
  } catch {
    return [];
  }
}

/** None from a file without the table: a first owner that was killed leaves one. */
function readTokens(file: string): TokenRow[] {
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    const table = database.prepare("select 1 from sqlite_master where name = 'tokens'").get();
    if (table === undefined) return [];
    return database.prepare(`select ${TOKEN_COLUMNS.join(', ')} from tokens`).all() as unknown as TokenRow[];
  } finally {
    database.close();
  }
}

/** A damaged library, which is why one restores, is kept with its log as it is. */
function keepPrevious(database: string, before: string): void {
  try {
    checkpointLog(database);
  } catch {
    for (const end of LOG_ENDINGS) if (existsSync(database + end)) renameSync(database + end, before + end);
  }
  copyFileSync(database, before);
  flush(before);
}

function flush(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A name is on the disk once its folder is flushed. Windows cannot open a folder, and writes names on its own. */
function flushFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** SQLITE_CORRUPT */
const CORRUPT = 11;

function invalidBackup(file: string, reason: string, cause?: unknown): PinakesError {
  return pinakesError('backup.invalid', { file, reason }, cause);
}

function checkBackup(file: string): void {
  const unusable = (why: string, cause?: unknown): Error => invalidBackup(file, why, cause);
  if (!existsSync(file)) throw unusable('the file does not exist');
  try {
    isSchemaCurrent(file);
    const database = new DatabaseSync(file, { readOnly: true });
    database.exec('pragma trusted_schema = off');
    const tables = database.prepare("select 1 from sqlite_master where name = 'migrations'").get();
    const rows = database.prepare('pragma quick_check(1)').all() as Array<{ quick_check: string }>;
    database.close();
    if (tables === undefined) throw unusable('it is not a Pinakes library');
    if (rows[0]?.quick_check !== 'ok') throw unusable('it is damaged');
  } catch (error) {
    if (error instanceof PinakesError) throw error;
    const isDamaged = (error as { errcode?: number }).errcode === CORRUPT;
    throw unusable(isDamaged ? 'it is damaged' : 'it is not a Pinakes library', error);
  }
}

/** Moves the write-ahead log into the file, so that no log of another database is left next to it. */
function checkpointLog(file: string): void {
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    database.exec('pragma wal_checkpoint(truncate); pragma journal_mode = delete');
  } finally {
    database.close();
  }
  for (const end of LOG_ENDINGS) rmSync(file + end, { force: true });
}

const LOG_ENDINGS = ['-wal', '-shm'];

const MAX_ROWS = 20;
/** The quick check reads the whole file. */
const MAX_QUICK_BYTES = 2 ** 31;

const selectBytes = 'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()';
const QUICK = 'pragma quick_check(1)';
const INTEGRITY = `pragma integrity_check(${MAX_ROWS})`;
const selectForeignKeys = `select 'row ' || coalesce(rowid, '') || ' of ' || "table" || ' refers to a missing row of ' || parent as line
  from pragma_foreign_key_check() limit ${MAX_ROWS}`;

export async function checkSqliteFile(reader: Executor, depth: 'quick' | 'full'): Promise<FileCheck> {
  try {
    if (depth === 'full') return { damage: await readDamage(reader, [INTEGRITY, selectForeignKeys]), skipped: [] };
    const [size] = await reader.all<{ bytes: number }>(selectBytes);
    if ((size?.bytes ?? 0) > MAX_QUICK_BYTES)
      return { damage: [], skipped: ['the database file, which is large: pinakes verify checks it'] };
    return { damage: await readDamage(reader, [QUICK]), skipped: [] };
  } catch (error) {
    if (!(error instanceof PinakesError) || error.code !== 'database.corrupt') throw error;
    return { damage: [String(error.details['reason'])], skipped: [] };
  }
}

async function readDamage(reader: Executor, checks: readonly string[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const check of checks)
    // One column, named for the check.
    for (const row of await reader.all<Readonly<Record<string, string>>>(check))
      lines.push(...Object.values(row).flatMap((text) => text.split('\n')));
  // The first line of a report names the database; `ok` is the whole report of an intact one.
  return lines.filter((line) => line !== 'ok' && !line.startsWith('*** in database'));
}
