// The driver over node-postgres: a pool, prepared statements, and 64-bit integers as numbers.

import pg from 'pg';
import { pinakesError } from '../../core/model/errors.ts';
import type { Parameter, PostgresDriver, Session } from './driver.ts';
import { postgresFailure } from './postgres-failure.ts';

const INT8 = pg.types.builtins.INT8;
const STATEMENT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

export interface PgOptions {
  readonly url: string;
  readonly poolSize: number;
  /** For one statement. */
  readonly timeoutMs?: number;
  readonly onError: (error: Error) => void;
}

/**
 * A process that is suspended within a transaction keeps its locks, and all others wait for them. Our transactions are never
 * idle. The timeout must be well below a lease, after which other workers take over.
 */
const IDLE_IN_TRANSACTION_MS = 4000;

export function createPgDriver(options: PgOptions): PostgresDriver {
  const { url, poolSize, timeoutMs = STATEMENT_TIMEOUT_MS, onError } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: 'pinakes',
    keepAlive: true,
    connectionTimeoutMillis: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
    statement_timeout: timeoutMs,
    // The server may disappear silently: the client times out soon after the server would have.
    query_timeout: Math.ceil(timeoutMs * 1.1),
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    types: { getTypeParser: parserOf },
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', onError);
  // A connection that breaks in use rejects its statement and also emits an error, which needs a listener too.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const connections = createSemaphore(poolSize);
  return {
    async connect() {
      await connections.acquire();
      try {
        return sessionOf(await pool.connect(), () => connections.release());
      } catch (error) {
        connections.release();
        const why = error instanceof Error ? error.message : String(error);
        throw pinakesError('database.unreachable', { why }, error);
      }
    },
    close: () => pool.end(),
  };
}

/** Waiting for one of our own connections is not an error, so it must not count towards the pool's connection timeout. */
function createSemaphore(free: number): { acquire(): Promise<void>; release(): void } {
  const waiting: Array<() => void> = [];
  let left = free;
  return {
    async acquire() {
      if (left > 0) left -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    release() {
      const next = waiting.shift();
      if (next === undefined) left += 1;
      else next();
    },
  };
}

/** Our 64-bit columns are times, counters and keys, all far below 2^53. */
const parserOf: pg.CustomTypesConfig['getTypeParser'] = (oid, format) =>
  oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format);

const names = new Map<string, string>();

/** The server plans a named statement once per connection. */
function nameOf(sql: string): string {
  let name = names.get(sql);
  if (name === undefined) {
    name = `s${names.size + 1}`;
    names.set(sql, name);
  }
  return name;
}

function sessionOf(client: pg.PoolClient, onRelease: () => void): Session {
  return {
    async query<Row>(sql: string, values: readonly Parameter[]) {
      try {
        const result = await client.query({ name: nameOf(sql), text: sql, values: values as unknown[] });
        return result.rows as Row[];
      } catch (error) {
        throw postgresFailure(error);
      }
    },
    release(broken) {
      client.release(broken);
      onRelease();
    },
  };
}
