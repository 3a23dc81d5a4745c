-- What filters need to know of a segment, by src/core/lexical/segment/filter-columns.ts. Made by compaction, also for the segments of
-- earlier programs; until then the chunks are read.
create table search_columns (
  segment_id integer not null,
  field text not null check (field in ('kinds', 'urls', 'headings', 'symbols')),
  bytes bytea not null,
  primary key (segment_id, field)
);

alter table search_segments add column has_columns integer not null default 0;

create index search_segments_without_columns on search_segments (id) where has_columns = 0;
