-- Sources, runs, the frontier, pages, chunks, vectors and the journal. Times are milliseconds since 1970, by now_ms().
-- The same tables with the same columns stand in migrations/sqlite; docs/decisions/0003 says why there are two.

-- The clock of every statement. Stable, so that an index can be searched with it.
create function now_ms() returns bigint language sql stable parallel safe
  as $$ select (extract(epoch from statement_timestamp()) * 1000)::bigint $$;

-- Hashes as the program makes them, for the invariants.
create function text_hash(value text) returns bytea language sql immutable parallel safe
  as $$ select sha256(convert_to(value, 'UTF8')) $$;
create function hash_hex(value bytea) returns text language sql immutable parallel safe
  as $$ select encode(value, 'hex') $$;

-- Where bytes stand in others, under the name that SQLite gives it.
create function instr(whole bytea, part bytea) returns integer language sql immutable parallel safe
  as $$ select position(part in whole) $$;

create table sources (
  id integer primary key generated always as identity,
  name text not null unique,
  kind text not null,
  start text not null,
  settings text not null,
  created_at bigint not null,
  -- When the next run starts by itself; null where somebody has to ask.
  due_at bigint,
  removed_at bigint
);

create table versions (
  id integer primary key generated always as identity,
  source_id integer not null references sources (id),
  label text not null,
  facts text not null,
  created_at bigint not null,
  unique (source_id, label)
);

-- Texts that a crawl starts from and comes back to, such as llms-full.txt.
create table discovery_files (
  version_id integer not null references versions (id),
  name text not null,
  url text not null,
  encoding text not null,
  bytes bytea not null,
  kept_at bigint not null,
  primary key (version_id, name)
);

create table runs (
  id integer primary key generated always as identity,
  source_id integer not null references sources (id),
  version_id integer not null references versions (id),
  state text not null check (state in ('queued', 'running', 'paused', 'stopping', 'completed', 'partial', 'stopped', 'failed')),
  mode text not null check (mode in ('incremental', 'refresh', 'full', 'retry')),
  settings text not null,
  reason text,
  worker text,
  lease_until bigint,
  fence bigint not null default 0,
  created_at bigint not null,
  started_at bigint,
  ended_at bigint,
  n_found bigint not null default 0,
  n_new bigint not null default 0,
  n_changed bigint not null default 0,
  n_unchanged bigint not null default 0,
  n_missing bigint not null default 0,
  n_gone bigint not null default 0,
  n_moved bigint not null default 0,
  n_skipped bigint not null default 0,
  n_failed bigint not null default 0,
  n_dropped bigint not null default 0,
  n_refused bigint not null default 0,
  n_bytes bigint not null default 0,
  check ((ended_at is null) = (state in ('queued', 'running', 'paused', 'stopping')))
);

create unique index runs_one_live on runs (source_id) where ended_at is null;
create index runs_version on runs (version_id, id);

-- The unit of politeness, shared by all runs. next_at is when the pace allows the next request. ready_at is when claimers
-- look at the host again: next_at, or later while the host had nothing to give (idle_ms grows with each look in vain).
-- `hungry` is true while some run has a lane here.
create table hosts (
  id integer primary key generated always as identity,
  host text not null unique,
  next_at bigint not null default 0,
  ready_at bigint not null default 0,
  idle_ms integer not null default 0,
  delay_ms integer not null,
  crawl_delay_ms integer,
  paused_until bigint not null default 0,
  breaker text not null default 'closed' check (breaker in ('closed', 'open', 'half-open')),
  failures integer not null default 0,
  hungry boolean not null default false
) with (fillfactor = 70);

create index hosts_ready on hosts (ready_at) where hungry;

-- What robots.txt of an authority (scheme, host and port) said last, shared by all workers.
create table robots_files (
  authority text primary key,
  access text not null,
  body text,
  fetched_at bigint not null,
  fresh_until bigint not null
);

-- One row per live run and host: where claimers look for a host's queued URLs.
create table lanes (
  run_id integer not null,
  host_id integer not null,
  primary key (run_id, host_id)
);

create index lanes_host on lanes (host_id);

