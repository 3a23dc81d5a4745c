-- The symbols of chunks by their names: the whole symbol and what follows each of its separators, as core compares them, so that a
-- prefix is found by index. Derived from chunks.symbol.
create table symbol_names (
  version_id integer not null,
  name text collate "C" not null,
  chunk_pk bigint not null references chunks (pk) on delete cascade,
  primary key (version_id, name, chunk_pk)
);

create index symbol_names_chunk on symbol_names (chunk_pk);
