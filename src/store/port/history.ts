// Which past the database has. A restored backup, a point-in-time recovery and a promoted replica take it back to an earlier state,
// after which numbers, positions and fencing tokens are given out a second time. docs/decisions/0083 explains what follows from it.

export interface History {
  /**
   * Reads where the history is, to be called every few seconds with what the last call returned, null at first. Raises
   * `database.rolled-back` if the database has gone back since; if this call is the first to notice, a new history begins.
   */
  follow(seen: HistoryPosition | null): Promise<HistoryPosition>;
  /** The database has gone back: a new history begins, unless that of this id has ended already. */
  begin(previous: string): Promise<void>;
}

export interface HistoryPosition {
  readonly id: string;
  /** Number of the newest event. */
  readonly seq: number;
  /** When it was written; null if it has expired. */
  readonly at: number | null;
}