-- One row per URL of a version. state: 0 queued, 1 claimed, 2 waiting (for wake_at), 3 settled, 4 refused.
-- wake_at is the lease's end of a claimed row and the due time of a waiting one. confirms is the outcome that a missing
-- row (4) gets when the end of its run confirms it.
-- Columns are ordered by width and the counts are small, because this table holds a hundred million rows.
create table frontier (
  wake_at bigint,
  offered_at bigint not null,
  settled_at bigint,
  version_id integer not null,
  run_id integer not null,
  host_id integer not null,
  rank integer not null,
  fence integer not null default 0,
  settled_fence integer not null default 0,
  depth smallint not null,
  found_by smallint not null,
  state smallint not null check (state between 0 and 4),
  attempts smallint not null default 0,
  crashes smallint not null default 0,
  hops smallint not null default 0,
  outcome smallint check (outcome between 1 and 10),
  confirms smallint check (confirms between 5 and 7),
  url_key bytea not null check (length(url_key) = 16),
  url text not null,
  parent_key bytea,
  worker text,
  reason text,
  target_key bytea,
  primary key (version_id, url_key),
  check ((state = 1) = (worker is not null)),
  check ((state in (1, 2)) = (wake_at is not null)),
  check (outcome is not null or state < 3),
  check (outcome is null or outcome not in (7, 8, 10) or reason is not null)
) with (fillfactor = 80);

create index frontier_ready on frontier (run_id, host_id, rank, url_key) where state = 0;
create index frontier_wake on frontier (wake_at) where wake_at is not null;
create index frontier_target on frontier (version_id, target_key) where target_key is not null;
create index frontier_missing on frontier (run_id) where outcome = 4;

-- twin_hash: equal for pages that say the same; null where a page is never folded. canonical: what the page calls its own
-- address. alias_key: the page that stands for this one, which then has no chunks.
create table pages (
  version_id integer not null,
  url_key bytea not null,
  url text not null,
  title text not null,
  description text,
  language text,
  media_type text not null,
  etag text,
  last_modified text,
  content_hash bytea not null check (length(content_hash) = 32),
  twin_hash bytea,
  canonical text,
  alias_key bytea,
  chunk_digest bytea not null,
  n_chunks integer not null,
  made_by text not null,
  facts text not null,
  fence integer not null,
  changed_at bigint not null,
  checked_at bigint not null,
  primary key (version_id, url_key),
  foreign key (version_id, url_key) references frontier (version_id, url_key)
);

create index pages_twins on pages (version_id, twin_hash) where twin_hash is not null;
create index pages_aliases on pages (version_id, alias_key) where alias_key is not null;

-- Large texts stand apart, so that a page that is asked again and found unchanged costs a small row.
create table documents (
  version_id integer not null,
  url_key bytea not null,
  text text not null,
  outline text not null,
  arrival text not null,
  primary key (version_id, url_key),
  foreign key (version_id, url_key) references pages (version_id, url_key) on delete cascade
);

create table bodies (
  version_id integer not null,
  url_key bytea not null,
  encoding text not null,
  bytes bytea not null,
  primary key (version_id, url_key),
  foreign key (version_id, url_key) references pages (version_id, url_key) on delete cascade
);

-- What a changed page said before, the newest few. text is null where it was too long to keep.
create table earlier_texts (
  version_id integer not null,
  url_key bytea not null,
  until_at bigint not null,
  since_at bigint not null,
  content_hash bytea not null,
  made_by text not null,
  text text,
  primary key (version_id, url_key, until_at),
  foreign key (version_id, url_key) references pages (version_id, url_key) on delete cascade
);

-- Where the text of a page leads: the first 8 bytes of each URL's key, one after the other. A row a link would double what
-- a crawl writes; whoever wants to know what leads to a page looks through these.
create table page_links (
  version_id integer not null,
  url_key bytea not null,
  targets bytea not null,
  primary key (version_id, url_key),
  foreign key (version_id, url_key) references pages (version_id, url_key) on delete cascade
);

create table chunks (
  pk bigint primary key generated always as identity,
  version_id integer not null,
  url_key bytea not null,
  ordinal integer not null,
  chunk_id bytea not null check (length(chunk_id) = 32),
  content_hash bytea not null check (length(content_hash) = 32),
  kind text not null,
  headings text not null,
  anchor text,
  symbol text,
  address text,
  text text not null,
  first_line integer not null,
  last_line integer not null,
  tokens integer not null,
  unique (version_id, chunk_id),
  foreign key (version_id, url_key) references pages (version_id, url_key) on delete cascade
);

