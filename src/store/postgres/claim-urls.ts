// Takes due URLs from a PostgreSQL frontier, with any number of claimers at once and no leader.
//
// A lane (run, host) that may hold queued URLs is open. Offering locks its lane for share before it commits; closing
// locks it for update, skips it when an offer holds it, and looks for queued URLs only after it has the lock. So a lane
// is never closed over a URL that is about to be committed, and offers never wait for each other.

import type { ClaimRequest } from '../port.ts';
import type { ClaimedRow } from '../sql/engine-parts.ts';
import type { Executor } from '../sql/engine.ts';
import type { RunId } from '../../core/model/run.ts';
import type { PostgresEngine } from './postgres-engine.ts';

/** Ended leases and waits return to the queue. Few rows stand in this index: what is claimed or waits. */
const wakeDue = `update frontier f set state = 0, worker = null, wake_at = null, crashes = crashes + case when f.state = 1 then 1 else 0 end
  from (select version_id, url_key from frontier where wake_at <= now_ms() order by wake_at limit 1000 for update skip locked) due
  where f.version_id = due.version_id and f.url_key = due.url_key returning f.run_id, f.host_id`;

/**
 * $1 limit, $2 how far ahead of its pace a host may be claimed, $3 worker, $4 lease. Hosts that another claimer holds are
 * skipped. A half-open breaker lets one request through; its outcome sets the next one.
 * Rows without a url_key name hosts that had nothing to give.
 */
const claim = `with ready as materialized (
    select id, delay_ms, breaker,
      case when breaker <> 'closed' then 1 when delay_ms = 0 then $1 else least($1, greatest(1, $2 / delay_ms)) end as takeable
    from hosts where hungry and next_at <= now_ms() order by next_at limit $1 for update skip locked
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
      where l.host_id = ready.id and l.open order by u.turn limit ready.takeable
    ) q on true
  ), chosen as materialized (
    select * from due where url_key is not null order by nth, host_id limit $1
  ), paced as (
    update hosts set next_at = now_ms() + taken.n * case when taken.breaker = 'closed' then taken.delay_ms else $4 end
    from (select host_id, max(delay_ms) as delay_ms, max(breaker) as breaker, count(*) as n from chosen group by host_id) taken
    where hosts.id = taken.host_id
  ), claimed as (
    update frontier f set state = 1, fence = f.fence + 1, attempts = f.attempts + 1, worker = $3, wake_at = now_ms() + $4 + chosen.nth * chosen.delay_ms
    from chosen where f.version_id = chosen.version_id and f.url_key = chosen.url_key and f.state = 0
    returning f.version_id, f.url_key, f.run_id, chosen.source_id, f.url, f.depth, f.found_by, f.fence, f.attempts, f.crashes, chosen.nth * chosen.delay_ms as starts_in_ms
  )
  select claimed.*, p.etag, p.last_modified, p.content_hash, p.made_by, null::bigint as starved
  from claimed left join pages p on p.version_id = claimed.version_id and p.url_key = claimed.url_key
  union all
  select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, host_id from due where url_key is null`;

const lockLanes = `select run_id, host_id from lanes where host_id = any($1::int[]) and open for update skip locked`;
const closeLanes = `update lanes l set open = false from unnest($1::int[], $2::int[]) as r (run_id, host_id)
  where l.run_id = r.run_id and l.host_id = r.host_id
    and (not exists (select 1 from frontier f where f.run_id = l.run_id and f.host_id = l.host_id and f.state = 0)
      or not exists (select 1 from runs where runs.id = l.run_id and runs.state = 'running'))`;
const starveHosts = `update hosts h set hungry = exists (select 1 from lanes l where l.host_id = h.id and l.open) where h.id = any($1::int[])`;

const newLanes = `insert into lanes (run_id, host_id, open) select $1::int, host_id, true from unnest($2::int[]) as r (host_id) order by host_id
  on conflict do nothing returning host_id`;
const shareLanes = `select host_id, open from lanes where run_id = $1 and host_id = any($2::int[]) order by host_id for share`;
const reopenLanes = `update lanes set open = true where run_id = $1 and host_id = any($2::int[])`;
const wakeHosts = `update hosts set hungry = true where id in (select id from hosts where id = any($1::int[]) order by id for update)`;

type MaybeClaimed = ClaimedRow & { readonly url_key: Uint8Array | null; readonly starved: number | null };

/** Values of these statements are arrays too, which the shared executor does not speak of. */
type ArrayExecutor = { all<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]> };

export async function claimUrls(engine: PostgresEngine, request: ClaimRequest): Promise<readonly ClaimedRow[]> {
  return engine.transaction(async (tx) => {
    const woken = await tx.all<{ run_id: number; host_id: number }>(wakeDue);
    for (const [run, rows] of [...Map.groupBy(woken, (row) => row.run_id)].sort(([a], [b]) => a - b)) {
      await openLanes(
        tx,
        run as RunId,
        [...new Set(rows.map((row) => row.host_id))].sort((a, b) => a - b),
      );
    }
    const rows = await tx.all<MaybeClaimed>(claim, [request.limit, request.aheadMs, request.worker, request.leaseMs]);
    await closeStarved(
      tx,
      rows.flatMap((row) => (row.starved === null ? [] : [row.starved])),
    );
    return rows.filter((row) => row.url_key !== null);
  });
}

async function closeStarved(tx: ArrayExecutor, hosts: readonly number[]): Promise<void> {
  if (hosts.length === 0) return;
  const lanes = await tx.all<{ run_id: number; host_id: number }>(lockLanes, [hosts]);
  if (lanes.length > 0) await tx.all(closeLanes, [lanes.map((lane) => lane.run_id), lanes.map((lane) => lane.host_id)]);
  await tx.all(starveHosts, [hosts]);
}

/** `hosts` in ascending order. */
export async function openLanes(executor: Executor, run: RunId, hosts: readonly number[]): Promise<void> {
  const tx = executor as ArrayExecutor;
  const fresh = await tx.all<{ host_id: number }>(newLanes, [run, hosts]);
  const lanes = await tx.all<{ host_id: number; open: boolean }>(shareLanes, [run, hosts]);
  const closed = lanes.filter((lane) => !lane.open).map((lane) => lane.host_id);
  if (closed.length > 0) await tx.all(reopenLanes, [run, closed]);
  const wake = [...new Set([...fresh.map((lane) => lane.host_id), ...closed])];
  if (wake.length > 0) await tx.all(wakeHosts, [wake]);
}
