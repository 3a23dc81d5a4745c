// Takes due URLs from a SQLite frontier. One process owns the file, so a plain transaction is all the locking there is.

import { OUTCOME_CODES } from '../../core/model/outcome.ts';
import type { ClaimRequest } from '../port.ts';
import type { ClaimedRow } from '../sql/engine/engine-parts.ts';
import { tellGivenUp, WORKER_LOST, type GivenUp } from '../sql/frontier/expire-claims.ts';
import type { Executor } from '../sql/engine/engine.ts';
import { spacingOf } from '../sql/turns.ts';
import { nextIdle } from '../sql/frontier/host-schedule.ts';
import type { Connection, SqliteEngine } from './sqlite-engine.ts';

/** Bounds one transaction after a long sleep in which every lease ended. */
const WAKE_AT_ONCE = 1000;

const dueRows = `select version_id, url_key, run_id, host_id, attempts, url from frontier where wake_at <= ?1 order by wake_at limit ${WAKE_AT_ONCE}`;
const wake = `update frontier set state = 0, worker = null, wake_at = null, crashes = crashes + (state = 1) where version_id = ?1 and url_key = ?2`;
const giveUp = `update frontier set reason = case when state = 1 then '${WORKER_LOST}' else reason end, crashes = crashes + (state = 1),
    state = 3, outcome = ${OUTCOME_CODES.failed}, worker = null, wake_at = null, settled_fence = fence, settled_at = ?3
  where version_id = ?1 and url_key = ?2 returning reason`;
const wakeHost = `update hosts set ready_at = next_at, idle_ms = 0 where id = ?1 and idle_ms > 0`;

const readyHosts = `select id, delay_ms, breaker, idle_ms from hosts where hungry and ready_at <= ?1 and host not in (select value from json_each(?3))
  order by ready_at limit ?2`;
const lanesOfHost = `select lanes.run_id, runs.source_id from lanes join runs on runs.id = lanes.run_id where lanes.host_id = ?1 and runs.state = 'running'`;
const nextOfLane = `select version_id, url_key from frontier where run_id = ?1 and host_id = ?2 and state = 0 order by rank, url_key limit ?3`;
const take = `update frontier set state = 1, fence = fence + 1, attempts = attempts + 1, worker = ?3, wake_at = ?4 where version_id = ?1 and url_key = ?2
  returning version_id, url_key, run_id, url, depth, found_by, fence, attempts, crashes, hops`;
const knownPage = `select etag, last_modified, content_hash, made_by, alias_key, ?3 - checked_at as checked_ago, facts ->> '$.kind' as page_kind
  from pages where version_id = ?1 and url_key = ?2`;
const pace = `update hosts set next_at = ?2, ready_at = ?2, idle_ms = 0 where id = ?1`;
const idle = `update hosts set ready_at = ?2, idle_ms = ?3, hungry = exists (select 1 from lanes where host_id = ?1) where id = ?1`;

type KnownColumns = Pick<
  ClaimedRow,
  'etag' | 'last_modified' | 'content_hash' | 'made_by' | 'alias_key' | 'checked_ago' | 'page_kind'
>;

