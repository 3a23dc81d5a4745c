// The engine over SQLite: one connection that writes, one that reads what is committed.

import { hash } from 'node:crypto';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { PinakesError, pinakesError } from '../../core/model/errors.ts';
import { createLruCache } from '../../core/lru-cache.ts';
import { yieldToEventLoop } from '../../platform/clock.ts';
import {
  withJoinSteps,
  type Batch,
  type Engine,
  type Executor,
  type Flush,
  type KeyedBatch,
  type Value,
} from '../sql/engine/engine.ts';
import { sqliteFailure } from './sqlite-failure.ts';
import type { WriteLock } from './write-lock.ts';

/** Milliseconds since the Unix epoch. Injected, so that tests can move the clock of one database. */
export type DatabaseClock = () => number;

/** Statements are few and fixed; the limit only guards against a caller that builds them dynamically. */
const MAX_PREPARED = 500;

export interface SqliteEngine extends Engine {
  readonly now: DatabaseClock;
  /** For claims, whose statements are specific to SQLite. Only within a transaction. */
  readonly writer: Connection;
}

export interface Connection extends Executor {
  readonly database: DatabaseSync;
  prepare(sql: string): StatementSync;
}

/**
 * The keys of the frontier are hashes, so its writes are scattered: in a long write-ahead log many writes of one database page
 * become one at the checkpoint, which copies the whole log into the file and takes long. Where two threads write, the background
 * thread has the lower limit and does the checkpoints; the one that serves requests only after very many writes.
 */
const CHECKPOINT_PAGES = { background: 16_000, servesRequests: 64_000 };

export interface SqliteEngineOptions {
  readonly now: DatabaseClock;
  /** Shared by the threads that write. */
  readonly writeLock: WriteLock;
  /** Whether this thread serves requests, and leaves checkpoints to another one. */
  readonly servesRequests: boolean;
}

export function openSqliteEngine(file: string, { now, writeLock, servesRequests }: SqliteEngineOptions): SqliteEngine {
  const writer = connect(file, now, false);
  writer.database.exec(
    `pragma wal_autocheckpoint = ${servesRequests ? CHECKPOINT_PAGES.servesRequests : CHECKPOINT_PAGES.background}`,
  );
  const reader = connect(file, now, true);
  const serialize = createSerialQueue();
  const failStop = createFailStop(writeLock);
  return {
    now,
    reader,
    writer,
    transaction: (work, flush = 'now') =>
      serialize(async () => {
        // Writes are synchronous, so many of them in a row would leave no tick for incoming requests.
        if (servesRequests) await yieldToEventLoop();
        return writeLock.withLock(() => failStop(() => inTransaction(writer, work, flush)));
      }),
    async close() {
      await serialize(async () => {
        reader.database.close();
        try {
          // Leaves no write-ahead log behind after a clean shutdown, and refreshes the planner's statistics.
          await failStop(async () => writer.database.exec('pragma optimize; pragma wal_checkpoint(truncate)'));
        } catch {
          // On a full or broken disk the log stays and is read when the file is opened next.
        }
        writer.database.close();
      });
    },
  };
}

/** Reads what others commit and writes nothing. */
export function openSqliteReaderEngine(file: string, now: DatabaseClock): SqliteEngine {
  const reader = connect(file, now, true);
  return {
    now,
    reader,
    writer: reader,
    transaction: () => Promise.reject(new Error('this process opened the database for reading only')),
    close: async () => reader.database.close(),
  };
}

