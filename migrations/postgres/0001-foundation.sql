-- Sources, runs, the frontier, pages, chunks, vectors and the journal. Times are milliseconds since the Unix epoch, from now_ms().
-- migrations/sqlite has the same tables and columns; docs/decisions/0003 explains why there are two files.

-- The clock of every statement. Stable, so that it can be used in an index condition.
create function now_ms() returns bigint language sql stable parallel safe
  as $$ select (extract(epoch from statement_timestamp()) * 1000)::bigint $$;

-- The same hashes as in the program, for the invariants.
create function text_hash(value text) returns bytea language sql immutable parallel safe
  as $$ select sha256(convert_to(value, 'UTF8')) $$;
create function hash_hex(value bytea) returns text language sql immutable parallel safe
  as $$ select encode(value, 'hex') $$;

-- Offset of one byte string in another, under the name of the SQLite function.
create function instr(whole bytea, part bytea) returns integer language sql immutable parallel safe
  as $$ select position(part in whole) $$;

create table sources (
  id integer primary key generated always as identity,
  name text not null unique,
  kind text not null,
  start text not null,
  settings text not null,
  created_at bigint not null,
  -- When the next scheduled run is due; null for a source without a schedule.
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

-- Files used for discovery and kept between runs, such as llms-full.txt.
create table discovery_files (
  version_id integer not null references versions (id),
  name text not null,
  url text not null,
  encoding text not null,
  bytes bytea not null,
  saved_at bigint not null,
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
  n_excluded bigint not null default 0,
  n_bytes bigint not null default 0,
  check ((ended_at is null) = (state in ('queued', 'running', 'paused', 'stopping')))
);

create unique index runs_one_live on runs (source_id) where ended_at is null;
create index runs_version on runs (version_id, id);

-- Rate-limit state of a host, shared by all runs. next_at is the next free request slot. ready_at is when claimers poll the
-- host again: next_at, or later while its queues are empty (idle_ms is the back-off and grows with each empty poll).
-- has_queues is true while some run has a row for the host in host_queues.
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
  has_queues boolean not null default false
) with (fillfactor = 70);

create index hosts_ready on hosts (ready_at) where has_queues;

-- The last robots.txt of each authority (scheme, host and port), shared by all workers.
create table robots_files (
  authority text primary key,
  access text not null,
  body text,
  fetched_at bigint not null,
  fresh_until bigint not null
);

-- One row per live run and host, where claimers find a host's queued URLs.
create table host_queues (
  run_id integer not null,
  host_id integer not null,
  primary key (run_id, host_id)
);

create index host_queues_host on host_queues (host_id);

-- One row per URL of a version. state: 0 queued, 1 claimed, 2 waiting (until due_at), 3 settled, 4 excluded.
-- due_at is the end of the lease of a claimed row, and the retry time of a waiting one. outcome is numbered as in
-- src/core/model/outcome.ts. pending_outcome is what a missing row (outcome 4) becomes once the end of its run confirms it.
-- Columns are ordered by width and counters are small, because this table can hold a hundred million rows.
create table frontier (
  due_at bigint,
  enqueued_at bigint not null,
  settled_at bigint,
  version_id integer not null,
  run_id integer not null,
  host_id integer not null,
  priority integer not null,
  fence integer not null default 0,
  settled_fence integer not null default 0,
  depth smallint not null,
  found_by smallint not null,
  state smallint not null check (state between 0 and 4),
  attempts smallint not null default 0,
  crashes smallint not null default 0,
  hops smallint not null default 0,
  outcome smallint check (outcome between 1 and 10),
  pending_outcome smallint check (pending_outcome between 5 and 7),
  url_key bytea not null check (length(url_key) = 16),
  url text not null,
  parent_key bytea,
  worker text,
  reason text,
  target_key bytea,
  primary key (version_id, url_key),
  check ((state = 1) = (worker is not null)),
  check ((state in (1, 2)) = (due_at is not null)),
  check (outcome is not null or state < 3),
  check (outcome is null or outcome not in (7, 8, 10) or reason is not null)
) with (fillfactor = 80);

create index frontier_ready on frontier (run_id, host_id, priority, url_key) where state = 0;
create index frontier_due on frontier (due_at) where due_at is not null;
create index frontier_target on frontier (version_id, target_key) where target_key is not null;
create index frontier_missing on frontier (run_id) where outcome = 4;

-- dedupe_hash: equal for pages with the same content; null for a page that is never deduplicated. canonical: the canonical URL
-- that the page declares. alias_key: the canonical page of a duplicate, which then has no chunks.
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
  dedupe_hash bytea,
  canonical text,
  alias_key bytea,
  chunk_digest bytea not null,
  n_chunks integer not null,
  pipeline_version text not null,
  facts text not null,
  fence integer not null,
  changed_at bigint not null,
  checked_at bigint not null,
  primary key (version_id, url_key),
  foreign key (version_id, url_key) references frontier (version_id, url_key)
);

