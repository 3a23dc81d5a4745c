// node-postgres as the driver: a pool, named statements, and numbers as numbers.

import pg from 'pg';
import { pinakesError } from '../../core/model/errors.ts';
import type { Parameter, PostgresDriver, Session } from './driver.ts';

const INT8 = pg.types.builtins.INT8;
const STATEMENT_TIMEOUT_MS = 30_000;

export interface PgOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly onError: (error: Error) => void;
}

export function createPgDriver({ url, poolSize, onError }: PgOptions): PostgresDriver {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: 'pinakes',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // The server may vanish without a word: the client gives up soon after the server would have.
    query_timeout: STATEMENT_TIMEOUT_MS + 5_000,
    idle_in_transaction_session_timeout: 60_000,
    types: { getTypeParser: parserOf },
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', onError);
  return {
    async connect() {
      try {
        return sessionOf(await pool.connect());
      } catch (error) {
        throw pinakesError(
          'database.unreachable',
          { why: error instanceof Error ? error.message : String(error) },
          error,
        );
      }
    },
    close: () => pool.end(),
  };
}

/** Our 64-bit columns are times, counts and keys, all far below 2^53. */
const parserOf: pg.CustomTypesConfig['getTypeParser'] = (oid, format) =>
  oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format);

const names = new Map<string, string>();

/** The server plans a named statement once for each connection. */
function nameOf(sql: string): string {
  let name = names.get(sql);
  if (name === undefined) {
    name = `s${names.size + 1}`;
    names.set(sql, name);
  }
  return name;
}

function sessionOf(client: pg.PoolClient): Session {
  return {
    async query<Row>(sql: string, values: readonly Parameter[]) {
      const result = await client.query({ name: nameOf(sql), text: sql, values: values as unknown[] });
      return result.rows as Row[];
    },
    release: (broken) => client.release(broken),
  };
}
