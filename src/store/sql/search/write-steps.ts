// How the index is written beside everything else. SQLite lets one write at a time: what can be read and counted before is
// done before, and what is long is written in short transactions, so that no settlement waits long. Where rows can be
// locked, several indexers are kept apart by their locks, and a step is one transaction.

import type { Engine, Executor } from '../engine/engine.ts';

export interface WriteSteps {
  readonly read: Executor;
  readonly write: <T>(work: (tx: Executor) => Promise<T>) => Promise<T>;
  /** Goes at the end of a `select` whose rows nobody else shall take. */
  readonly forUpdate: string;
}

export type InSteps = <T>(work: (steps: WriteSteps) => Promise<T>) => Promise<T>;

/** Not flushed: what a power cut takes back is still in the queue. */
export function createInSteps(engine: Engine, forUpdate: string): InSteps {
  if (forUpdate === '')
    return (work) => work({ read: engine.reader, write: (part) => engine.transaction(part, 'later'), forUpdate });
  return (work) => engine.transaction((tx) => work({ read: tx, write: (part) => part(tx), forUpdate }));
}
