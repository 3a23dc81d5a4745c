// The events of PostgreSQL are in tables by ranges of their numbers, so that retention drops tables: deleting rows leaves them to vacuum,
// which reads the indexes of all others. A list is in the order of the numbers, so it begins with the newest range and rarely reads more.
//
// A table is named for the first number of its range, which ends where the next one begins. The last one has no end and is empty as
// long as ranges are closed ahead of the events.

import { monotonicMs } from '../../platform/clock.ts';
import type { EventPartitions } from '../sql/engine/engine-parts.ts';
import type { Executor } from '../sql/engine/engine.ts';
import type { PostgresEngine } from './postgres-engine.ts';
import { sqlState } from './postgres-failure.ts';

const DAY_MS = 86_400_000;
/** A range holds the events of one or two weeks: each makes every list slower, and events are kept for one range longer. */
const MIN_SPAN_MS = 7 * DAY_MS;
const MAX_SPAN_MS = 14 * DAY_MS;
/** Events are kept for a quarter longer than set at most. */
const MAX_EXCESS = 0.25;
/** Ranges of libraries that keep their events for years grow until there are no more than these. */
const MAX_PARTITIONS = 32;
const MIN_SIZE = 1_000_000;

/** One process at a time; the others leave it to that one. */
const tryLock = `select pg_try_advisory_xact_lock(7069702) as taken`;
/** Writers queue behind a statement that waits for its lock, for example for the end of a dump. */
const limitWaits = `set local lock_timeout = '500ms'`;
/** Events are written into the last range in the meantime. */
const RETRY_MS = 5 * 60_000;
const unlimitReads = `set local statement_timeout = 0`;

/** lock_not_available: the next run tries again. */
const BUSY = '55P03';
/** insufficient_privilege: the tables belong to another role, which migrates. */
const NOT_OWNER = '42501';

const selectPartitions = `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'events'::regclass`;
const selectHead = `select last, coalesce(expiry_at, now_ms()) as expiry_at, now_ms() as now from event_head`;

interface Partition {
  readonly name: string;
  readonly first: number;
}

interface Head {
  readonly last: number;
  readonly expiry_at: number;
  readonly now: number;
}

export function createEventPartitions(engine: PostgresEngine): EventPartitions {
  // The number from which on there is something to do.
  let extendAt = 0;
  let retryAt = 0;
  return {
    async extend() {
      if (monotonicMs() < retryAt) return;
      const [head] = await engine.reader.all<Head>(selectHead);
      if (head === undefined || head.last < extendAt) return;
      const at = await maintain(engine, extendRanges);
      if (typeof at === 'number') extendAt = at;
      else retryAt = monotonicMs() + RETRY_MS;
    },
    async retire(olderThanMs) {
      const outcome = await maintain(engine, (tx) => retireOldest(tx, olderThanMs));
      if (outcome === 'busy') return 0;
      return outcome === 'not-owner' ? null : outcome;
    },
  };
}

async function maintain<T>(
  engine: PostgresEngine,
  work: (tx: Executor) => Promise<T>,
): Promise<T | 'busy' | 'not-owner'> {
  try {
    return await engine.transaction(async (tx) => {
      await tx.all(limitWaits);
      await tx.all(unlimitReads);
      const [lock] = await tx.all<{ taken: boolean }>(tryLock);
      return lock?.taken === true ? work(tx) : 'busy';
    });
  } catch (error) {
    const state = sqlState(error);
    if (state === BUSY) return 'busy';
    if (state === NOT_OWNER) return 'not-owner';
    throw error;
  }
}

async function readPartitions(tx: Executor): Promise<readonly Partition[]> {
  const rows = await tx.all<{ name: string }>(selectPartitions);
  return rows
    .map(({ name }) => ({ name, first: Number(name.slice('events_'.length)) }))
    .toSorted((a, b) => a.first - b.first);
}

async function readHead(tx: Executor): Promise<Head> {
  const [head] = await tx.all<Head>(selectHead);
  return head ?? { last: 0, expiry_at: 0, now: 0 };
}

/** Closes the last range once the one before it is half full; returns the number at which the next one is due. */
async function extendRanges(tx: Executor): Promise<number> {
  const partitions = await readPartitions(tx);
  const [current, open] = partitions.slice(-2);
  if (current === undefined || open === undefined) return Number.MAX_SAFE_INTEGER;
  const size = open.first - current.first;
  const dueAt = current.first + Math.floor(size / 2);
  const { last, now } = await readHead(tx);
  if (last < dueAt) return dueAt;
  const since = (await timeOf(tx, current, 'first')) ?? now;
  const next = Math.max(open.first, last) + nextSize(size, 2 * (now - since), partitions.length);
  // The range of a table cannot be changed while it belongs to the others. It is empty, or read once.
  await tx.all(`alter table events detach partition ${open.name}`);
  await tx.all(`alter table events attach partition ${open.name} for values from (${open.first}) to (${next})`);
  await tx.all(`create table events_${next} partition of events for values from (${next}) to (maxvalue)`);
  return open.first + Math.floor((next - open.first) / 2);
}

/** The size of the next range, from how long the previous one took to fill. */
export function nextSize(size: number, spanMs: number, partitions: number): number {
  if (spanMs < MIN_SPAN_MS || partitions > MAX_PARTITIONS) return size * 2;
  return spanMs > MAX_SPAN_MS ? Math.max(MIN_SIZE, Math.floor(size / 2)) : size;
}

/** Null if the oldest events are to be deleted row by row: their range is not full, or took so long to fill that they are few. */
async function retireOldest(tx: Executor, olderThanMs: number): Promise<number | null> {
  const [oldest, next] = await readPartitions(tx);
  const { last, expiry_at: expiryAt } = await readHead(tx);
  if (oldest === undefined || next === undefined || next.first > last) return null;
  const endedAt = (await timeOf(tx, oldest, 'last')) ?? 0;
  const dropped = endedAt < expiryAt - olderThanMs ? await dropIfBefore(tx, oldest, expiryAt - olderThanMs) : 0;
  if (dropped > 0) return dropped;
  const startedAt = (await timeOf(tx, oldest, 'first')) ?? endedAt;
  return endedAt - startedAt < Math.min(MAX_SPAN_MS, olderThanMs * MAX_EXCESS) ? 0 : null;
}

/** A clock that was set back gave the last events times before those of others, so all are looked at. Returns how many were dropped. */
async function dropIfBefore(tx: Executor, { name }: Partition, time: number): Promise<number> {
  const [row] = await tx.all<{ n: number; newest: number }>(
    `select count(*) as n, coalesce(max(at), 0) as newest from ${name}`,
  );
  if (row === undefined || row.newest >= time) return 0;
  await tx.all(`drop table ${name}`);
  return Math.max(1, row.n);
}

async function timeOf(tx: Executor, { name }: Partition, end: 'first' | 'last'): Promise<number | null> {
  const [row] = await tx.all<{ at: number }>(
    `select at from ${name} order by seq ${end === 'first' ? 'asc' : 'desc'} limit 1`,
  );
  return row?.at ?? null;
}
