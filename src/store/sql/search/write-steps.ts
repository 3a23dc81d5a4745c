// How the index is written concurrently with everything else. SQLite allows one writer at a time: reading and counting are done
// outside transactions, and long writes are split into short ones, so that no settlement waits long. PostgreSQL can lock rows,
// which keeps several indexers apart, so there a step is one transaction.

import type { Engine, Executor } from '../engine/engine.ts';

export interface WriteSteps {
  readonly read: Executor;
  readonly write: <T>(work: (tx: Executor) => Promise<T>) => Promise<T>;
  /** Appended to a `select` to lock its rows. */
  readonly forUpdate: string;
}

export type InSteps = <T>(work: (steps: WriteSteps) => Promise<T>) => Promise<T>;

/** Not flushed: what a power failure undoes is still queued. */
export function createInSteps(engine: Engine, forUpdate: string): InSteps {
  if (forUpdate === '')
    return (work) => work({ read: engine.reader, write: (part) => engine.transaction(part, 'later'), forUpdate });
  return (work) => engine.transaction((tx) => work({ read: tx, write: (part) => part(tx), forUpdate }));
}
