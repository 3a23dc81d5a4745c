// Claims due URLs from a SQLite frontier, and ends the leases of a former owner. One process owns the file, so a plain transaction
// is all the locking it needs.

import { monotonicMs } from '../../platform/clock.ts';
import { PinakesError } from '../../core/model/errors.ts';
import { OUTCOME_CODES } from '../../core/model/outcome.ts';
import type { ClaimRequest } from '../port/frontier.ts';
import type { ClaimedRow, ClaimLimits } from '../sql/engine/engine-parts.ts';
import { EMBEDDING_STATE, SEGMENT_STATE, URL_STATE } from '../sql/engine/states.ts';
import { recordClaims, WORKER_LOST, type ClaimEvents, type ExpiredClaim } from '../sql/frontier/record-claims.ts';
import type { Executor } from '../sql/engine/engine.ts';
import { LIMITED_IDLE_MS, nextIdleMs, slotSpacingMs } from '../sql/frontier/host-schedule.ts';
import type { Connection, SqliteEngine } from './sqlite-engine.ts';
import { sqliteFailure } from './sqlite-failure.ts';

/** Limits one transaction after a long sleep of the machine, in which every lease expired. */
const MAX_EXPIRED = 1000;

const selectExpired = `select version_id, url_key, run_id, host_id, attempts, url, depth, state from frontier where due_at <= ?1 order by due_at limit ${MAX_EXPIRED}`;
const requeueUrl = `update frontier set state = ${URL_STATE.queued}, worker = null, due_at = null, crashes = crashes + (state = ${URL_STATE.claimed}) where version_id = ?1 and url_key = ?2`;
const failUrl = `update frontier set reason = case when state = ${URL_STATE.claimed} then '${WORKER_LOST}' else reason end, crashes = crashes + (state = ${URL_STATE.claimed}),
    state = ${URL_STATE.settled}, outcome = ${OUTCOME_CODES.failed}, worker = null, due_at = null, settled_fence = fence, settled_at = ?3
  where version_id = ?1 and url_key = ?2 returning reason`;
const wakeHost = `update hosts set ready_at = next_at, idle_ms = 0 where id = ?1 and idle_ms > 0`;

const selectReadyHosts = `select id, delay_ms, breaker, idle_ms from hosts where has_queues and ready_at <= ?1 and host not in (select value from json_each(?3))
  order by ready_at limit ?2`;
const selectHostQueues = `select host_queues.run_id, runs.source_id, runs.open_depth, runs.concurrency from host_queues join runs on runs.id = host_queues.run_id where host_queues.host_id = ?1 and runs.state = 'running'`;
const countInFlight = `select count(*) as n from frontier where due_at is not null and state = ${URL_STATE.claimed} and run_id = ?1 and worker = ?2`;
const selectNextOfQueue = `select version_id, url_key from frontier where run_id = ?1 and host_id = ?2 and state = ${URL_STATE.queued}
  and (?4 is null or priority <= ?4) order by rank, priority, url_key limit ?3`;
const claimUrl = `update frontier set state = ${URL_STATE.claimed}, fence = fence + 1, attempts = attempts + 1, worker = ?3, due_at = ?4 where version_id = ?1 and url_key = ?2
  returning version_id, url_key, run_id, url, depth, found_by, fence, attempts, crashes, hops`;
const selectPreviousPage = `select etag, last_modified, content_hash, pipeline_version, alias_key, ?3 - checked_at as checked_ago, metadata ->> '$.pageKind' as page_kind
  from pages where version_id = ?1 and url_key = ?2`;
const scheduleHost = `update hosts set next_at = ?2, ready_at = ?2, idle_ms = 0 where id = ?1`;
const idleHost = `update hosts set ready_at = ?2, idle_ms = ?3, has_queues = exists (select 1 from host_queues where host_id = ?1) where id = ?1`;

type PreviousColumns = Pick<
  ClaimedRow,
  'etag' | 'last_modified' | 'content_hash' | 'pipeline_version' | 'alias_key' | 'checked_ago' | 'page_kind'
>;

const NO_PAGE: PreviousColumns = {
  etag: null,
  last_modified: null,
  content_hash: null,
  pipeline_version: null,
  alias_key: null,
  checked_ago: null,
  page_kind: null,
};

interface Host {
  readonly id: number;
  readonly delay_ms: number;
  readonly breaker: string;
  readonly idle_ms: number;
}

interface DueUrl {
  readonly version_id: number;
  readonly url_key: Uint8Array;
  readonly source_id: number;
}

export async function claimUrls(
  engine: SqliteEngine,
  request: ClaimRequest,
  { maxAttempts, queueEventMaxUrls }: ClaimLimits,
): Promise<readonly ClaimedRow[]> {
  const claim = async (tx: Executor): Promise<readonly ClaimedRow[]> => {
    const time = { now: engine.now(), reservedAfterMs: monotonicMs() };
    const { now } = time;
    const db = engine.writer;
    const expired = expireClaims(db, now, maxAttempts);
    const claimed: ClaimedRow[] = [];
    for (const host of db
      .prepare(selectReadyHosts)
      .all(now, request.limit, JSON.stringify(request.excludedHosts ?? [])) as unknown as Host[]) {
      if (claimed.length >= request.limit) break;
      claimed.push(...claimFromHost(db, host, { ...request, limit: request.limit - claimed.length }, time));
    }
    await recordClaims(tx, { ...expired, claimed }, queueEventMaxUrls);
    return claimed;
  };
  // Flushed, although a claim that a power failure undoes would be due anyway: clients know the numbers of its events.
  return engine.transaction(claim);
}

