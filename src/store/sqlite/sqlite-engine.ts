// SQLite as the shared statements see it: one connection that writes, one that reads what is committed.

import { hash } from 'node:crypto';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { PinakesError, pinakesError } from '../../core/model/errors.ts';
import {
  withSteps,
  type Batch,
  type Engine,
  type Executor,
  type Flush,
  type KeyedBatch,
  type Value,
} from '../sql/engine/engine.ts';
import { sqliteFailure } from './sqlite-failure.ts';
import type { WriteTurns } from './write-lock.ts';

/** Milliseconds since 1970. Injected, so that tests can move the clock of one database. */
export type DatabaseClock = () => number;

/** Texts are few and fixed; a limit only guards against a caller that builds texts. */
const MAX_PREPARED = 500;

export interface SqliteEngine extends Engine {
  readonly now: DatabaseClock;
  /** For the claimer, whose statements are SQLite's own. Only inside a transaction. */
  readonly writer: Connection;
}

export interface Connection extends Executor {
  readonly database: DatabaseSync;
  prepare(sql: string): StatementSync;
}

/**
 * The frontier's keys are spread by their hash: a long log lets many writes of one page become one at the checkpoint, which
 * moves the whole log into the file and takes its time. Where two threads write, the one that answers nobody has
 * the shorter limit and does it; the other one only where it writes very much alone.
 */
const LOG_PAGES = { checkpoints: 16_000, answers: 64_000 };

export interface SqliteEngineOptions {
  readonly now: DatabaseClock;
  /** Among the threads that write. */
  readonly turns: WriteTurns;
  /** Whether this thread is to leave long work on the file to another one. */
  readonly answers: boolean;
}

export function openSqliteEngine(file: string, { now, turns, answers }: SqliteEngineOptions): SqliteEngine {
  const writer = connect(file, now, false);
  writer.database.exec(`pragma wal_autocheckpoint = ${answers ? LOG_PAGES.answers : LOG_PAGES.checkpoints}`);
  const reader = connect(file, now, true);
  const inTurn = createTurns();
  const failStop = createFailStop(turns);
  return {
    now,
    reader,
    writer,
    transaction: (work, flush = 'now') =>
      inTurn(async () => {
        // Writes end at once here, so many of them in a row would leave no moment for whoever asks.
        if (answers) await setImmediate();
        return turns.inTurn(() => failStop(() => inTransaction(writer, work, flush)));
      }),
    async close() {
      await inTurn(async () => {
        reader.database.close();
        try {
          // Keeps the write-ahead log from outliving a clean shutdown, and the planner's statistics fresh.
          await failStop(async () => writer.database.exec('pragma optimize; pragma wal_checkpoint(truncate)'));
        } catch {
          // Without room, or on a broken disk, the log stays: whoever opens the file next reads it.
        }
        writer.database.close();
      });
    },
  };
}

/** Sees what others commit and writes nothing. */
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
  // No map of the file: the system keeps its pages either way, and mapped ones count as the process's own memory.
  database.exec(`pragma cache_size = ${readOnly ? -8192 : -16384}; pragma temp_store = memory`);
  database.function('now_ms', () => now());
  database.function('text_hash', { deterministic: true }, (text) => hash('sha256', String(text), 'buffer'));
  database.function('hash_hex', { deterministic: true }, (bytes) => Buffer.from(bytes as Uint8Array).toString('hex'));

  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      if (prepared.size >= MAX_PREPARED) prepared.clear();
      statement = database.prepare(sql);
      prepared.set(sql, statement);
    }
    return statement;
  };
  return {
    database,
    prepare,
    async all<Row>(sql: string, values: readonly Value[] = []) {
      return prepare(numbered(sql)).all(...values.map(bound)) as Row[];
    },
    async each<Row>(statement: Batch, rows: ReadonlyArray<readonly Value[]>, scalars: readonly Value[] = []) {
      if (rows.length === 0) return [];
      const given = scalars.map(bound);
      if (statement.together) return prepare(atOnce(statement)).all(...given, JSON.stringify(rows)) as Row[];
      const run = prepare(perRow(statement));
      const result: Row[] = [];
      for (const row of rows) {
        const values = run.all(...given, ...row.map(bound)) as Row[];
        for (const value of values) result.push(value);
      }
      return result;
    },
    async changed(statement: KeyedBatch, rows: ReadonlyArray<readonly Value[]>, scalars: readonly Value[] = []) {
      const run = prepare(perRow(statement));
      const given = scalars.map(bound);
      return rows.map((row) => Number(run.run(...given, ...(row as SQLInputValue[])).changes) > 0);
    },
  };
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

/**
 * After a write or a flush that failed, the system may have dropped what it was given, and a later flush would say that
 * all is well. So nothing is written any more: whoever opens the file again finds what was safe.
 */
function createFailStop(turns: WriteTurns): <T>(work: () => Promise<T>) => Promise<T> {
  let broken: PinakesError | null = null;
  return async (work) => {
    if (turns.isBroken()) throw broken ?? pinakesError('database.broken', { why: 'another thread could not write' });
    try {
      return await work();
    } catch (error) {
      const failure = sqliteFailure(error);
      if (failure instanceof PinakesError && failure.code === 'database.broken') {
        broken = failure;
        turns.markBroken();
      }
      throw failure;
    }
  };
}

/** One connection, one transaction at a time: the next begins when the one before has ended. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

function bound(value: Value): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : value;
}

const texts = new Map<string, string>();

/** `$1` is `?1` here. */
function numbered(sql: string): string {
  let text = texts.get(sql);
  if (text === undefined) {
    text = sql.replaceAll(/\$(\d+)/g, '?$1');
    texts.set(sql, text);
  }
  return text;
}

const batches = new WeakMap<Batch, string>();

function perRow(statement: Batch): string {
  let text = batches.get(statement);
  if (text === undefined) {
    const signs = new Map(
      Object.keys(statement.columns).map((name, i) => [name, `?${statement.scalars.length + i + 1}`]),
    );
    text = numbered(statement.sql)
      .replace(/(from|,) \{rows\} r\b/, '')
      .replaceAll(/\br\.(\w+)/g, (reference, name: string) => signs.get(name) ?? reference);
    batches.set(statement, text);
  }
  return text;
}

/** `cross join` is the join that SQLite leaves in its order. */
function inOrder(table: string, name: string, where: string): string {
  return `cross join ${table} ${name} on ${where}`;
}

/** The rows are one value, a list in JSON. */
function atOnce(statement: Batch): string {
  let text = batches.get(statement);
  if (text === undefined) {
    const columns = Object.keys(statement.columns).map((name, i) => `value ->> ${i} as ${name}`);
    const rows = `(select ${columns.join(', ')} from json_each(?${statement.scalars.length + 1})) r`;
    text = withSteps(numbered(statement.sql), inOrder).replace('{rows} r', rows);
    batches.set(statement, text);
  }
  return text;
}
