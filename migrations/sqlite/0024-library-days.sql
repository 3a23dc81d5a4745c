-- The size of each source at the end of each day (days since 1970, UTC). By name, so that it stays readable when the source is
-- removed, after which its pages are 0. received_bytes is what its runs that ended on this day received; database_bytes is the size of
-- the whole database at the end of the last of them.
create table library_days (
  source text not null,
  day integer not null,
  pages integer not null,
  chunks integer not null,
  received_bytes integer not null,
  database_bytes integer,
  primary key (source, day)
) strict, without rowid;

create index library_days_day on library_days (day, source);

insert into library_days (source, day, pages, chunks, received_bytes)
  select s.name, unixepoch() / 86400, sum(c.pages), sum(c.chunks), 0 from version_counts c
  join versions v on v.id = c.version_id join sources s on s.id = v.source_id where s.removed_at is null group by s.name;