/** Requeues expired leases and delays; a URL that used up its attempts is settled as failed, and returned. */
function expireClaims(db: Connection, now: number, maxAttempts: number): Omit<ClaimEvents, 'claimed'> {
  const rows = db.prepare(selectExpired).all(now) as unknown as Array<{
    version_id: number;
    url_key: Uint8Array;
    run_id: number;
    host_id: number;
    attempts: number;
    url: string;
    depth: number;
    state: number;
  }>;
  const exhausted: ExpiredClaim[] = [];
  const lost: ExpiredClaim[] = [];
  for (const row of rows) {
    if (row.attempts < maxAttempts) {
      db.prepare(requeueUrl).run(row.version_id, row.url_key);
      db.prepare(wakeHost).run(row.host_id);
      if (row.state === URL_STATE.claimed) lost.push({ ...row, reason: WORKER_LOST });
    } else {
      const { reason } = db.prepare(failUrl).get(row.version_id, row.url_key, now) as { reason: string };
      exhausted.push({ ...row, reason });
    }
  }
  return { exhausted, lost };
}

interface ClaimTime {
  readonly now: number;
  readonly reservedAfterMs: number;
}

function claimFromHost(db: Connection, host: Host, request: ClaimRequest, time: ClaimTime): ClaimedRow[] {
  const { now } = time;
  const { due, isLimited } = dueOfHost(db, host, request);
  if (due.length === 0) {
    const idleMs = isLimited ? LIMITED_IDLE_MS : nextIdleMs(host.idle_ms);
    db.prepare(idleHost).run(host.id, now + idleMs, idleMs);
    return [];
  }
  // A half-open breaker lets one request through; its outcome sets the next one.
  const spacing = host.breaker === 'closed' ? slotSpacingMs(host.delay_ms) : request.leaseMs;
  db.prepare(scheduleHost).run(host.id, now + spacing * due.length);
  return due.map((row, nth) =>
    claimRow(db, row, request, { ...time, startsInMs: nth * slotSpacingMs(host.delay_ms), delayMs: host.delay_ms }),
  );
}

function maxClaims(host: Host, request: ClaimRequest): number {
  if (host.breaker !== 'closed') return 1;
  if (host.delay_ms === 0) return request.limit;
  const { limit, aheadMs, maxPerHost = limit } = request;
  return Math.min(limit, maxPerHost, Math.max(1, Math.floor(aheadMs / host.delay_ms)));
}

interface HostQueue {
  readonly run_id: number;
  readonly source_id: number;
  readonly open_depth: number | null;
  readonly concurrency: number | null;
}

interface DueOfHost {
  readonly due: readonly DueUrl[];
  /** A run that limits its own concurrency uses the host. */
  readonly isLimited: boolean;
}

/** Round robin among the runs that share a host. */
function dueOfHost(db: Connection, host: Host, request: ClaimRequest): DueOfHost {
  const limit = maxClaims(host, request);
  const hostQueues = db.prepare(selectHostQueues).all(host.id) as unknown as readonly HostQueue[];
  const queues = hostQueues.map((queue) => {
    const values = [queue.run_id, host.id, Math.min(limit, freeOf(db, queue, request)), queue.open_depth];
    const rows = db.prepare(selectNextOfQueue).all(...values) as unknown as Array<Omit<DueUrl, 'source_id'>>;
    return rows.map((row) => ({ ...row, source_id: queue.source_id }));
  });
  const due: DueUrl[] = [];
  for (let round = 0; due.length < limit && queues.some((queue) => round < queue.length); round += 1) {
    for (const queue of queues) {
      const row = queue[round];
      if (row !== undefined && due.length < limit) due.push(row);
    }
  }
  return { due, isLimited: hostQueues.some(({ concurrency }) => concurrency !== null) };
}

/** How many more URLs of the run this worker may claim. */
function freeOf(db: Connection, { run_id, concurrency }: HostQueue, { worker, limit }: ClaimRequest): number {
  if (concurrency === null) return limit;
  const { n } = db.prepare(countInFlight).get(run_id, worker) as { n: number };
  return Math.max(0, concurrency - n);
}

function claimRow(
  db: Connection,
  row: DueUrl,
  request: ClaimRequest,
  at: ClaimTime & { readonly startsInMs: number; readonly delayMs: number },
): ClaimedRow {
  const leaseEnd = at.now + at.startsInMs + request.leaseMs;
  const claimed = db
    .prepare(claimUrl)
    .get(row.version_id, row.url_key, request.worker, leaseEnd) as unknown as ClaimedRow;
  const previous = db.prepare(selectPreviousPage).get(row.version_id, row.url_key, at.now) as unknown as
    | PreviousColumns
    | undefined;
  return {
    ...claimed,
    source_id: row.source_id,
    starts_in_ms: at.startsInMs,
    reserved_after_ms: at.reservedAfterMs,
    delay_ms: at.delayMs,
    ...(previous ?? NO_PAGE),
  };
}

/**
 * The directory is locked, so every former holder of a lease is dead, and segments that were being filled will not be finished.
 * If the disk is too full to write this, leases expire by themselves.
 */
export function endLeases({ writer: { database } }: SqliteEngine): void {
  try {
    database.exec(`update frontier set due_at = now_ms() where due_at > now_ms() and state = ${URL_STATE.claimed};
      update embeddings set due_at = now_ms() where due_at > now_ms() and state = ${EMBEDDING_STATE.claimed};
      update runs set lease_until = now_ms() where lease_until > now_ms();
      update search_segments set state = ${SEGMENT_STATE.dropped} where state = ${SEGMENT_STATE.filling}`);
  } catch (error) {
    const failure = sqliteFailure(error);
    if (!(failure instanceof PinakesError) || failure.code !== 'database.full') throw failure;
  }
}
