// The clock of a SQLite database. Leases, delays and pauses are stored as times, so a clock that is set back would extend them
// by hours: this one never goes back while it runs. After a clock was wrong, what it dated in the future is corrected once.

import { DatabaseSync } from 'node:sqlite';
import { monotonicMs, now } from '../../platform/clock.ts';
import { URL_STATE } from '../sql/engine/states.ts';

export interface MonotonicClockDeps {
  readonly wall: () => number;
  /** Since an arbitrary moment, independent of changes to the wall clock. */
  readonly monotonicMs: () => number;
}

const SYSTEM: MonotonicClockDeps = { wall: now, monotonicMs };

const HOUR_MS = 3_600_000;
/** A wrong time zone is off by up to 26 hours. A stored time further ahead than this was taken from a clock that was wrong. */
const MAX_AHEAD_MS = 48 * HOUR_MS;
/** A machine without a battery starts in 1970 or in the year it was made, and is set right later. */
const EARLIEST_MS = Date.UTC(2026, 0, 1);

/** Whether a time of the database is so far ahead that the system clock is believed instead. */
function isFarAhead(storedMs: number, wallMs: number): boolean {
  return wallMs >= EARLIEST_MS && storedMs - wallMs > MAX_AHEAD_MS;
}

/**
 * Follows the system clock forward, for example after a sleep of the machine, and continues on its own when that one is set
 * back. `newest` is the latest time stored in the database; one that is far ahead is not believed.
 */
export function createMonotonicClock(newest: number, system: MonotonicClockDeps = SYSTEM): () => number {
  const start = system.wall();
  let time = isFarAhead(newest, start) ? start : Math.max(newest, start);
  let read = system.monotonicMs();
  return () => {
    const elapsedMs = system.monotonicMs() - read;
    time = Math.max(system.wall(), time + elapsedMs);
    read += elapsedMs;
    return Math.floor(time);
  };
}

const selectNewest = `select at from (select at from events order by seq desc limit 1) union all select max(created_at) from runs`;

/** The clock of a database that exists. */
export function createDatabaseClock(file: string): () => number {
  return createMonotonicClock(withDatabase(file, true, readNewestTime));
}

function withDatabase<T>(file: string, readOnly: boolean, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file, { readOnly, timeout: 5000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** The latest time stored in the database, which is in the past unless a clock was wrong. */
function readNewestTime(database: DatabaseSync): number {
  const rows = database.prepare(selectNewest).all() as Array<{ at: number | null }>;
  return Math.max(0, ...rows.map(({ at }) => at ?? 0));
}

/** Each with the current time as ?1. Events are walked back from the newest to the first that was dated right. */
const CORRECTIONS: readonly string[] = [
  `update events set at = ?1 where seq > coalesce((select seq from events where at <= ?1 order by seq desc limit 1), 0)`,
  `update changes set at = ?1 where position > coalesce((select position from changes where at <= ?1 order by position desc limit 1), 0)`,
  `update runs set created_at = min(created_at, ?1), started_at = min(started_at, ?1), ended_at = min(ended_at, ?1), lease_until = min(lease_until, ?1)
   where created_at > ?1 or started_at > ?1 or ended_at > ?1 or lease_until > ?1`,
  `update hosts set next_at = min(next_at, ?1), ready_at = min(ready_at, ?1), paused_until = min(paused_until, ?1)
   where next_at > ?1 or ready_at > ?1 or paused_until > ?1`,
  `update frontier set due_at = ?1 where due_at > ?1 and state in (${URL_STATE.claimed}, ${URL_STATE.waiting})`,
  `update frontier set enqueued_at = min(enqueued_at, ?1), settled_at = min(settled_at, ?1) where enqueued_at > ?1 or settled_at > ?1`,
  `update pages set changed_at = min(changed_at, ?1), checked_at = min(checked_at, ?1) where changed_at > ?1 or checked_at > ?1`,
  `update version_counts set oldest_check_at = min(oldest_check_at, ?1), newest_check_at = min(newest_check_at, ?1), changed_at = min(changed_at, ?1)`,
  `update embeddings set due_at = ?1 where due_at > ?1`,
  `update index_queue set enqueued_at = ?1 where enqueued_at > ?1`,
  `update robots_files set fetched_at = ?1, fresh_until = ?1 where fetched_at > ?1`,
];
/** What was scheduled by the wrong clock is as far ahead as that clock was. */
const correctSchedules = `update sources set due_at = due_at - (?2 - ?1) where due_at > ?2`;

/**
 * The way back from a clock that was wrong: nothing waits for that time to come. For the process that owns the database, before
 * it is used; once, because afterwards no time is ahead.
 */
export function correctTimes(file: string, nowMs = now()): void {
  const newest = withDatabase(file, true, readNewestTime);
  if (!isFarAhead(newest, nowMs)) return;
  withDatabase(file, false, (database) => {
    database.exec('begin immediate');
    for (const sql of CORRECTIONS) database.prepare(sql).run(nowMs);
    database.prepare(correctSchedules).run(nowMs, newest);
    database.exec('commit');
  });
}
