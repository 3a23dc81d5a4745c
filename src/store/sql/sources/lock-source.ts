// Locks the row of a source, so that what the transaction reads next is what others have committed: a source that is removed in the
// meantime, or a run of it that is started.

import type { Executor } from '../engine/engine.ts';

/** Writing the row to itself takes its lock on either engine. No trigger reads the column. */
const lock = `update sources set created_at = created_at where removed_at is null and id =`;
const lockById = `${lock} $1 returning id`;
const lockByVersion = `${lock} (select source_id from versions where versions.id = $1) returning id`;
const lockByRun = `${lock} (select source_id from runs where runs.id = $1) returning id`;

/** False if there is no such source, or if it is being removed. */
export async function lockSource(tx: Executor, source: number): Promise<boolean> {
  return (await tx.all(lockById, [source])).length > 0;
}

export async function lockSourceOf(tx: Executor, version: number): Promise<boolean> {
  return (await tx.all(lockByVersion, [version])).length > 0;
}

/** What is recorded about the run is removed with its source. */
export async function lockSourceOfRun(tx: Executor, run: number): Promise<boolean> {
  return (await tx.all(lockByRun, [run])).length > 0;
}