function connect(file: string, now: DatabaseClock, readOnly: boolean): Connection {
  const database = new DatabaseSync(file, { readOnly, timeout: 5000, enableForeignKeyConstraints: true });
  if (!readOnly) database.exec('pragma journal_mode = wal; pragma synchronous = full');
  // On macOS an ordinary flush leaves the data in the cache of the disk; elsewhere this changes nothing.
  if (!readOnly) database.exec('pragma fullfsync = on; pragma checkpoint_fullfsync = on');
  // No memory map: the system caches the file's pages anyway, and mapped ones count as memory of the process.
  database.exec(`pragma cache_size = ${readOnly ? -8192 : -16384}; pragma temp_store = memory`);
  database.function('now_ms', () => now());
  database.function('text_hash', { deterministic: true }, (text) => hash('sha256', String(text), 'buffer'));
  database.function('hash_hex', { deterministic: true }, (bytes) => Buffer.from(bytes as Uint8Array).toString('hex'));

  const prepared = createLruCache<string, StatementSync>(MAX_PREPARED);
  const prepare = (sql: string): StatementSync => {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      // `$1` is `?1` in SQLite.
      statement = database.prepare(sql.replaceAll(/\$(\d+)/g, '?$1'));
      prepared.set(sql, statement);
    }
    return statement;
  };
  return {
    database,
    prepare,
    async all<Row>(sql: string, values: readonly Value[] = []) {
      return mapFailure(() => prepare(sql).all(...values.map(toSqlValue)) as Row[]);
    },
    async each<Row>(statement: Batch, rows: ReadonlyArray<readonly Value[]>, scalars: readonly Value[] = []) {
      if (rows.length === 0) return [];
      return mapFailure(() => {
        const boundScalars = scalars.map(toSqlValue);
        if (statement.isSingleStatement) {
          const single = prepare(asSingleStatement(statement));
          return single.all(...boundScalars, JSON.stringify(rows.map(toJsonRow))) as Row[];
        }
        const run = prepare(asRowStatement(statement));
        const result: Row[] = [];
        for (const row of rows) {
          const values = run.all(...boundScalars, ...row.map(toSqlValue)) as Row[];
          for (const value of values) result.push(value);
        }
        return result;
      });
    },
    async changed(statement: KeyedBatch, rows: ReadonlyArray<readonly Value[]>, scalars: readonly Value[] = []) {
      return mapFailure(() => {
        const run = prepare(asRowStatement(statement));
        const boundScalars = scalars.map(toSqlValue);
        return rows.map((row) => Number(run.run(...boundScalars, ...(row as SQLInputValue[])).changes) > 0);
      });
    },
  };
}

/** A damaged file is found by whichever statement reads the damaged page. */
function mapFailure<T>(execute: () => T): T {
  try {
    return execute();
  } catch (error) {
    throw sqliteFailure(error);
  }
}

async function inTransaction<T>(writer: Connection, work: (tx: Executor) => Promise<T>, flush: Flush): Promise<T> {
  const { database } = writer;
  if (flush === 'later') database.exec('pragma synchronous = normal');
  try {
    database.exec('begin immediate');
    const result = await work(writer);
    database.exec('commit');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  } finally {
    if (flush === 'later') database.exec('pragma synchronous = full');
  }
}

/** The disk failed, or the file is damaged: another write could make it worse. */
const FINAL_CODES: ReadonlySet<string> = new Set(['database.io-error', 'database.corrupt']);

/**
 * After a failed write or flush the system may have dropped data, and a later flush would still report success. So nothing is
 * written any more: when the file is opened again, it contains what was safely committed.
 */
function createFailStop(writeLock: WriteLock): <T>(work: () => Promise<T>) => Promise<T> {
  let broken: PinakesError | null = null;
  return async (work) => {
    if (writeLock.isBroken())
      throw broken ?? pinakesError('database.io-error', { reason: 'another thread could not write' });
    try {
      return await work();
    } catch (error) {
      const failure = sqliteFailure(error);
      if (failure instanceof PinakesError && FINAL_CODES.has(failure.code)) {
        broken = failure;
        writeLock.markBroken();
      }
      throw failure;
    }
  };
}

/** One connection, one transaction at a time: the next begins when the previous one has ended. */
function createSerialQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const current = last.then(work, work);
    last = current.catch(() => undefined);
    return current;
  };
}

function toSqlValue(value: Value): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : value;
}

const batches = new WeakMap<Batch, string>();

function asRowStatement(statement: Batch): string {
  let text = batches.get(statement);
  if (text === undefined) {
    const signs = new Map(
      Object.keys(statement.columns).map((name, i) => [name, `?${statement.scalars.length + i + 1}`]),
    );
    text = statement.sql
      .replace(/(from|,) \{rows\} r\b/, '')
      .replaceAll(/\br\.(\w+)/g, (reference, name: string) => signs.get(name) ?? reference);
    batches.set(statement, text);
  }
  return text;
}

/** SQLite does not reorder a `cross join`. */
function crossJoin(table: string, name: string, where: string): string {
  return `cross join ${table} ${name} on ${where}`;
}

function toJsonRow(row: readonly Value[]): ReadonlyArray<Exclude<Value, Uint8Array>> {
  return row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value));
}

/** The rows are one parameter, a JSON array; bytes are hexadecimal in it. */
function asSingleStatement(statement: Batch): string {
  let text = batches.get(statement);
  if (text === undefined) {
    const columns = Object.entries(statement.columns).map(([name, type], i) =>
      type === 'bytes' ? `unhex(value ->> ${i}) as ${name}` : `value ->> ${i} as ${name}`,
    );
    const rows = `(select ${columns.join(', ')} from json_each(?${statement.scalars.length + 1})) r`;
    text = withJoinSteps(statement.sql, crossJoin).replace('{rows} r', rows);
    batches.set(statement, text);
  }
  return text;
}
