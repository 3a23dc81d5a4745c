// Takes due URLs from a PostgreSQL frontier, with any number of claimers at once and no leader.

import { OUTCOME_CODES } from '../../core/model/outcome.ts';
import type { ClaimRequest } from '../port.ts';
import type { ClaimedRow } from '../sql/engine/engine-parts.ts';
import { tellGivenUp, WORKER_LOST, type GivenUp } from '../sql/frontier/expire-claims.ts';
import { SPACING } from '../sql/turns.ts';
import { NEXT_IDLE } from '../sql/frontier/host-schedule.ts';
import type { ArrayExecutor, PostgresEngine } from './postgres-engine.ts';

/**
 * Ended leases and waits return to the queue; $1 claims are enough, then a URL is settled as failed. Few rows stand in
 * this index: what is claimed or waits.
 */
const wakeDue = `update frontier f set worker = null, wake_at = null, crashes = crashes + case when f.state = 1 then 1 else 0 end,
    state = case when f.attempts < $1 then 0 else 3 end,
    outcome = case when f.attempts < $1 then f.outcome else ${OUTCOME_CODES.failed} end,
    reason = case when f.attempts < $1 then f.reason when f.state = 1 then '${WORKER_LOST}' else f.reason end,
    settled_fence = case when f.attempts < $1 then f.settled_fence else f.fence end,
    settled_at = case when f.attempts < $1 then f.settled_at else now_ms() end
  from (select version_id, url_key from frontier where wake_at <= now_ms() order by wake_at limit 1000 for update skip locked) due
  where f.version_id = due.version_id and f.url_key = due.url_key returning f.run_id, f.host_id, f.state, f.url, f.reason`;

/**
 * $1 limit, $2 how far ahead of its pace a host may be claimed, $3 worker, $4 lease, $5 the most of one host, $6 hosts that are
 * left alone. Hosts that another claimer holds are skipped. A half-open breaker lets one request through; its outcome sets the next one.
 * A host that had nothing to give is looked at again later (see sql/wake-hosts.ts).
 */
const claim = `with ready as materialized (
    select id, delay_ms, breaker,
      case when breaker <> 'closed' then 1 when delay_ms = 0 then $1 else least($1, $5, greatest(1, $2 / delay_ms)) end as takeable
    from hosts where hungry and ready_at <= now_ms() and host <> all($6::text[]) order by ready_at limit $1 for update skip locked
  ), due as materialized (
    select ready.id as host_id, ready.delay_ms, ready.breaker, q.version_id, q.url_key, q.source_id,
      row_number() over (partition by ready.id order by q.turn) - 1 as nth
    from ready left join lateral (
      select u.version_id, u.url_key, runs.source_id, u.turn
      from lanes l join runs on runs.id = l.run_id and runs.state = 'running'
      cross join lateral (
        select f.version_id, f.url_key, row_number() over (order by f.rank, f.url_key) as turn from frontier f
        where f.run_id = l.run_id and f.host_id = l.host_id and f.state = 0 order by f.rank, f.url_key limit ready.takeable
      ) u
      where l.host_id = ready.id order by u.turn limit ready.takeable
    ) q on true
  ), chosen as materialized (
    select * from due where url_key is not null order by nth, host_id limit $1
  ), paced as (
    update hosts set idle_ms = 0, next_at = now_ms() + taken.n * taken.spacing, ready_at = now_ms() + taken.n * taken.spacing
    from (select host_id, max(case when breaker = 'closed' then ${SPACING} else $4 end) as spacing, count(*) as n from chosen group by host_id) taken
    where hosts.id = taken.host_id
  ), idle as (
    update hosts set idle_ms = ${NEXT_IDLE}, ready_at = now_ms() + ${NEXT_IDLE}, hungry = exists (select 1 from lanes where lanes.host_id = hosts.id)
    from due where hosts.id = due.host_id and due.url_key is null
  ), claimed as (
    update frontier f set state = 1, fence = f.fence + 1, attempts = f.attempts + 1, worker = $3, wake_at = now_ms() + $4 + chosen.nth * ${SPACING}
    from chosen where f.version_id = chosen.version_id and f.url_key = chosen.url_key and f.state = 0
    returning f.version_id, f.url_key, f.run_id, chosen.source_id, f.url, f.depth, f.found_by, f.fence, f.attempts, f.crashes, f.hops, chosen.delay_ms as pace_ms, chosen.nth * ${SPACING} as starts_in_ms
  )
  select claimed.*, p.etag, p.last_modified, p.content_hash, p.made_by, p.alias_key, now_ms() - p.checked_at as checked_ago, p.facts::json ->> 'kind' as page_kind
  from claimed left join pages p on p.version_id = claimed.version_id and p.url_key = claimed.url_key`;

const wakeHosts = `update hosts set ready_at = next_at, idle_ms = 0 where idle_ms > 0 and id in (select id from hosts where id = any($1::int[]) order by id for update)`;

export async function claimUrls(
  engine: PostgresEngine,
  request: ClaimRequest,
  maxAttempts: number,
): Promise<readonly ClaimedRow[]> {
  return engine.transaction(async (tx) => {
    const due = await tx.all<GivenUp & { host_id: number; state: number }>(wakeDue, [maxAttempts]);
    const woken = due.filter((row) => row.state === 0);
    if (woken.length > 0) await (tx as ArrayExecutor).all(wakeHosts, [[...new Set(woken.map((row) => row.host_id))]]);
    const { limit, aheadMs, worker, leaseMs, mostOfHost = limit, without = [] } = request;
    const values = [limit, aheadMs, worker, leaseMs, mostOfHost, without];
    const claimed = await (tx as ArrayExecutor).all<ClaimedRow>(claim, values);
    await tellGivenUp(
      tx,
      due.filter((row) => row.state !== 0),
    );
    return claimed;
  });
}
