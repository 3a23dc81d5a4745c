// The driver interface to PostgreSQL: sessions that execute one statement at a time. Implemented by `pg` in production; the
// contract suite also runs over an embedded PostgreSQL.
//
// A session keeps no state between transactions: a pooler in transaction mode may run the next one on another connection.

export type Parameter =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | ReadonlyArray<string | number | boolean | null | Uint8Array>;

export interface Session {
  query<Row>(sql: string, values: readonly Parameter[]): Promise<Row[]>;
  /** Statements without parameters and results, separated by semicolons, in one round trip. */
  execute(sql: string): Promise<void>;
  /** A broken session is discarded instead of being reused. */
  release(broken: boolean): void;
}

export interface PostgresDriver {
  /** Statements that begin a transaction whose statements and pauses have time limits. */
  readonly begin: string;
  /** A session without a time limit is for migrations, which take as long as they take. */
  connect(timeLimit?: 'limited' | 'unlimited'): Promise<Session>;
  /**
   * A session on a separate connection, which keeps its state and has no time limit. The server completes what it executes even if
   * the process ends. Null if there is only a pooler.
   */
  readonly connectDirect: (() => Promise<Session>) | null;
  close(): Promise<void>;
}