const NO_PAGE: KnownColumns = {
  etag: null,
  last_modified: null,
  content_hash: null,
  made_by: null,
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

interface Due {
  readonly version_id: number;
  readonly url_key: Uint8Array;
  readonly source_id: number;
}

export async function claimUrls(
  engine: SqliteEngine,
  request: ClaimRequest,
  maxAttempts: number,
): Promise<readonly ClaimedRow[]> {
  const claim = async (tx: Executor): Promise<readonly ClaimedRow[]> => {
    const now = engine.now();
    const db = engine.writer;
    await tellGivenUp(tx, wakeDue(db, now, maxAttempts));
    const claimed: ClaimedRow[] = [];
    for (const host of db
      .prepare(readyHosts)
      .all(now, request.limit, JSON.stringify(request.without ?? [])) as unknown as Host[]) {
      if (claimed.length >= request.limit) break;
      claimed.push(...claimFromHost(db, host, { ...request, limit: request.limit - claimed.length }, now));
    }
    return claimed;
  };
  // A claim that a power cut takes back is a URL that is due, as it would be after a power cut anyway.
  return engine.transaction(claim, 'later');
}

/** Ended leases and waits return to the queue; what was claimed often enough is settled as failed, and returned. */
function wakeDue(db: Connection, now: number, maxAttempts: number): readonly GivenUp[] {
  const rows = db.prepare(dueRows).all(now) as unknown as Array<{
    version_id: number;
    url_key: Uint8Array;
    run_id: number;
    host_id: number;
    attempts: number;
    url: string;
  }>;
  const givenUp: GivenUp[] = [];
  for (const row of rows) {
    if (row.attempts < maxAttempts) {
      db.prepare(wake).run(row.version_id, row.url_key);
      db.prepare(wakeHost).run(row.host_id);
    } else {
      const { reason } = db.prepare(giveUp).get(row.version_id, row.url_key, now) as { reason: string };
      givenUp.push({ run_id: row.run_id, url: row.url, reason });
    }
  }
  return givenUp;
}

function claimFromHost(db: Connection, host: Host, request: ClaimRequest, now: number): ClaimedRow[] {
  const due = dueOfHost(db, host, takeable(host, request));
  if (due.length === 0) {
    const idleMs = nextIdle(host.idle_ms);
    db.prepare(idle).run(host.id, now + idleMs, idleMs);
    return [];
  }
  // A half-open breaker lets one request through; its outcome sets the next one.
  const spacing = host.breaker === 'closed' ? spacingOf(host.delay_ms) : request.leaseMs;
  db.prepare(pace).run(host.id, now + spacing * due.length);
  return due.map((row, nth) =>
    claimRow(db, row, request, { now, startsInMs: nth * spacingOf(host.delay_ms), paceMs: host.delay_ms }),
  );
}

function takeable(host: Host, request: ClaimRequest): number {
  if (host.breaker !== 'closed') return 1;
  if (host.delay_ms === 0) return request.limit;
  const { limit, aheadMs, mostOfHost = limit } = request;
  return Math.min(limit, mostOfHost, Math.max(1, Math.floor(aheadMs / host.delay_ms)));
}

/** Runs that share a host take turns. */
function dueOfHost(db: Connection, host: Host, limit: number): Due[] {
  const lanes = db.prepare(lanesOfHost).all(host.id) as Array<{ run_id: number; source_id: number }>;
  const queues = lanes.map(({ run_id, source_id }) => {
    const rows = db.prepare(nextOfLane).all(run_id, host.id, limit) as unknown as Array<Omit<Due, 'source_id'>>;
    return rows.map((row) => ({ ...row, source_id }));
  });
  const due: Due[] = [];
  for (let turn = 0; due.length < limit && queues.some((queue) => turn < queue.length); turn += 1) {
    for (const queue of queues) {
      const row = queue[turn];
      if (row !== undefined && due.length < limit) due.push(row);
    }
  }
  return due;
}

function claimRow(
  db: Connection,
  row: Due,
  request: ClaimRequest,
  at: { now: number; startsInMs: number; paceMs: number },
): ClaimedRow {
  const leaseEnd = at.now + at.startsInMs + request.leaseMs;
  const taken = db.prepare(take).get(row.version_id, row.url_key, request.worker, leaseEnd) as unknown as ClaimedRow;
  const known = db.prepare(knownPage).get(row.version_id, row.url_key, at.now) as unknown as KnownColumns | undefined;
  return {
    ...taken,
    source_id: row.source_id,
    starts_in_ms: at.startsInMs,
    pace_ms: at.paceMs,
    ...(known ?? NO_PAGE),
  };
}