create index chunks_page on chunks (version_id, url_key, ordinal);
create index chunks_content on chunks (content_hash);

-- Search rows are derived: a settled page is queued here in its own transaction, and the indexer reads it from there.
create table index_queue (
  version_id integer not null,
  url_key bytea not null,
  offered_at bigint not null,
  -- Grows when a page is settled again while it waits: whoever reads pages before it writes sees that they changed.
  round integer not null default 0,
  primary key (version_id, url_key)
);

create index index_queue_oldest on index_queue (offered_at);

-- A segment holds the words of some pages of one version and never changes. state: 0 being filled by a merge, 1 searched,
-- 2 searched and being merged into another, 3 to be dropped, 4 being filled with new pages. docs/decisions/0020 says why these are tables of our own.
create table search_segments (
  id integer generated always as identity primary key,
  version_id integer not null,
  state integer not null check (state between 0 and 4),
  chunks integer not null,
  pages integer not null,
  page_sizes bytea not null,
  -- What words become in it, by the program that made it. A segment of another form is searched until its pages are indexed again.
  form text not null,
  merge text,
  merged_to text
);

create index search_segments_version on search_segments (version_id);

create table search_postings (
  segment_id integer not null,
  term text collate "C" not null,
  chunks integer not null,
  postings bytea not null,
  primary key (segment_id, term)
);

-- Where a page is found now. A page of a segment that no row leads to is gone or was indexed again.
create table search_pages (
  version_id integer not null,
  url_key bytea not null,
  segment_id integer not null,
  page integer not null,
  primary key (version_id, url_key)
);

create unique index search_pages_place on search_pages (segment_id, page);

create table spaces (
  id integer primary key generated always as identity,
  fingerprint text not null unique,
  settings text not null,
  dimensions integer not null check (dimensions > 0),
  created_at bigint not null
);

-- What is to be embedded, and what was. state: 0 wanted, 1 claimed, 2 done, 3 failed.
create table embeddings (
  space_id integer not null references spaces (id),
  content_hash bytea not null,
  state smallint not null check (state between 0 and 3),
  fence integer not null default 0,
  attempts smallint not null default 0,
  worker text,
  wake_at bigint,
  reason text,
  primary key (space_id, content_hash),
  check ((state = 1) = (worker is not null))
);

create index embeddings_wanted on embeddings (space_id, wake_at) where state in (0, 1);

-- Where pgvector is installed, each space also has a table space_vectors_N that it searches.
create table vectors (
  seq bigint generated by default as identity primary key,
  space_id integer not null references spaces (id),
  content_hash bytea not null,
  vector bytea not null,
  unique (space_id, content_hash)
);

-- Numbers grow in commit order: event_head is taken last in every transaction that appends.
create table event_head (
  one smallint primary key check (one = 1),
  last bigint not null
);

insert into event_head (one, last) values (1, 0);

create table events (
  seq bigint primary key,
  at bigint not null,
  source_id integer not null,
  run_id integer not null,
  kind text not null,
  url text,
  detail text not null
);

create index events_run on events (run_id, seq);
-- A rare kind among a million events of a run: without it, a look at all of them.
create index events_kind on events (run_id, kind, seq);

create table problems (
  id integer primary key generated always as identity,
  source_id integer not null,
  run_id integer not null,
  kind text not null,
  severity text not null check (severity in ('info', 'warning', 'error')),
  scope text not null,
  target text not null,
  message text not null,
  details text not null,
  times integer not null,
  first_at bigint not null,
  last_at bigint not null,
  unique (run_id, kind, target)
);

create table milestones (
  run_id integer not null,
  kind text not null,
  source_id integer not null,
  at bigint not null,
  details text not null,
  primary key (run_id, kind)
);

-- Who may ask over HTTP. Only the hash of a token is kept.
create table tokens (
  name text primary key,
  scope text not null check (scope in ('read', 'admin')),
  hash text not null unique,
  created_at bigint not null
);
