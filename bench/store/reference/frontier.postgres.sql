-- The floor that the frontier on PostgreSQL is measured against: no lease, no fencing token, no content, no counters.
-- Statements are separated by a line `-- name: …`; bench/store/frontier-postgres.ts runs them on the same data as our own.

-- name: schema
create table fr_hosts(host_id int primary key, next_fetch_at timestamptz, delay_ms int, pending int) with (fillfactor=70);
create index fr_hosts_ready on fr_hosts(next_fetch_at) where pending > 0;
create table fr_urls(url_hash uuid, host_id int, status smallint default 0, priority smallint default 0, next_at timestamptz default now(), url text, primary key(host_id, url_hash));
create index fr_urls_ready on fr_urls(host_id, priority desc, next_at) where status = 0;

-- name: claim
with h as materialized (select host_id from fr_hosts where pending > 0 and next_fetch_at <= now() order by next_fetch_at limit $1 for update skip locked),
     u as (update fr_hosts f set next_fetch_at = now() + f.delay_ms * $2 * interval '1 ms', pending = f.pending - $2 from h where f.host_id = h.host_id returning f.host_id),
     c as materialized (select u.host_id, x.url_hash from u cross join lateral (select url_hash from fr_urls where host_id = u.host_id and status = 0 order by priority desc, next_at limit $2) x)
update fr_urls f set status = 1 from c where f.host_id = c.host_id and f.url_hash = c.url_hash returning f.host_id, f.url_hash, f.url

-- name: complete
update fr_urls f set status = 2 from unnest($1::int[], $2::uuid[]) as c(host_id, url_hash) where f.host_id = c.host_id and f.url_hash = c.url_hash

-- name: enqueue
insert into fr_urls(host_id, url_hash, url) select * from unnest($1::int[], $2::uuid[], $3::text[]) order by 1, 2 on conflict do nothing

-- name: add-pending
update fr_hosts h set pending = h.pending + c.n from (select host_id, count(*)::int as n from unnest($1::int[]) as t(host_id) group by 1) c where h.host_id = c.host_id