create index pages_duplicates on pages (version_id, dedupe_hash) where dedupe_hash is not null;
create index pages_aliases on pages (version_id, alias_key) where alias_key is not null;

-- Large texts are kept in separate tables, so that revalidating an unchanged page rewrites only a small row.
create table documents (
  version_id integer not null,
  url_key bytea not null,
  text text not null,
  outline text not null,
  response_meta text not null,
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

-- The newest few revisions of a changed page. text is null for a revision that was too long to keep.
create table page_revisions (
  version_id integer not null,
  url_key bytea not null,
  until_at bigint not null,
  since_at bigint not null,
  content_hash bytea not null,
  pipeline_version text not null,
  text text,
  primary key (version_id, url_key, until_at),
  foreign key (version_id, url_key) references pages (version_id, url_key) on delete cascade
);

-- Outbound content links of a page: the first 8 bytes of the key of each linked URL, concatenated. One row per link would
-- double what a crawl writes; backlinks are found by scanning these rows.
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
  passage_kind text not null,
  headings text not null,
  anchor text,
  symbol text,
  json_path text,
  text text not null,
  first_line integer not null,
  last_line integer not null,
  tokens integer not null,
  unique (version_id, chunk_id),
  foreign key (version_id, url_key) references pages (version_id, url_key) on delete cascade
);

create index chunks_page on chunks (version_id, url_key, ordinal);
create index chunks_content on chunks (content_hash);

-- The search index is derived data: a settled page is queued here in the same transaction, and the indexer reads it from here.
create table index_queue (
  version_id integer not null,
  url_key bytea not null,
  enqueued_at bigint not null,
  -- Incremented when a page is settled again while it is queued, so that an indexer which read it earlier notices the change.
  revision integer not null default 0,
  primary key (version_id, url_key)
);

create index index_queue_oldest on index_queue (enqueued_at);

-- A segment holds the postings of some pages of one version and is immutable. state: 0 being filled by a merge, 1 searchable,
-- 2 searchable and being merged into another, 3 to be dropped, 4 being filled with new pages. docs/decisions/0020 explains why
-- the index is stored in ordinary tables.
create table search_segments (
  id integer generated always as identity primary key,
  version_id integer not null,
  state integer not null check (state between 0 and 4),
  chunks integer not null,
  pages integer not null,
  page_sizes bytea not null,
  -- Tokenizer and field weights it was built with. An outdated segment is searched until its pages are indexed again.
  index_fingerprint text not null,
  merge_plan text,
  merge_cursor text
);

create index search_segments_version on search_segments (version_id);

create table search_postings (
  segment_id integer not null,
  term text collate "C" not null,
  chunks integer not null,
  postings bytea not null,
  primary key (segment_id, term)
);

-- The current position of a page in the index. A page of a segment without a row here was removed or indexed again.
create table search_pages (
  version_id integer not null,
  url_key bytea not null,
  segment_id integer not null,
  page_index integer not null,
  primary key (version_id, url_key)
);

create unique index search_pages_position on search_pages (segment_id, page_index);

create table spaces (
  id integer primary key generated always as identity,
  fingerprint text not null unique,
  settings text not null,
  dimensions integer not null check (dimensions > 0),
  created_at bigint not null
);

-- Embedding state of each chunk text in each space. state: 0 pending, 1 claimed, 2 embedded, 3 failed.
create table embeddings (
  space_id integer not null references spaces (id),
  content_hash bytea not null,
  state smallint not null check (state between 0 and 3),
  fence integer not null default 0,
  attempts smallint not null default 0,
  worker text,
  due_at bigint,
  reason text,
  primary key (space_id, content_hash),
  check ((state = 1) = (worker is not null))
);

create index embeddings_pending on embeddings (space_id, due_at) where state in (0, 1);

-- With pgvector installed, each space also has a table space_vectors_N with an HNSW index.
create table vectors (
  seq bigint generated by default as identity primary key,
  space_id integer not null references spaces (id),
  content_hash bytea not null,
  vector bytea not null,
  unique (space_id, content_hash)
);

-- Event numbers grow in commit order: event_head is locked last in every transaction that appends.
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
-- Finds a rare kind among a million events of a run without scanning all of them.
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

-- Access tokens of the HTTP server. Only the hash of a token is stored.
create table tokens (
  name text primary key,
  role text not null check (role in ('read', 'admin')),
  hash text not null unique,
  created_at bigint not null
);
