// Claims due URLs from a PostgreSQL frontier, with any number of concurrent claimers and no leader.

import { monotonicMs } from '../../platform/clock.ts';
import { OUTCOME_CODES } from '../../core/model/outcome.ts';
import type { ClaimRequest } from '../port/frontier.ts';
import type { ClaimedRow, ClaimLimits } from '../sql/engine/engine-parts.ts';
import type { Executor } from '../sql/engine/engine.ts';
import { URL_STATE } from '../sql/engine/states.ts';
import { recordClaims, WORKER_LOST, type ExpiredClaim } from '../sql/frontier/record-claims.ts';
import { LIMITED_IDLE_MS, MACHINE_PREFIX, NEXT_IDLE_SQL, SLOT_SPACING_SQL } from '../sql/frontier/host-schedule.ts';
import type { ArrayExecutor, PostgresEngine } from './postgres-engine.ts';

/**
 * Requeues expired leases and delays; after $1 attempts a URL is settled as failed instead. Few rows are in this index: only
 * claimed and waiting ones.
 */
const expireClaims = `update frontier f set worker = null, due_at = null, crashes = crashes + case when f.state = ${URL_STATE.claimed} then 1 else 0 end,
    state = case when f.attempts < $1 then ${URL_STATE.queued} else ${URL_STATE.settled} end,
    outcome = case when f.attempts < $1 then f.outcome else ${OUTCOME_CODES.failed} end,
    reason = case when f.attempts < $1 then f.reason when f.state = ${URL_STATE.claimed} then '${WORKER_LOST}' else f.reason end,
    settled_fence = case when f.attempts < $1 then f.settled_fence else f.fence end,
    settled_at = case when f.attempts < $1 then f.settled_at else now_ms() end
  from (select version_id, url_key, state as was from frontier where due_at <= now_ms() order by due_at limit 1000 for update skip locked) due
  where f.version_id = due.version_id and f.url_key = due.url_key returning f.run_id, f.host_id, f.state, f.url, f.depth, f.reason, due.was`;

const HAS_LIMITED_RUN = `exists (select 1 from host_queues l join runs on runs.id = l.run_id where l.host_id = hosts.id and runs.state = 'running' and runs.concurrency is not null)`;
const IDLE_SQL = `case when ${HAS_LIMITED_RUN} then ${LIMITED_IDLE_MS} else ${NEXT_IDLE_SQL} end`;

/**
 * $1 limit, $2 how far ahead of its rate limit a host may be claimed, $3 worker, $4 lease, $5 maximum per host, $6 excluded hosts, $7 the host of this machine's files.
 * Hosts locked by another claimer are skipped. A half-open breaker lets one request through; its outcome schedules the next one.
 * A host with empty queues is polled again later (see sql/frontier/host-schedule.ts); one that seems to have no queue is returned in `unqueued`.
 * The `case` hides a condition that old statistics may call rare, as in rows-by-key.ts.
 */
