-- What an engine outside of the database was sent: the pages under their numbers, and the terms that it cannot count. The tables are
-- empty unless such an engine is used. docs/decisions/0063 explains them.

-- state: 0 being built, 1 searched, 2 dropped, 3 deleted. Rows remain: a program of a former version sees that its form was replaced.
create table point_generations (
  id integer primary key generated always as identity,
  name text not null,
  fingerprint text not null,
  state integer not null check (state between 0 and 3),
  dropped_at bigint
);

create unique index point_generations_current on point_generations (state) where state = 1;

-- A number is never given out twice: the points of a page that is indexed again have other ids. position is that of the outbox when
-- the page was read. state: 0 reserved and being sent, 1 current, 2 replaced, its points to be deleted.
create table point_pages (
  number bigint primary key generated always as identity,
  generation_id integer not null,
  version_id integer not null,
  url_key bytea not null,
  n_chunks integer not null,
  position bigint not null,
  state integer not null check (state between 0 and 2),
  changed_at bigint not null
);

create unique index point_pages_current on point_pages (generation_id, version_id, url_key) where state = 1;
create index point_pages_replaced on point_pages (generation_id, changed_at) where state <> 1;

-- Pages and chunks of each version, and of all of them under version 0.
create table point_versions (
  generation_id integer not null,
  version_id integer not null,
  pages bigint not null,
  chunks bigint not null,
  primary key (generation_id, version_id)
);

-- Chunks that contain a term, by version, and of all versions under version 0. Terms that share a term_id share a row.
create table point_terms (
  generation_id integer not null,
  version_id integer not null,
  term_id bigint not null,
  term text collate "C" not null,
  chunks bigint not null,
  primary key (generation_id, version_id, term_id)
);

create index point_terms_term on point_terms (generation_id, version_id, term);

-- Versions whose pages are all to be indexed; those up to after_key have been.
create table point_queue (
  generation_id integer not null,
  version_id integer not null,
  after_key bytea not null,
  enqueued_at bigint not null,
  primary key (generation_id, version_id)
);
