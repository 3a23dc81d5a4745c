// The driver over node-postgres: a pool, prepared statements, and 64-bit integers as numbers.
//
// It works through a pooler in transaction mode. Such a pooler rejects unknown start-up parameters, so time limits are set
// at the start of each transaction, and a statement outside one is cancelled by the client. Prepared statements are
// named by their text: one that another process prepared on the same connection has the same text.

import { hash } from 'node:crypto';
import pg from 'pg';
import { PinakesError, pinakesError } from '../../core/model/errors.ts';
import { after, monotonicMs, random, sleep, type Timer } from '../../platform/clock.ts';
import { createSemaphore } from '../../platform/semaphore.ts';
import type { Parameter, PostgresDriver, Session } from './driver.ts';
import { postgresFailure, sqlState, STATEMENT_NOT_PREPARED } from './postgres-failure.ts';

const INT8 = pg.types.builtins.INT8;
const STATEMENT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** How long a cancelled statement may take to end, as a share of its time limit. */
const CANCEL_SHARE = 0.1;

export interface PgOptions {
  readonly url: string;
  readonly poolSize: number;
  /** For one statement. */
  readonly timeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** False behind a pooler that does not keep prepared statements. */
  readonly preparedStatements?: boolean;
  /** URL of the same database without a pooler. */
  readonly directUrl?: string | undefined;
  readonly onError: (error: Error) => void;
}

/**
 * A process that is suspended within a transaction keeps its locks, and all others wait for them. Our transactions are idle only
 * while their thread is busy with something else, such as a collection of garbage. The timeout must be below a lease, after which
 * other workers take over.
 */
const IDLE_IN_TRANSACTION_MS = 12_000;

export function createPgDriver(options: PgOptions): PostgresDriver {
  const { url, poolSize, preparedStatements = true, onError } = options;
  const { timeoutMs = STATEMENT_TIMEOUT_MS, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: 'pinakes',
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    types: { getTypeParser: parserOf },
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', onError);
  // A connection that breaks in use rejects its statement and also emits an error, which needs a listener too.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    // Compiling a statement takes longer than ours run. A pooler would pass the setting on to others; transactions have their own.
    if (preparedStatements) client.query('set jit = off').catch(() => undefined);
  });
  // Waiting for one of our own connections is not an error, so it must not count towards the pool's connection timeout.
  const connections = createSemaphore(poolSize);
  const prepared = { isOn: preparedStatements };
  const directUrl = directUrlOf(options);
  const direct = createDirectConnections();
  return {
    begin: `begin; set local statement_timeout = ${timeoutMs}; set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}; set local jit = off`,
    async connect(timeLimit = 'limited') {
      await connections.acquire();
      try {
        const client = await connectWithin(pool, connectTimeoutMs);
        const limitMs = timeLimit === 'limited' ? timeoutMs : null;
        return sessionOf(client, { limitMs, prepared, onError, onRelease: () => connections.release() });
      } catch (error) {
        connections.release();
        throw error;
      }
    },
    connectDirect: directUrl === null ? null : () => direct.connect(directUrl, connectTimeoutMs),
    async close() {
      await direct.close();
      await pool.end();
    },
  };
}

/** Without prepared statements a pooler is assumed, which gives its connections to others. */
export function directUrlOf({ url, directUrl, preparedStatements = true }: PgOptions): string | null {
  return directUrl ?? (preparedStatements ? url : null);
}

/** Separate connections, closed with the driver even while a statement is executed. */
function createDirectConnections(): {
  connect(url: string, connectTimeoutMs: number): Promise<Session>;
  close(): Promise<void>;
} {
  const clients = new Set<pg.Client>();
  return {
    async connect(url, connectTimeoutMs) {
      const client = new pg.Client({
        connectionString: url,
        application_name: 'pinakes',
        keepAlive: true,
        connectionTimeoutMillis: connectTimeoutMs,
      });
      // Whatever is executed when the connection breaks fails by itself.
      client.on('error', () => undefined);
      const run = (query: pg.QueryConfig): Promise<pg.QueryResult> =>
        client.query(query).catch((error: unknown) => {
          throw postgresFailure(error);
        });
      clients.add(client);
      try {
        await client.connect();
      } catch (error) {
        clients.delete(client);
        throw postgresFailure(error);
      }
      return {
        query: async <Row>(text: string, values: readonly Parameter[]) =>
          (await run({ text, values: values as unknown[] })).rows as Row[],
        execute: async (text) => void (await run({ text })),
        release() {
          clients.delete(client);
          client.end().catch(() => undefined);
        },
      };
    },
    async close() {
      await Promise.all([...clients].map((client) => client.end().catch(() => undefined)));
    },
  };
}

