// The narrow waist to PostgreSQL: sessions that answer one statement. `pg` stands behind it in production; the contract
// suite also runs it over an embedded PostgreSQL.

export type Parameter =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | ReadonlyArray<string | number | boolean | null | Uint8Array>;

export interface Session {
  query<Row>(sql: string, values: readonly Parameter[]): Promise<Row[]>;
  /** After an error the session is thrown away instead of being used again. */
  release(broken: boolean): void;
}

export interface PostgresDriver {
  connect(): Promise<Session>;
  close(): Promise<void>;
}
