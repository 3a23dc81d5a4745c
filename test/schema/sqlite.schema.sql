CREATE TABLE bodies (
  version_id integer not null,
  url_key blob not null,
  encoding text not null,
  bytes blob not null,
  primary key (version_id, url_key),
  foreign key (version_id, url_key) references pages (version_id, url_key) on delete cascade
) strict;

CREATE TABLE change_consumers (
  name text primary key,
  position integer not null
) strict;

CREATE TABLE change_log (
  one integer primary key check (one = 1),
  complete_from integer not null,
  untracked_until integer not null
, library_id text not null default '') strict;

CREATE TABLE changes (
  position integer primary key,
  at integer not null,
  version_id integer not null,
  source_id integer not null,
  kind integer not null check (kind between 1 and 3),
  url_key blob not null,
  url text not null,
  chunk_digest blob check ((chunk_digest is null) = (kind = 3)),
  added blob not null,
  removed blob not null
) strict;

CREATE INDEX changes_page on changes (version_id, url_key);

CREATE TABLE chunks (
  pk integer primary key autoincrement,
  version_id integer not null,
  url_key blob not null,
  ordinal integer not null,
  chunk_id blob not null check (length(chunk_id) = 32),
  content_hash blob not null check (length(content_hash) = 32),
  passage_kind text not null,
  headings text not null,
  anchor text,
  symbol text,
  json_path text,
  text text not null,
  first_line integer not null,
  last_line integer not null,
  tokens integer not null, word_vector blob check (length(word_vector) = 256),
  unique (version_id, chunk_id),
  foreign key (version_id, url_key) references pages (version_id, url_key) on delete cascade
) strict;

CREATE INDEX chunks_content on chunks (content_hash);

CREATE INDEX chunks_page on chunks (version_id, url_key, ordinal);

CREATE TABLE discovery_files (
  version_id integer not null references versions (id),
  name text not null,
  url text not null,
  encoding text not null,
  bytes blob not null,
  saved_at integer not null,
  primary key (version_id, name)
) strict;

CREATE TABLE documents (
  version_id integer not null,
  url_key blob not null,
  text text not null,
  outline text not null,
  response_meta text not null, rendered_by text,
  primary key (version_id, url_key),
  foreign key (version_id, url_key) references pages (version_id, url_key) on delete cascade
) strict;

CREATE TABLE embeddings (
  space_id integer not null references spaces (id),
  content_hash blob not null,
  state integer not null check (state between 0 and 3),
  fence integer not null default 0,
  attempts integer not null default 0,
  worker text,
  due_at integer,
  reason text, carried_by integer,
  primary key (space_id, content_hash),
  check ((state = 1) = (worker is not null))
) strict, without rowid;

CREATE TRIGGER embeddings_added after insert on embeddings begin update space_counts set pending = pending + (new.state in (0, 1)), embedded = embedded + (new.state = 2), failed = failed + (new.state = 3) where space_id = new.space_id; end;

CREATE INDEX embeddings_carried on embeddings (content_hash) where carried_by is not null;

CREATE TRIGGER embeddings_changed after update of state on embeddings when max(old.state, 1) <> max(new.state, 1) begin update space_counts set pending = pending + (new.state in (0, 1)) - (old.state in (0, 1)), embedded = embedded + (new.state = 2) - (old.state = 2), failed = failed + (new.state = 3) - (old.state = 3) where space_id = new.space_id; end;

CREATE TRIGGER embeddings_deleted after delete on embeddings begin update space_counts set pending = pending - (old.state in (0, 1)), embedded = embedded - (old.state = 2), failed = failed - (old.state = 3) where space_id = old.space_id; end;

CREATE INDEX embeddings_pending on embeddings (space_id, due_at) where state in (0, 1);

CREATE TABLE event_head (
  one integer primary key check (one = 1),
  last integer not null
, expiry_at integer, last_change integer not null default 0, covered integer not null default 0) strict;

CREATE TABLE events (
  seq integer primary key,
  at integer not null,
  source_id integer not null,
  run_id integer not null,
  kind text not null,
  url text,
  detail text not null
) strict;

