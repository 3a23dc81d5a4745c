-- Events in tables by ranges of their numbers, each named for its first number, so that old ones are removed by dropping a table.
-- Existing rows stay where they are: their table becomes the first range, with its indexes, and is read once to check the range.
alter table events rename to events_0;
alter index events_pkey rename to events_0_pkey;
alter index events_run rename to events_0_run;
alter index events_kind rename to events_0_kind;
alter index events_of_kind rename to events_0_of_kind;

create table events (
  seq bigint primary key,
  at bigint not null,
  source_id integer not null,
  run_id integer not null,
  kind text not null,
  url text,
  detail text not null
) partition by range (seq);

create index events_run on events (run_id, seq);
create index events_kind on events (run_id, kind, seq);
create index events_of_kind on events (kind, seq);

-- The last range has no end, so that every number has a table.
do $$
declare
  next bigint := (select last from event_head) + 1000001;
begin
  execute format('alter table events attach partition events_0 for values from (minvalue) to (%s)', next);
  execute format('create table events_%s partition of events for values from (%s) to (maxvalue)', next, next);
end
$$;
