-- The outbox: one row per page whose chunks were added, changed or removed, written in the transaction that did it. No foreign keys: a
-- row outlives its page and its source. kind: 1 new, 2 changed, 3 removed. chunk_digest is that of the page after the change, null once it is
-- removed. added and removed are the 32-byte ids of chunks, concatenated. docs/decisions/0058 explains the order of the positions.
create table changes (
  position integer primary key,
  at integer not null,
  version_id integer not null,
  source_id integer not null,
  kind integer not null check (kind between 1 and 3),
  url_key blob not null,
  url text not null,
  chunk_digest blob check ((chunk_digest is null) = (kind = 3)),
  added blob not null,
  removed blob not null
) strict;

-- The position is its last column: the primary key is in every index.
create index changes_page on changes (version_id, url_key);

-- Positions grow in commit order, as event numbers do and under the same lock. covered counts the events of programs that write
-- changes: below `last`, a program of a former version has written since, and rows are missing.
alter table event_head add column last_change integer not null default 0;
alter table event_head add column covered integer not null default 0;

-- complete_from: after every position from this one on, the rows are complete. untracked_until: a page that last changed by then was
-- stored before there were changes, and may have none.
create table change_log (
  one integer primary key check (one = 1),
  complete_from integer not null,
  untracked_until integer not null
) strict;

insert into change_log (one, complete_from, untracked_until)
  select 1, case when exists (select 1 from pages) then 1 else 0 end, coalesce((select max(changed_at) from version_counts), 0);

-- The library as it was found is position 1.
update event_head set covered = last, last_change = (select complete_from from change_log);

-- How far each consumer has read.
create table change_consumers (
  name text primary key,
  position integer not null
) strict;