CREATE INDEX events_kind on events (run_id, kind, seq);

CREATE INDEX events_of_kind on events (kind, seq);

CREATE INDEX events_run on events (run_id, seq);

CREATE TABLE frontier (
  version_id integer not null,
  url_key blob not null check (length(url_key) = 16),
  run_id integer not null,
  host_id integer not null,
  url text not null,
  depth integer not null,
  priority integer not null,
  found_by integer not null,
  parent_key blob,
  state integer not null check (state between 0 and 4),
  fence integer not null default 0,
  settled_fence integer not null default 0,
  attempts integer not null default 0,
  crashes integer not null default 0,
  hops integer not null default 0,
  worker text,
  due_at integer,
  outcome integer check (outcome between 1 and 10),
  reason text,
  target_key blob,
  pending_outcome integer check (pending_outcome between 5 and 7),
  enqueued_at integer not null,
  settled_at integer, aliases text, fetches text,
  primary key (version_id, url_key),
  check ((state = 1) = (worker is not null)),
  check ((state in (1, 2)) = (due_at is not null)),
  check (outcome is not null or state < 3),
  check (outcome is null or outcome not in (7, 8, 10) or reason is not null)
) strict;

CREATE INDEX frontier_due on frontier (due_at) where due_at is not null;

CREATE INDEX frontier_missing on frontier (run_id, url_key) where outcome = 4;

CREATE INDEX frontier_ready on frontier (run_id, host_id, priority, url_key) where state = 0;

CREATE INDEX frontier_reasons on frontier (run_id, outcome, reason, url_key) where reason is not null and state >= 3;

CREATE INDEX frontier_target on frontier (version_id, target_key) where target_key is not null;

CREATE TABLE host_queues (
  run_id integer not null,
  host_id integer not null,
  primary key (run_id, host_id)
) strict, without rowid;

CREATE INDEX host_queues_host on host_queues (host_id);

CREATE TABLE hosts (
  id integer primary key autoincrement,
  host text not null unique,
  next_at integer not null default 0,
  ready_at integer not null default 0,
  idle_ms integer not null default 0,
  delay_ms integer not null,
  crawl_delay_ms integer,
  paused_until integer not null default 0,
  breaker text not null default 'closed' check (breaker in ('closed', 'open', 'half-open')),
  failures integer not null default 0,
  has_queues integer not null default 0
, throttles integer not null default 0) strict;

CREATE INDEX hosts_ready on hosts (ready_at) where has_queues;

CREATE TABLE index_queue (
  version_id integer not null,
  url_key blob not null,
  enqueued_at integer not null,
  -- Incremented when a page is settled again while it is queued, so that an indexer which read it earlier notices the change.
  revision integer not null default 0,
  primary key (version_id, url_key)
) strict, without rowid;

CREATE INDEX index_queue_oldest on index_queue (enqueued_at);

CREATE INDEX index_queue_version on index_queue (version_id, enqueued_at, url_key);

CREATE TABLE library_days (
  source text not null,
  day integer not null,
  pages integer not null,
  chunks integer not null,
  received_bytes integer not null,
  database_bytes integer,
  primary key (source, day)
) strict, without rowid;

CREATE INDEX library_days_day on library_days (day, source);

CREATE TABLE migrations (number integer primary key, name text not null, hash text not null, applied_at bigint not null);

CREATE TABLE "milestones" (
  id integer primary key autoincrement,
  run_id integer not null,
  kind text not null,
  source_id integer not null,
  at integer not null,
  details text not null,
  unique (run_id, kind)
) strict;

CREATE INDEX milestones_kind on milestones (kind, id);

CREATE TABLE page_links (
  version_id integer not null,
  url_key blob not null,
  targets blob not null,
  primary key (version_id, url_key),
  foreign key (version_id, url_key) references pages (version_id, url_key) on delete cascade
) strict, without rowid;

CREATE TABLE page_revisions (
  version_id integer not null,
  url_key blob not null,
  until_at integer not null,
  since_at integer not null,
  content_hash blob not null,
  pipeline_version text not null,
  text text,
  primary key (version_id, url_key, until_at),
  foreign key (version_id, url_key) references pages (version_id, url_key) on delete cascade
) strict;

