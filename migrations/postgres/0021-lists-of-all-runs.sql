-- Problems, milestones and runs of the whole library, newest first: each filter has an index that ends with the number.
create index problems_run on problems (run_id, id);
create index problems_kind on problems (kind, id);
create index problems_scope on problems (scope, id);
create index problems_severity on problems (severity, id);

create index runs_state on runs (state, id);

alter table milestones add column id bigint;

update milestones set id = numbered.id
  from (select run_id, kind, row_number() over (order by at, run_id, kind) as id from milestones) numbered
  where milestones.run_id = numbered.run_id and milestones.kind = numbered.kind;

alter table milestones alter column id set not null;
alter table milestones alter column id add generated always as identity;
select setval(pg_get_serial_sequence('milestones', 'id'), coalesce((select max(id) from milestones), 0) + 1, false);

create unique index milestones_id on milestones (id);
create index milestones_kind on milestones (kind, id);
