-- Vectors: texts are queued in a new space in steps, the progress of a space is counted, imported vectors are marked.

-- Chunks up to this key have been queued in the space; null when all of them have.
alter table spaces add column queued_pk bigint;

-- The version whose bundle carried the vector; null for a vector that was computed here.
alter table embeddings add column carried_by integer;

create index embeddings_carried on embeddings (content_hash) where carried_by is not null;

-- Texts of a space by state. Written by triggers, so that no writer can forget it; the sum of the rows of a space counts.
create table space_counts (
  space_id integer not null,
  pending bigint not null,
  embedded bigint not null,
  failed bigint not null
);

create index space_counts_space on space_counts (space_id);

-- A row per statement, because writers that update one row wait for each other; now and then one of them merges the rows.
create function count_embeddings() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into space_counts (space_id, pending, embedded, failed)
      select space_id, count(*) filter (where state in (0, 1)), count(*) filter (where state = 2), count(*) filter (where state = 3)
      from added group by space_id;
  elsif tg_op = 'DELETE' then
    insert into space_counts (space_id, pending, embedded, failed)
      select space_id, - count(*) filter (where state in (0, 1)), - count(*) filter (where state = 2), - count(*) filter (where state = 3)
      from deleted group by space_id;
  else
    insert into space_counts (space_id, pending, embedded, failed)
      select space_id, sum(pending), sum(embedded), sum(failed) from (
        select space_id, (state in (0, 1))::int as pending, (state = 2)::int as embedded, (state = 3)::int as failed from added
        union all
        select space_id, - (state in (0, 1))::int, - (state = 2)::int, - (state = 3)::int from deleted) moved
      group by space_id having sum(embedded) <> 0 or sum(failed) <> 0;
  end if;
  if random() < 0.02 and pg_try_advisory_xact_lock(7069700) then
    with merged as (delete from space_counts returning space_id, pending, embedded, failed)
    insert into space_counts (space_id, pending, embedded, failed)
      select space_id, sum(pending), sum(embedded), sum(failed) from merged group by space_id;
  end if;
  return null;
end $$;

create trigger embeddings_added after insert on embeddings referencing new table as added
  for each statement execute function count_embeddings();

create trigger embeddings_deleted after delete on embeddings referencing old table as deleted
  for each statement execute function count_embeddings();

create trigger embeddings_changed after update on embeddings referencing old table as deleted new table as added
  for each statement execute function count_embeddings();

alter table embeddings enable always trigger embeddings_added, enable always trigger embeddings_deleted, enable always trigger embeddings_changed;

insert into space_counts (space_id, pending, embedded, failed)
  select space_id, count(*) filter (where state in (0, 1)), count(*) filter (where state = 2), count(*) filter (where state = 3)
  from embeddings group by space_id;