CREATE TABLE pages (
  version_id integer not null,
  url_key blob not null,
  url text not null,
  title text not null,
  description text,
  language text,
  media_type text not null,
  etag text,
  last_modified text,
  content_hash blob not null check (length(content_hash) = 32),
  dedupe_hash blob,
  canonical text,
  alias_key blob,
  chunk_digest blob not null,
  n_chunks integer not null,
  pipeline_version text not null,
  facts text not null,
  fence integer not null,
  changed_at integer not null,
  checked_at integer not null, declared_version text, inlinks integer not null default 0,
  primary key (version_id, url_key),
  foreign key (version_id, url_key) references frontier (version_id, url_key)
) strict;

CREATE INDEX pages_aliases on pages (version_id, alias_key) where alias_key is not null;

CREATE TRIGGER pages_changed after update of changed_at on pages when old.changed_at <> new.changed_at begin update version_counts set changed_at = new.changed_at where version_id = new.version_id and changed_at < new.changed_at; end;

CREATE TRIGGER pages_checked after update of checked_at on pages begin update version_counts set newest_check_at = new.checked_at where version_id = new.version_id and newest_check_at < new.checked_at - 1000; end;

CREATE TRIGGER pages_deleted after delete on pages begin update version_counts set pages = pages - (old.alias_key is null), duplicates = duplicates - (old.alias_key is not null), chunks = chunks - old.n_chunks where version_id = old.version_id; end;

CREATE INDEX pages_duplicates on pages (version_id, dedupe_hash) where dedupe_hash is not null;

CREATE TRIGGER pages_inserted after insert on pages begin insert into version_counts values (new.version_id, new.alias_key is null, new.alias_key is not null, new.n_chunks, new.checked_at, new.checked_at, new.changed_at) on conflict (version_id) do update set pages = pages + excluded.pages, duplicates = duplicates + excluded.duplicates, chunks = chunks + excluded.chunks, oldest_check_at = case when pages + duplicates = 0 then excluded.oldest_check_at else oldest_check_at end, newest_check_at = max(newest_check_at, excluded.newest_check_at), changed_at = max(changed_at, excluded.changed_at); end;

CREATE INDEX pages_pipeline on pages (version_id, pipeline_version, url_key) where alias_key is null;

CREATE TRIGGER pages_recounted after update of alias_key, n_chunks on pages when old.n_chunks <> new.n_chunks or (old.alias_key is null) <> (new.alias_key is null) begin update version_counts set pages = pages + (new.alias_key is null) - (old.alias_key is null), duplicates = duplicates + (new.alias_key is not null) - (old.alias_key is not null), chunks = chunks + new.n_chunks - old.n_chunks where version_id = new.version_id; end;

CREATE INDEX pages_url on pages (version_id, url);

CREATE TABLE point_generations (
  id integer primary key autoincrement,
  name text not null,
  fingerprint text not null,
  state integer not null check (state between 0 and 3),
  dropped_at integer
) strict;

CREATE UNIQUE INDEX point_generations_current on point_generations (state) where state = 1;

CREATE TABLE point_pages (
  number integer primary key autoincrement,
  generation_id integer not null,
  version_id integer not null,
  url_key blob not null,
  n_chunks integer not null,
  position integer not null,
  state integer not null check (state between 0 and 2),
  changed_at integer not null
) strict;

CREATE UNIQUE INDEX point_pages_current on point_pages (generation_id, version_id, url_key) where state = 1;

CREATE INDEX point_pages_replaced on point_pages (generation_id, changed_at) where state <> 1;

CREATE TABLE point_queue (
  generation_id integer not null,
  version_id integer not null,
  after_key blob not null,
  enqueued_at integer not null,
  primary key (generation_id, version_id)
) strict, without rowid;

CREATE TABLE point_terms (
  generation_id integer not null,
  version_id integer not null,
  term_id integer not null,
  term text not null,
  chunks integer not null,
  primary key (generation_id, version_id, term_id)
) strict, without rowid;

