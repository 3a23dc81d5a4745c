-- Counts of each version, kept by triggers in the transaction that changes a page, so that no list, poll or scrape counts pages.
-- The times of checks are exact to the second; the oldest one is measured at the end of a run.
create table version_counts (
  version_id integer primary key,
  pages integer not null,
  duplicates integer not null,
  chunks integer not null,
  oldest_check_at integer not null,
  newest_check_at integer not null,
  changed_at integer not null
) strict;

insert into version_counts select version_id, count(*) filter (where alias_key is null), count(alias_key), sum(n_chunks), min(checked_at), max(checked_at), max(changed_at) from pages group by version_id;

create trigger pages_inserted after insert on pages begin insert into version_counts values (new.version_id, new.alias_key is null, new.alias_key is not null, new.n_chunks, new.checked_at, new.checked_at, new.changed_at) on conflict (version_id) do update set pages = pages + excluded.pages, duplicates = duplicates + excluded.duplicates, chunks = chunks + excluded.chunks, oldest_check_at = case when pages + duplicates = 0 then excluded.oldest_check_at else oldest_check_at end, newest_check_at = max(newest_check_at, excluded.newest_check_at), changed_at = max(changed_at, excluded.changed_at); end;

create trigger pages_deleted after delete on pages begin update version_counts set pages = pages - (old.alias_key is null), duplicates = duplicates - (old.alias_key is not null), chunks = chunks - old.n_chunks where version_id = old.version_id; end;

create trigger pages_recounted after update of alias_key, n_chunks on pages when old.n_chunks <> new.n_chunks or (old.alias_key is null) <> (new.alias_key is null) begin update version_counts set pages = pages + (new.alias_key is null) - (old.alias_key is null), duplicates = duplicates + (new.alias_key is not null) - (old.alias_key is not null), chunks = chunks + new.n_chunks - old.n_chunks where version_id = new.version_id; end;

create trigger pages_checked after update of checked_at on pages begin update version_counts set newest_check_at = new.checked_at where version_id = new.version_id and newest_check_at < new.checked_at - 1000; end;

create trigger pages_changed after update of changed_at on pages when old.changed_at <> new.changed_at begin update version_counts set changed_at = new.changed_at where version_id = new.version_id and changed_at < new.changed_at; end;

-- The latest run of a source, and the live ones.
create index runs_source on runs (source_id, id);
create index runs_live on runs (id) where ended_at is null;
