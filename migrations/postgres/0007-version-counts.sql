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

-- In the order of the versions, so that two transactions lock the rows in the same order.
create function count_pages() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into version_counts
      select version_id, count(*) filter (where alias_key is null), count(alias_key), sum(n_chunks), min(checked_at), max(checked_at), max(changed_at)
      from new_rows group by version_id order by version_id
      on conflict (version_id) do update set pages = version_counts.pages + excluded.pages, duplicates = version_counts.duplicates + excluded.duplicates, chunks = version_counts.chunks + excluded.chunks,
        oldest_check_at = case when version_counts.pages + version_counts.duplicates = 0 then excluded.oldest_check_at else version_counts.oldest_check_at end,
        newest_check_at = greatest(version_counts.newest_check_at, excluded.newest_check_at), changed_at = greatest(version_counts.changed_at, excluded.changed_at);
  elsif tg_op = 'DELETE' then
    update version_counts c set pages = c.pages - gone.pages, duplicates = c.duplicates - gone.duplicates, chunks = c.chunks - gone.chunks
      from (select version_id, count(*) filter (where alias_key is null) as pages, count(alias_key) as duplicates, sum(n_chunks) as chunks from old_rows group by version_id) gone
      where c.version_id = gone.version_id;
  else
    update version_counts c set pages = c.pages + more.pages, duplicates = c.duplicates + more.duplicates, chunks = c.chunks + more.chunks,
        newest_check_at = greatest(c.newest_check_at, more.newest), changed_at = greatest(c.changed_at, more.changed)
      from (
        select version_id, sum(pages) as pages, sum(duplicates) as duplicates, sum(chunks) as chunks, max(newest) as newest, max(changed) as changed from (
          select version_id, (alias_key is null)::integer as pages, (alias_key is not null)::integer as duplicates, n_chunks as chunks, checked_at as newest, changed_at as changed from new_rows
          union all select version_id, -(alias_key is null)::integer, -(alias_key is not null)::integer, -n_chunks, 0, 0 from old_rows
        ) changes group by version_id order by version_id
      ) more
      where c.version_id = more.version_id
        and (more.pages <> 0 or more.duplicates <> 0 or more.chunks <> 0 or more.newest > c.newest_check_at + 1000 or more.changed > c.changed_at);
  end if;
  return null;
end $$;

create trigger pages_inserted after insert on pages referencing new table as new_rows for each statement execute function count_pages();
create trigger pages_deleted after delete on pages referencing old table as old_rows for each statement execute function count_pages();
create trigger pages_updated after update on pages referencing old table as old_rows new table as new_rows for each statement execute function count_pages();

alter table pages enable always trigger pages_inserted, enable always trigger pages_deleted, enable always trigger pages_updated;

-- The triggers have locked the table against other writers.
insert into version_counts select version_id, count(*) filter (where alias_key is null), count(alias_key), sum(n_chunks), min(checked_at), max(checked_at), max(changed_at) from pages group by version_id;

-- The latest run of a source, and the live ones.
create index runs_source on runs (source_id, id);
create index runs_live on runs (id) where ended_at is null;