CREATE INDEX point_terms_term on point_terms (generation_id, version_id, term);

CREATE TABLE point_texts (
  space_id integer not null,
  content_hash blob not null,
  primary key (space_id, content_hash)
) strict, without rowid;

CREATE TABLE point_versions (
  generation_id integer not null,
  version_id integer not null,
  pages integer not null,
  chunks integer not null,
  primary key (generation_id, version_id)
) strict, without rowid;

CREATE TABLE problems (
  id integer primary key autoincrement,
  source_id integer not null,
  run_id integer not null,
  kind text not null,
  severity text not null check (severity in ('info', 'warning', 'error')),
  scope text not null,
  target text not null,
  message text not null,
  details text not null,
  times integer not null,
  first_at integer not null,
  last_at integer not null,
  unique (run_id, kind, target)
) strict;

CREATE INDEX problems_kind on problems (kind, id);

CREATE INDEX problems_run on problems (run_id, id);

CREATE INDEX problems_scope on problems (scope, id);

CREATE INDEX problems_severity on problems (severity, id);

CREATE TABLE removed_pages (
  version_id integer not null,
  url_key blob not null,
  removed_at integer not null,
  since_at integer not null,
  title text not null,
  text text,
  primary key (version_id, url_key),
  foreign key (version_id, url_key) references frontier (version_id, url_key) on delete cascade
) strict;

CREATE INDEX removed_pages_by_age on removed_pages (version_id, removed_at);

CREATE TABLE removed_versions (
  version_id integer primary key,
  source text not null,
  label text not null
) strict;

CREATE TABLE robots_files (
  authority text primary key,
  access text not null,
  body text,
  fetched_at integer not null,
  fresh_until integer not null
) strict;

CREATE TABLE run_hosts (
  run_id integer not null,
  host text not null,
  requests integer not null,
  pages integer not null,
  errors integer not null,
  bytes integer not null,
  last_status integer,
  last_at integer not null,
  minute integer not null,
  in_minute integer not null,
  in_minute_before integer not null,
  delay_ms integer,
  primary key (run_id, host)
) strict, without rowid;

CREATE TABLE run_reasons (
  run_id integer not null,
  outcome integer not null,
  reason text not null,
  times integer not null,
  example text not null,
  primary key (run_id, outcome, reason)
) strict, without rowid;

CREATE TABLE run_samples (
  run_id integer not null,
  nth integer not null,
  at integer not null,
  found integer not null,
  queue_size integer not null,
  stored integer not null,
  failed integer not null,
  bytes integer not null, requests integer not null default 0, downloads integer not null default 0,
  primary key (run_id, nth)
) strict, without rowid;

CREATE TABLE runs (
  id integer primary key autoincrement,
  source_id integer not null references sources (id),
  version_id integer not null references versions (id),
  state text not null check (state in ('queued', 'running', 'paused', 'stopping', 'completed', 'partial', 'stopped', 'failed')),
  mode text not null check (mode in ('incremental', 'refresh', 'full', 'retry')),
  settings text not null,
  reason text,
  worker text,
  lease_until integer,
  fence integer not null default 0,
  created_at integer not null,
  started_at integer,
  ended_at integer,
  n_found integer not null default 0,
  n_new integer not null default 0,
  n_changed integer not null default 0,
  n_unchanged integer not null default 0,
  n_missing integer not null default 0,
  n_gone integer not null default 0,
  n_moved integer not null default 0,
  n_skipped integer not null default 0,
  n_failed integer not null default 0,
  n_dropped integer not null default 0,
  n_excluded integer not null default 0,
  n_bytes integer not null default 0, crashes integer not null default 0, crash_progress integer not null default -1, open_depth integer, n_requests integer not null default 0, n_downloads integer not null default 0, active_at integer, aborts_at integer, concurrency integer, worked_ms integer not null default 0,
  check ((ended_at is null) = (state in ('queued', 'running', 'paused', 'stopping')))
) strict;

CREATE INDEX runs_live on runs (id) where ended_at is null;

CREATE UNIQUE INDEX runs_one_live on runs (source_id) where ended_at is null;