/** Connections of other processes end, so a server that has none left is asked again, less and less often. */
async function connectWithin(pool: pg.Pool, timeoutMs: number): Promise<pg.PoolClient> {
  const deadline = monotonicMs() + timeoutMs;
  for (let pauseMs = 50; ; pauseMs *= 2) {
    try {
      return await pool.connect();
    } catch (error) {
      const failure = postgresFailure(error);
      const isBusy = failure instanceof PinakesError && failure.code === 'database.connections';
      if (isBusy && monotonicMs() + pauseMs < deadline) await sleep(pauseMs * (0.5 + random()));
      else if (failure instanceof PinakesError) throw failure;
      else throw pinakesError('database.unreachable', { reason: messageOf(error) }, error);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Our 64-bit columns are times, counters and keys, all far below 2^53. */
const parserOf: pg.CustomTypesConfig['getTypeParser'] = (oid, format) =>
  oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format);

const names = new Map<string, string>();

/** The server plans a named statement once per connection. */
function nameOf(sql: string): string {
  let name = names.get(sql);
  if (name === undefined) {
    name = `p_${hash('sha256', sql).slice(0, 32)}`;
    names.set(sql, name);
  }
  return name;
}

interface SessionOptions {
  /** Time limit of a statement; null for none. */
  readonly limitMs: number | null;
  /** Shared by all sessions: turned off when the connection turns out not to keep statements. */
  readonly prepared: { isOn: boolean };
  readonly onError: (error: Error) => void;
  readonly onRelease: () => void;
}

function sessionOf(client: pg.PoolClient, { limitMs, prepared, onError, onRelease }: SessionOptions): Session {
  // After a cancellation the server may still cancel whatever this connection executes next.
  let isCancelled = false;

  async function run(query: pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      if (limitMs === null) return await client.query(query);
      return await withTimeLimit(client, query, limitMs, () => void (isCancelled = true));
    } catch (error) {
      const state = sqlState(error);
      if (prepared.isOn && state !== null && STATEMENT_NOT_PREPARED.has(state)) {
        prepared.isOn = false;
        onError(new Error('a pooler does not keep prepared statements: they are not used any more', { cause: error }));
      }
      throw postgresFailure(error);
    }
  }

  return {
    async query<Row>(text: string, values: readonly Parameter[]) {
      const named = prepared.isOn ? { name: nameOf(text) } : {};
      return (await run({ ...named, text, values: values as unknown[] })).rows as Row[];
    },
    async execute(text) {
      await run({ text });
    },
    release(broken) {
      client.release(broken || isCancelled);
      onRelease();
    },
  };
}

/**
 * A statement that exceeds its limit is cancelled, and fails as the server says. Where the server says nothing, the
 * connection is given up: the statement timed out if the server was there to be told, otherwise it is unreachable.
 */
async function withTimeLimit(
  client: pg.PoolClient,
  query: pg.QueryConfig,
  limitMs: number,
  onCancel: () => void,
): Promise<pg.QueryResult> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  let ending: Timer | undefined;
  const expiring = after(limitMs, () => {
    onCancel();
    let isReported = false;
    void cancelStatement(client as unknown as Backend).then((reported) => (isReported = reported));
    ending = after(limitMs * CANCEL_SHARE, () => {
      const reason = `no response for ${Math.round(limitMs * (1 + CANCEL_SHARE))} ms`;
      reject(pinakesError(isReported ? 'database.timeout' : 'database.unreachable', { reason }));
    });
  });
  const responding = client.query(query);
  // It also fails when the connection is closed, after it has been given up.
  responding.catch(() => undefined);
  try {
    return await Promise.race([responding, silence]);
  } finally {
    expiring.cancel();
    ending?.cancel();
  }
}

const CANCEL_CONNECT_MS = 2000;

/** What node-postgres knows about a connection, beyond its declared types. */
interface Backend {
  readonly processID: number | null;
  readonly secretKey: number | null;
  readonly host: string;
  readonly port: number;
  readonly ssl: pg.ClientConfig['ssl'];
}

/** A connection of node-postgres before it is set up, beyond its declared types. */
interface CancelConnection extends pg.Connection {
  connect(port: number | string, host?: string): void;
  cancel(processID: number, secretKey: number): void;
  requestSsl(): void;
}

/**
 * PostgreSQL's cancel request, on a separate connection. Resolves to whether the server received it; never rejects. The
 * server reports nothing about its result.
 */
export function cancelStatement({ processID, secretKey, host, port, ssl }: Backend): Promise<boolean> {
  if (processID === null || secretKey === null) return Promise.resolve(false);
  // With TLS wherever the session has it: who sees the key can cancel its statements.
  const connection = new pg.Connection({ ssl: ssl ?? false }) as CancelConnection;
  return new Promise((resolve) => {
    let isSent = false;
    const timer = after(CANCEL_CONNECT_MS, () => connection.stream.destroy());
    connection.on('error', () => resolve(false));
    const cancel = (): void => {
      connection.cancel(processID, secretKey);
      isSent = true;
    };
    connection.on('connect', () => (ssl === undefined || ssl === false ? cancel() : connection.requestSsl()));
    connection.on('sslconnect', cancel);
    // The server closes the connection when it has read the request.
    connection.on('end', () => {
      timer.cancel();
      resolve(isSent);
    });
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}
