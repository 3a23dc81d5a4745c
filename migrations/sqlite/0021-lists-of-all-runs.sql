-- Problems, milestones and runs of the whole library, newest first: each filter has an index that ends with the number.
create index problems_run on problems (run_id, id);
create index problems_kind on problems (kind, id);
create index problems_scope on problems (scope, id);
create index problems_severity on problems (severity, id);

create index runs_state on runs (state, id);

create table numbered_milestones (
  id integer primary key autoincrement,
  run_id integer not null,
  kind text not null,
  source_id integer not null,
  at integer not null,
  details text not null,
  unique (run_id, kind)
) strict;

insert into numbered_milestones (run_id, kind, source_id, at, details)
  select run_id, kind, source_id, at, details from milestones order by at, run_id, kind;

drop table milestones;

alter table numbered_milestones rename to milestones;

create index milestones_kind on milestones (kind, id);