CREATE INDEX runs_source on runs (source_id, id);

CREATE INDEX runs_state on runs (state, id);

CREATE INDEX runs_version on runs (version_id, id);

CREATE TABLE search_columns (
  segment_id integer not null,
  field text not null check (field in ('kinds', 'urls', 'headings', 'symbols')),
  bytes blob not null,
  primary key (segment_id, field)
) strict;

CREATE TABLE search_pages (
  version_id integer not null,
  url_key blob not null,
  segment_id integer not null,
  page_index integer not null,
  primary key (version_id, url_key)
) strict, without rowid;

CREATE UNIQUE INDEX search_pages_position on search_pages (segment_id, page_index);

CREATE TABLE search_postings (
  segment_id integer not null,
  term text not null,
  chunks integer not null,
  postings blob not null,
  primary key (segment_id, term)
) strict, without rowid;

CREATE TABLE search_segments (
  id integer primary key autoincrement,
  version_id integer not null,
  state integer not null check (state between 0 and 4),
  chunks integer not null,
  pages integer not null,
  page_sizes blob not null,
  -- Tokenizer and field weights it was built with. An outdated segment is searched until its pages are indexed again.
  index_fingerprint text not null,
  merge_plan text,
  merge_cursor text
, live integer not null default 0, checksum integer, has_columns integer not null default 0) strict;

CREATE INDEX search_segments_state on search_segments (state, id);

CREATE INDEX search_segments_version on search_segments (version_id);

CREATE INDEX search_segments_without_columns on search_segments (id) where has_columns = 0;

CREATE TABLE sources (
  id integer primary key autoincrement,
  name text not null unique,
  kind text not null,
  start text not null,
  settings text not null,
  created_at integer not null,
  -- When the next scheduled run is due; null for a source without a schedule.
  due_at integer,
  removed_at integer
, machine text) strict;

CREATE TABLE space_counts (
  space_id integer not null,
  pending integer not null,
  embedded integer not null,
  failed integer not null
) strict;

CREATE INDEX space_counts_space on space_counts (space_id);

CREATE TABLE spaces (
  id integer primary key autoincrement,
  fingerprint text not null unique,
  settings text not null,
  dimensions integer not null check (dimensions > 0),
  created_at integer not null
, queued_pk integer) strict;

CREATE TRIGGER spaces_added after insert on spaces begin insert into space_counts (space_id, pending, embedded, failed) values (new.id, 0, 0, 0); end;

CREATE TABLE symbol_names (
  version_id integer not null,
  name text not null,
  chunk_pk integer not null references chunks (pk) on delete cascade,
  primary key (version_id, name, chunk_pk)
) strict, without rowid;

CREATE INDEX symbol_names_chunk on symbol_names (chunk_pk);

CREATE TABLE tokens (
  name text primary key,
  role text not null check (role in ('read', 'admin')),
  hash text not null unique,
  created_at integer not null
) strict;

CREATE TABLE vectors (
  seq integer primary key autoincrement,
  space_id integer not null references spaces (id),
  content_hash blob not null,
  vector blob not null,
  unique (space_id, content_hash)
) strict;

CREATE TABLE version_counts (
  version_id integer primary key,
  pages integer not null,
  duplicates integer not null,
  chunks integer not null,
  oldest_check_at integer not null,
  newest_check_at integer not null,
  changed_at integer not null
) strict;

CREATE TABLE versions (
  id integer primary key autoincrement,
  source_id integer not null references sources (id),
  label text not null,
  facts text not null,
  created_at integer not null, declared_version text,
  unique (source_id, label)
) strict;

CREATE TABLE webhooks (
  id integer primary key autoincrement,
  name text not null unique,
  url text not null,
  source text,
  secret text not null,
  position integer not null,
  message_end integer,
  state integer not null check (state between 0 and 1),
  created_at integer not null,
  delivered_at integer,
  failures integer not null,
  failing_since integer check ((failing_since is null) = (failures = 0)),
  last_failure text,
  due_at integer not null,
  worker text,
  lease_until integer check ((lease_until is null) = (worker is null)),
  fence integer not null
) strict;
