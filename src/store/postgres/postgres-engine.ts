// The engine over PostgreSQL.

import { random, sleep } from '../../platform/clock.ts';
import { hex } from '../sql/engine/codec.ts';
import {
  withJoinSteps,
  type Batch,
  type ColumnType,
  type Engine,
  type Executor,
  type KeyedBatch,
  type Value,
} from '../sql/engine/engine.ts';
import type { Parameter, PostgresDriver, Session } from './driver.ts';
import { sqlState, STATEMENT_NOT_PREPARED } from './postgres-failure.ts';
import { byKeysOnly } from './rows-by-key.ts';

/**
 * serialization_failure, deadlock_detected, foreign_key_violation: the whole transaction is retried. The last one is a conflict as well: a
 * statement found a row as of its start, and another transaction has deleted it since.
 */
const CONFLICTS = new Set(['40001', '40P01', '23503']);
/** "cached plan must not change result type": a migration changed a column while the session had a statement prepared. */
const PLAN_OUTDATED = '0A000';
const RETRIED: ReadonlySet<string> = new Set([...CONFLICTS, ...STATEMENT_NOT_PREPARED, PLAN_OUTDATED]);
const MAX_TRIES = 8;

const ARRAY_TYPES: Readonly<Record<ColumnType, string>> = {
  int: 'bigint',
  bool: 'boolean',
  text: 'text',
  bytes: 'bytea',
};

export interface PostgresEngine extends Engine {
  readonly driver: PostgresDriver;
}

/** For statements with array parameters, which the common interface does not have. */
export type ArrayExecutor = { all<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]> };

export function createPostgresEngine(driver: PostgresDriver): PostgresEngine {
  return {
    driver,
    reader: executorOf((sql, values) =>
      withRetries(async () => {
        const session = await driver.connect();
        return using(session, () => session.query(sql, values));
      }),
    ),
    transaction: (work) => withRetries(async () => inTransaction(await driver.connect(), driver.begin, work)),
    close: () => driver.close(),
  };
}

type Query = <Row>(sql: string, values: readonly Parameter[]) => Promise<Row[]>;

function executorOf(query: Query): Executor {
  return {
    all: (sql, values = []) => query(sql, values),
    async each<Row>(statement: Batch, rows: ReadonlyArray<readonly Value[]>, scalars: readonly Value[] = []) {
      if (rows.length === 0) return [];
      const columns = Object.keys(statement.columns).map((_, i) => rows.map((row) => row[i] ?? null));
      return query<Row>(overArrays(statement), [...scalars, ...columns]);
    },
    async changed(statement: KeyedBatch, rows: ReadonlyArray<readonly Value[]>, scalars: readonly Value[] = []) {
      if (rows.length === 0) return [];
      const names = Object.keys(statement.columns);
      const columns = names.map((_, i) => rows.map((row) => row[i] ?? null));
      const touched = await query<Record<string, Value>>(returningKeys(statement), [...scalars, ...columns]);
      const keys = new Set(touched.map((row) => statement.key.map((name) => textOf(row[name])).join(' ')));
      const at = statement.key.map((name) => names.indexOf(name));
      return rows.map((row) => keys.has(at.map((i) => textOf(row[i])).join(' ')));
    },
  };
}

function textOf(value: Value | undefined): string {
  return value instanceof Uint8Array ? hex(value) : String(value);
}

async function inTransaction<T>(session: Session, begin: string, work: (tx: Executor) => Promise<T>): Promise<T> {
  return using(session, async () => {
    await session.execute(begin);
    try {
      const result = await work(executorOf((sql, values) => session.query(sql, values)));
      await session.execute('commit');
      return result;
    } catch (error) {
      // If the connection is lost, so is the transaction; a rollback on a silent connection would only time out once more.
      if (sqlState(error) !== null) await session.execute('rollback').catch(() => undefined);
      throw error;
    }
  });
}

async function using<T>(session: Session, work: () => Promise<T>): Promise<T> {
  let broken = true;
  try {
    const result = await work();
    broken = false;
    return result;
  } catch (error) {
    const state = sqlState(error);
    broken = state === null || state === PLAN_OUTDATED;
    throw error;
  } finally {
    session.release(broken);
  }
}

async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const state = sqlState(error);
      if (state === null || !RETRIED.has(state) || tries >= MAX_TRIES) throw error;
      await sleep(5 * 2 ** tries * random());
    }
  }
}

const returning = new WeakMap<KeyedBatch, string>();

function returningKeys(statement: KeyedBatch): string {
  let text = returning.get(statement);
  if (text === undefined) {
    text = `${overArrays(statement)} returning ${statement.key.map((name) => `${statement.table}.${name}`).join(', ')}`;
    returning.set(statement, text);
  }
  return text;
}

/**
 * `offset 0` keeps the planner from flattening the subquery, so it is executed for each row, by index. It names the columns
 * that the statement uses: others may be added while the statement is prepared.
 */
function lateralIn(sql: string): (table: string, name: string, where: string) => string {
  return (table, name, where) => {
    const columns = new Set(Array.from(sql.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g')), ([, column]) => column));
    return `cross join lateral (select ${[...columns].join(', ')} from ${table} ${name} where ${where} offset 0) ${name}`;
  };
}

const texts = new WeakMap<Batch, string>();

const ROWS = /(from|,) \{rows\} r\b/;
/** As a join, the planner could read the whole table to find a few rows. */
const VALUE_LIST = /in \(select r\.(\w+) from \{rows\} r\)/;

function overArrays(statement: Batch): string {
  let text = texts.get(statement);
  if (text === undefined) {
    const { columns, scalars, isPerRow } = statement;
    const names = Object.keys(columns);
    const values = Object.values(columns).map((type, i) => `$${scalars.length + i + 1}::${ARRAY_TYPES[type]}[]`);
    const rows = `unnest(${values.join(', ')}) as r (${names.join(', ')})`;
    const typed = (nth: number): string => `$${nth}::${ARRAY_TYPES[scalars[nth - 1] ?? 'text']}`;
    const sql = withJoinSteps(statement.sql, lateralIn(statement.sql)).replaceAll(/\$(\d+)/g, (_, n: string) =>
      typed(Number(n)),
    );
    text = isPerRow
      ? `select found.* from ${rows} cross join lateral (${sql.replace(ROWS, '')}) as found`
      : (byKeysOnly(sql, { names, values }) ??
        sql
          .replace(VALUE_LIST, (_, name: string) => `= any(${values[names.indexOf(name)]})`)
          .replace('{rows} r', rows));
    texts.set(statement, text);
  }
  return text;
}
