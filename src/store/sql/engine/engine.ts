// The little that the two databases must agree on, so that a statement which both understand is written once.
//
// Statements are PostgreSQL's text with $1, $2 …; SQLite reads the same text with its own parameter sign. A batch is a
// statement over many rows, written `from {rows} r` or `from t, {rows} r`, whose columns are always named `r.column`.
// PostgreSQL runs it once over arrays; SQLite runs it once for each row, with the row's values in place of `r.column`.
//
// `from {rows} r {then t where …} {then u where …}` joins in this order, each table by its index, whatever a planner knows or
// guesses of their sizes. For batches that are read together only.

export type Value = string | number | boolean | null | Uint8Array;

export type ColumnType = 'int' | 'bool' | 'text' | 'bytes';

export interface Batch {
  /** Names and types of the columns of `{rows}`, in the order of each row's values. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Types of `$1 … $n`, values given once; the columns of the rows come after them. */
  readonly scalars: readonly ColumnType[];
  readonly sql: string;
  /** Read for all rows at once on SQLite as well. */
  readonly together?: true;
}

/** For a batch that reads by whole numbers and words, many rows at a time: starting a statement costs more than a row. */
export function together(statement: Batch): Batch {
  return { ...statement, together: true };
}

export function batch(columns: Batch['columns'], sql: string, scalars: readonly ColumnType[] = []): Batch {
  return { columns, scalars, sql };
}

/** A batch of which one wants to know which rows it changed. */
export interface KeyedBatch extends Batch {
  readonly table: string;
  /** Columns of the rows, and of the table, that tell the rows apart. */
  readonly key: readonly string[];
}

export function keyed(table: string, key: readonly string[], statement: Batch): KeyedBatch {
  return { ...statement, table, key };
}

export interface Executor {
  all<Row>(sql: string, values?: readonly Value[]): Promise<Row[]>;
  /** Rows that `returning` gives, in no particular order. No rows in, nothing done. */
  each<Row>(statement: Batch, rows: ReadonlyArray<readonly Value[]>, scalars?: readonly Value[]): Promise<Row[]>;
  /** For each row, whether it changed something. `returning` would double the cost of an insert in SQLite. */
  changed(statement: KeyedBatch, rows: ReadonlyArray<readonly Value[]>, scalars?: readonly Value[]): Promise<boolean[]>;
}

/**
 * `now`, unless said otherwise: what is committed survives a power cut. `later`: it survives the end of the process, and a
 * power cut may take it back together with all that was committed after it. For work that would then be done again.
 */
export type Flush = 'now' | 'later';

export interface Engine {
  /** Reads what is committed; never waits for a writer. */
  readonly reader: Executor;
  /** All or nothing. `work` may be run again from its start after a conflict, so it must have no other effect. */
  transaction<T>(work: (tx: Executor) => Promise<T>, flush?: Flush): Promise<T>;
  close(): Promise<void>;
}

const STEP = /\{then (\w+)(?: (\w+))? where ([^}]*)\}/g;

/** The statement with its steps as the engine writes them. */
export function withSteps(sql: string, step: (table: string, name: string, where: string) => string): string {
  return sql.replaceAll(STEP, (_, table: string, name: string | undefined, where: string) =>
    step(table, name ?? table, where),
  );
}
