-- The floor that the frontier on SQLite is measured against: no lease, no fencing token, no content, no counters.
-- Statements are separated by a line `-- name: …`; bench/store/frontier-sqlite.ts runs them on the same data as our own,
-- one transaction per batch of 100 claims and one per settled page.

-- name: schema
create table fr_hosts(host_id integer primary key, next_fetch_at integer not null, delay_ms integer not null, pending integer not null);
create index fr_hosts_ready on fr_hosts(next_fetch_at) where pending > 0;
create table fr_urls(host_id integer not null, url_hash blob not null, status integer not null default 0, priority integer not null default 0, url text not null, primary key(host_id, url_hash));
create index fr_urls_ready on fr_urls(host_id, priority desc) where status = 0;

-- name: hosts
select host_id from fr_hosts where pending > 0 and next_fetch_at <= ?1 order by next_fetch_at limit ?2

-- name: reserve
update fr_hosts set next_fetch_at = ?1 + delay_ms, pending = pending - 1 where host_id = ?2

-- name: claim
update fr_urls set status = 1 where rowid = (select rowid from fr_urls where host_id = ?1 and status = 0 order by priority desc limit 1) returning rowid, host_id, url_hash, url

-- name: complete
update fr_urls set status = 2 where rowid = ?1

-- name: enqueue
insert into fr_urls(host_id, url_hash, url) values (?1, ?2, ?3) on conflict do nothing

-- name: add-pending
update fr_hosts set pending = pending + 1 where host_id = ?1