const claim = `with ready as materialized (
    select id, delay_ms, breaker,
      case when breaker <> 'closed' then 1 when delay_ms = 0 then $1 else least($1, $5, greatest(1, $2 / delay_ms)) end as max_claims
    from hosts where has_queues and ready_at <= now_ms() and host <> all($6::text[]) and (host not like '${MACHINE_PREFIX}%' or host = $7) order by ready_at limit $1 for update skip locked
  ), due as materialized (
    select ready.id as host_id, ready.delay_ms, ready.breaker, q.version_id, q.url_key, q.run_id, q.source_id, q.free,
      row_number() over (partition by ready.id order by q.nth) - 1 as nth
    from ready left join lateral (
      select u.version_id, u.url_key, l.run_id, runs.source_id, of_run.free, u.nth
      from host_queues l join runs on runs.id = l.run_id and runs.state = 'running'
      cross join lateral (
        select case when runs.concurrency is null then $1 else greatest(0, runs.concurrency - (
          select count(*) from frontier c where c.due_at is not null and c.state = ${URL_STATE.claimed} and c.run_id = l.run_id and c.worker = $3)) end as free
      ) of_run
      cross join lateral (
        select f.version_id, f.url_key, row_number() over (order by f.rank, f.priority, f.url_key) as nth from frontier f
        where f.run_id = l.run_id and f.host_id = l.host_id and f.state = ${URL_STATE.queued}
          and (runs.open_depth is null or f.priority <= runs.open_depth) order by f.rank, f.priority, f.url_key limit least(ready.max_claims, of_run.free)
      ) u
      where l.host_id = ready.id order by u.nth limit ready.max_claims
    ) q on true
  ), chosen as materialized (
    select * from (select *, row_number() over (partition by run_id order by nth, host_id) as nth_of_run from due where url_key is not null) of_runs
    where nth_of_run <= free order by nth, host_id limit $1
  ), paced as (
    update hosts set idle_ms = 0, next_at = now_ms() + batch.n * batch.spacing, ready_at = now_ms() + batch.n * batch.spacing
    from (select host_id, max(case when breaker = 'closed' then ${SLOT_SPACING_SQL} else $4 end) as spacing, count(*) as n from chosen group by host_id) batch
    where hosts.id = batch.host_id
  ), idle as (
    update hosts set idle_ms = ${IDLE_SQL}, ready_at = now_ms() + ${IDLE_SQL}
    from due where hosts.id = due.host_id and due.url_key is null
    returning hosts.id, exists (select 1 from host_queues where host_queues.host_id = hosts.id) as has_queue
  ), claimed as (
    update frontier f set state = ${URL_STATE.claimed}, fence = f.fence + 1, attempts = f.attempts + 1, worker = $3, due_at = now_ms() + $4 + chosen.nth * ${SLOT_SPACING_SQL}
    from chosen where f.version_id = chosen.version_id and f.url_key = chosen.url_key and case when f.state = ${URL_STATE.queued} then true else false end
    returning f.version_id, f.url_key, f.run_id, chosen.source_id, f.url, f.depth, f.found_by, f.fence, f.attempts, f.crashes, f.hops, chosen.delay_ms, chosen.nth * ${SLOT_SPACING_SQL} as starts_in_ms
  )
  select of_idle.unqueued, claimed.*, p.etag, p.last_modified, p.content_hash, p.pipeline_version, p.alias_key, now_ms() - p.checked_at as checked_ago, p.metadata::json ->> 'pageKind' as page_kind
  from (select array_agg(id) as unqueued from idle where not has_queue) of_idle left join claimed on true left join pages p on p.version_id = claimed.version_id and p.url_key = claimed.url_key`;

const wakeHosts = `update hosts set ready_at = next_at, idle_ms = 0 where idle_ms > 0 and id in (select id from hosts where id = any($1::int[]) order by id for update)`;

/**
 * A separate statement, since a claim reads the queues as of its start: a URL enqueued between that and its lock on the host would
 * be overlooked for good. The host is locked now, so a transaction that adds a queue either has committed it or waits to mark the host again.
 */
const forgetQueues = `update hosts set has_queues = false where id = any($1::int[]) and not exists (select 1 from host_queues where host_queues.host_id = hosts.id)`;

type UntimedRow = Omit<ClaimedRow, 'reserved_after_ms'>;
type FoundRow = (UntimedRow | { readonly url_key: null }) & { readonly unqueued: readonly number[] | null };

export interface ClaimSettings extends ClaimLimits {
  readonly localHost: string;
  readonly requireSchema: (tx: Executor) => Promise<void>;
}

export async function claimUrls(
  engine: PostgresEngine,
  request: ClaimRequest,
  { maxAttempts, queueEventMaxUrls, localHost, requireSchema }: ClaimSettings,
): Promise<readonly ClaimedRow[]> {
  return engine.transaction(async (tx) => {
    await requireSchema(tx);
    const due = await tx.all<ExpiredClaim & { host_id: number; state: number; was: number }>(expireClaims, [
      maxAttempts,
    ]);
    const woken = due.filter((row) => row.state === URL_STATE.queued);
    if (woken.length > 0) await (tx as ArrayExecutor).all(wakeHosts, [[...new Set(woken.map((row) => row.host_id))]]);
    const { limit, aheadMs, worker, leaseMs, maxPerHost = limit, excludedHosts = [] } = request;
    const values = [limit, aheadMs, worker, leaseMs, maxPerHost, excludedHosts, localHost];
    const reservedAfterMs = monotonicMs();
    const found = await (tx as ArrayExecutor).all<FoundRow>(claim, values);
    const unqueued = found[0]?.unqueued ?? [];
    if (unqueued.length > 0) await (tx as ArrayExecutor).all(forgetQueues, [unqueued]);
    const claimed = found
      .filter((row): row is UntimedRow & FoundRow => row.url_key !== null)
      .map((row) => ({ ...row, reserved_after_ms: reservedAfterMs }));
    const exhausted = due.filter((row) => row.state !== URL_STATE.queued);
    const lost = woken.filter((row) => row.was === URL_STATE.claimed);
    await recordClaims(tx, { exhausted, lost, claimed }, queueEventMaxUrls);
    return claimed;
  });
}
