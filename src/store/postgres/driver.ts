// The driver interface to PostgreSQL: sessions that execute one statement at a time. Implemented by `pg` in production; the
// contract suite also runs over an embedded PostgreSQL.

export type Parameter =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | ReadonlyArray<string | number | boolean | null | Uint8Array>;

export interface Session {
  query<Row>(sql: string, values: readonly Parameter[]): Promise<Row[]>;
  /** A broken session is discarded instead of being reused. */
  release(broken: boolean): void;
}

export interface PostgresDriver {
  connect(): Promise<Session>;
  close(): Promise<void>;
}
