-- Counts of each version, kept by triggers in the transaction that changes a page, so that no list, poll or scrape counts pages.
-- Triggers, because a process of the former version may still write while others run this one. The times of checks are exact to
-- the second; the oldest one is measured at the end of a run.
create table version_counts (
  version_id integer primary key,
  pages bigint not null,
  duplicates bigint not null,
  chunks bigint not null,
  oldest_check_at bigint not null,
  newest_check_at bigint not null,
  changed_at bigint not null
) with (fillfactor = 50);

-- A row of a version is locked by every writer of its pages. So the triggers are deferred to the commit: a worker that stalls inside
-- its transaction blocks nobody.
create function count_page() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into version_counts values (new.version_id, (new.alias_key is null)::integer, (new.alias_key is not null)::integer, new.n_chunks, new.checked_at, new.checked_at, new.changed_at)
      on conflict (version_id) do update set pages = version_counts.pages + excluded.pages, duplicates = version_counts.duplicates + excluded.duplicates, chunks = version_counts.chunks + excluded.chunks,
        oldest_check_at = case when version_counts.pages + version_counts.duplicates = 0 then excluded.oldest_check_at else version_counts.oldest_check_at end,
        newest_check_at = greatest(version_counts.newest_check_at, excluded.newest_check_at), changed_at = greatest(version_counts.changed_at, excluded.changed_at);
  elsif tg_op = 'DELETE' then
    update version_counts set pages = pages - (old.alias_key is null)::integer, duplicates = duplicates - (old.alias_key is not null)::integer, chunks = chunks - old.n_chunks
      where version_id = old.version_id;
  else
    update version_counts set pages = pages + (new.alias_key is null)::integer - (old.alias_key is null)::integer, duplicates = duplicates + (new.alias_key is not null)::integer - (old.alias_key is not null)::integer,
        chunks = chunks + new.n_chunks - old.n_chunks, newest_check_at = greatest(newest_check_at, new.checked_at), changed_at = greatest(changed_at, new.changed_at)
      where version_id = new.version_id
        and (new.n_chunks <> old.n_chunks or (new.alias_key is null) <> (old.alias_key is null) or new.checked_at > newest_check_at + 1000 or new.changed_at > changed_at);
  end if;
  return null;
end $$;

create constraint trigger pages_inserted after insert on pages deferrable initially deferred for each row execute function count_page();
create constraint trigger pages_deleted after delete on pages deferrable initially deferred for each row execute function count_page();
create constraint trigger pages_updated after update on pages deferrable initially deferred for each row execute function count_page();

alter table pages enable always trigger pages_inserted, enable always trigger pages_deleted, enable always trigger pages_updated;

-- The triggers have locked the table against other writers.
insert into version_counts select version_id, count(*) filter (where alias_key is null), count(alias_key), sum(n_chunks), min(checked_at), max(checked_at), max(changed_at) from pages group by version_id;

-- The latest run of a source, and the live ones.
create index runs_source on runs (source_id, id);
create index runs_live on runs (id) where ended_at is null;
