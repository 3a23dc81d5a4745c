-- The outbox: one row per page whose chunks were added, changed or removed, written in the transaction that did it. No foreign keys: a
-- row outlives its page and its source. kind: 1 new, 2 changed, 3 removed. chunk_digest is that of the page after the change, null once it is
-- removed. added and removed are the 32-byte ids of chunks, concatenated. docs/decisions/0058 explains the order of the positions.
create table changes (
  position bigint primary key,
  at bigint not null,
  version_id integer not null,
  source_id integer not null,
  kind smallint not null check (kind between 1 and 3),
  url_key bytea not null,
  url text not null,
  chunk_digest bytea check ((chunk_digest is null) = (kind = 3)),
  added bytea not null,
  removed bytea not null
);

create index changes_page on changes (version_id, url_key, position);

-- Waits for transactions that write pages, so that none is half before and half after.
lock table pages in share row exclusive mode;

-- Positions grow in commit order, as event numbers do and under the same lock. covered counts the events of programs that write
-- changes: below `last`, a program of a former version has written since, and rows are missing.
alter table event_head add column last_change bigint not null default 0;
alter table event_head add column covered bigint not null default 0;

-- complete_from: after every position from this one on, the rows are complete. untracked_until: a page that last changed by then was
-- stored before there were changes, and may have none.
create table change_log (
  one smallint primary key check (one = 1),
  complete_from bigint not null,
  untracked_until bigint not null
);

insert into change_log (one, complete_from, untracked_until)
  select 1, case when exists (select 1 from pages) then 1 else 0 end, coalesce((select max(changed_at) from version_counts), 0);

-- The library as it was found is position 1.
update event_head set covered = last, last_change = (select complete_from from change_log);

-- How far each consumer has read.
create table change_consumers (
  name text primary key,
  position bigint not null
);
