// The common interface of the two databases, so that a statement which both understand is written once.
//
// Statements use PostgreSQL's parameters $1, $2 …; for SQLite they are replaced by its own. A batch is a statement over many
// rows, written `from {rows} r` or `from t, {rows} r`, whose columns are always referred to as `r.column`. PostgreSQL executes it
// once over arrays; SQLite executes it once per row, with the row's values in place of `r.column`.
//
// `from {rows} r {then t where …} {then u where …}` forces the join order, each table by its index, whatever the planner's
// statistics are. For single-statement batches only.
//
// `in (select r.column from {rows} r)` is a list of values, not a join, wherever the engine can tell the difference.

export type Value = string | number | boolean | null | Uint8Array;

export type ColumnType = 'int' | 'bool' | 'text' | 'bytes';

export interface Batch {
  /** Names and types of the columns of `{rows}`, in the order of each row's values. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Types of `$1 … $n`, which are passed once; the columns of the rows come after them. */
  readonly scalars: readonly ColumnType[];
  readonly sql: string;
  /** Executed once for all rows on SQLite as well. */
  readonly isSingleStatement?: true;
  /** Executed for each row on PostgreSQL as well, within one statement: a `limit` applies to each row. */
  readonly isPerRow?: true;
}

/** For a batch that reads many rows at a time: executing a statement costs more than reading a row. */
export function singleStatement(statement: Batch): Batch {
  return { ...statement, isSingleStatement: true };
}

/** For a batch with a separate `limit` for each row. */
export function perRow(statement: Batch): Batch {
  return { ...statement, isPerRow: true };
}

export function batch(columns: Batch['columns'], sql: string, scalars: readonly ColumnType[] = []): Batch {
  return { columns, scalars, sql };
}

/** A batch that reports which rows it changed. */
export interface KeyedBatch extends Batch {
  readonly table: string;
  /** Columns that identify a row, in the batch and in the table. */
  readonly key: readonly string[];
}

export function keyed(table: string, key: readonly string[], statement: Batch): KeyedBatch {
  return { ...statement, table, key };
}

export interface Executor {
  all<Row>(sql: string, values?: readonly Value[]): Promise<Row[]>;
  /** The rows of `returning`, in no particular order. Does nothing without rows. */
  each<Row>(statement: Batch, rows: ReadonlyArray<readonly Value[]>, scalars?: readonly Value[]): Promise<Row[]>;
  /** For each row, whether it changed something. `returning` would double the cost of an insert in SQLite. */
  changed(statement: KeyedBatch, rows: ReadonlyArray<readonly Value[]>, scalars?: readonly Value[]): Promise<boolean[]>;
}

/**
 * `now`, the default: a commit survives a power failure. `later`: it survives the end of the process, and a power failure may
 * undo it together with everything committed after it. For work that would then be done again.
 */
export type Flush = 'now' | 'later';

export interface Engine {
  /** Reads what is committed; never waits for a writer. */
  readonly reader: Executor;
  /** All or nothing. `work` may be executed again after a conflict, so it must have no other effect. */
  transaction<T>(work: (tx: Executor) => Promise<T>, flush?: Flush): Promise<T>;
  close(): Promise<void>;
}

const JOIN_STEP = /\{then (\w+)(?: (\w+))? where ([^}]*)\}/g;

/** Replaces the join steps of a statement by the engine's own syntax. */
export function withJoinSteps(sql: string, step: (table: string, name: string, where: string) => string): string {
  return sql.replaceAll(JOIN_STEP, (_, table: string, name: string | undefined, where: string) =>
    step(table, name ?? table, where),
  );
}
