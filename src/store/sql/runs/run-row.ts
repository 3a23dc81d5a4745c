// The row of a run, its counters, and the check of its lease.

import { OUTCOME_NAMES, SETTLED_OUTCOMES, type OutcomeName } from '../../../core/model/outcome.ts';
import type { RunId, RunMode, RunState, SourceId, VersionId } from '../../../core/model/run.ts';
import type { Run, RunCounts, RunLease } from '../../port/runs.ts';
import { dateOf, jsonObject } from '../engine/codec.ts';
import type { Engine, Executor } from '../engine/engine.ts';

export interface RunRow {
  readonly id: number;
  readonly source_id: number;
  readonly version_id: number;
  readonly state: RunState;
  readonly mode: RunMode;
  readonly settings: string;
  readonly reason: string | null;
  readonly fence: number;
  readonly crashes: number;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly seeded_at: number | null;
  readonly ended_at: number | null;
  readonly aborts_at: number | null;
  readonly active_at: number | null;
  readonly worked_ms: number;
  readonly left_out: number;
  readonly events: number;
  readonly last_event_at: number | null;
  readonly read_at: number;
  readonly [counter: `n_${string}`]: number;
}

export const COUNTERS = ['found', ...OUTCOME_NAMES, 'bytes', 'requests', 'downloads'] as const;
export type Counter = OutcomeName | 'found' | 'bytes' | 'requests' | 'downloads';

/** The column of a counter. */
export function counterColumn(counter: Counter): `n_${string}` {
  return `n_${counter.replace('-', '_')}`;
}

const SETTLED_COLUMNS = SETTLED_OUTCOMES.map(counterColumn);

export const RUN_COLUMNS = `id, source_id, version_id, state, mode, settings, reason, fence, crashes, created_at, started_at, seeded_at, ended_at, aborts_at, active_at, worked_ms, left_out, events, last_event_at, now_ms() as read_at, ${COUNTERS.map(counterColumn).join(', ')}`;

/** True in SQL when no URL of the run is queued, claimed or waiting: counters are updated with rows, so this is exact. */
export const RUN_IS_DRAINED = `n_found = ${SETTLED_COLUMNS.join(' + ')}`;

/** In SQL: the URLs of a run that are queued, claimed or waiting. */
export const QUEUE_SIZE = `runs.n_found - (${SETTLED_COLUMNS.map((column) => `runs.${column}`).join(' + ')})`;

/** Grows whenever a URL is found or settled. */
export const RUN_PROGRESS = `n_found + n_excluded + ${SETTLED_COLUMNS.join(' + ')}`;

export function toRun(row: RunRow): Run {
  return {
    id: row.id as RunId,
    source: row.source_id as SourceId,
    version: row.version_id as VersionId,
    state: row.state,
    mode: row.mode,
    settings: jsonObject(row.settings),
    reason: row.reason,
    createdAt: new Date(row.created_at),
    startedAt: dateOf(row.started_at),
    seededAt: dateOf(row.seeded_at),
    endedAt: dateOf(row.ended_at),
    abortsAt: dateOf(row.aborts_at),
    activeAt: dateOf(row.active_at),
    workedMs: row.worked_ms,
    readAt: new Date(row.read_at),
    counts: Object.fromEntries(COUNTERS.map((name) => [name, row[counterColumn(name)]])) as RunCounts,
    leftOut: row.left_out,
    events: row.events,
    lastEventAt: dateOf(row.last_event_at),
  };
}

/** Lease fields as $1, $2 and $3. */
export const LEASE_HELD = `id = $1 and worker = $2 and fence = $3 and ended_at is null`;

export function leaseValues(lease: RunLease): [number, string, number] {
  return [lease.run.id, lease.worker, lease.fence];
}

/** Whether a coordinator still holds its run, checked within the transaction that depends on it. */
export async function holdsLease(tx: Executor, lease: RunLease): Promise<boolean> {
  return (await tx.all(`select id from runs where ${LEASE_HELD}`, leaseValues(lease))).length > 0;
}

/**
 * A transaction of a run's coordinator that changes counters; it changes nothing and returns `otherwise` if the lease is lost. A
 * coordinator that was suspended in the middle would otherwise do the work of the one that took over again.
 */
export async function underLease<Result>(
  engine: Engine,
  lease: RunLease,
  otherwise: Result,
  work: (tx: Executor) => Promise<Result>,
): Promise<Result> {
  const holds = (tx: Executor): Promise<boolean> => holdsLease(tx, lease);
  return transactionWhile(engine, { first: holds, last: holds }, otherwise, work);
}

/** A transaction that adds to a live run; it changes nothing and returns `otherwise` if the run has ended, as with the removal of its source. */
export async function inLiveRun<Result>(
  engine: Engine,
  run: RunId,
  otherwise: Result,
  work: (tx: Executor) => Promise<Result>,
): Promise<Result> {
  const isLive = async (tx: Executor): Promise<boolean> =>
    (await tx.all(`select id from runs where id = $1 and ended_at is null`, [run])).length > 0;
  return transactionWhile(engine, { first: isLive, last: isLive }, otherwise, work);
}

/**
 * A transaction that records something about a run, ended or not; it changes nothing and returns `otherwise` if the source is removed. `lock`
 * locks the source: last, as the triggers of sources do at the commit.
 */
export async function inStoredSource<Result>(
  engine: Engine,
  lock: (tx: Executor) => Promise<boolean>,
  otherwise: Result,
  work: (tx: Executor) => Promise<Result>,
): Promise<Result> {
  return transactionWhile(engine, { first: async () => true, last: lock }, otherwise, work);
}

/** The condition is checked again at the end: by then the counters have locked the run, and a process that changes it waits for the commit or came first. */
async function transactionWhile<Result>(
  engine: Engine,
  { first, last }: Readonly<Record<'first' | 'last', (tx: Executor) => Promise<boolean>>>,
  otherwise: Result,
  work: (tx: Executor) => Promise<Result>,
): Promise<Result> {
  const undone = new Error('it no longer holds');
  try {
    return await engine.transaction(async (tx) => {
      if (!(await first(tx))) throw undone;
      const result = await work(tx);
      if (!(await last(tx))) throw undone;
      return result;
    });
  } catch (error) {
    if (error !== undone) throw error;
    return otherwise;
  }
}
