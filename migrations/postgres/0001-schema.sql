-- The schema of a library in PostgreSQL. Times are milliseconds since 1970, from now_ms(). migrations/sqlite has the same tables and
-- columns; docs/decisions/0003 explains why there are two files.

-- Functions.

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

-- What is crawled.

create table sources (
  id integer primary key generated always as identity,
  name text not null unique,
  kind text not null,
  start_url text not null,
  settings text not null,
  created_at bigint not null,
  -- When the next scheduled run is due; null for a source without a schedule.
  due_at bigint,
  removed_at bigint,
  -- The machine that has the files of a folder, if processes on other machines use the same database.
  machine text,
  -- Grows with every change of the source or its versions, see source_head.
  revision bigint not null default 0
);

create index sources_revision on sources (revision);
create index sources_due on sources (due_at) where due_at is not null and removed_at is null;

create table versions (
  id integer primary key generated always as identity,
  source_id integer not null references sources (id),
  label text not null,
  site_profile text not null,
  created_at bigint not null,
  -- The version of the documented product that most pages state.
  declared_version text,
  -- URLs that its frontier has.
  urls bigint not null default 0,
  has_pages integer not null default 0 check (has_pages in (0, 1)),
  unique (source_id, label)
);

-- The revision of the directory of sources, so that a process which has read them once reads only what has changed. Triggers write it.
create table source_head (
  one integer primary key check (one = 1),
  revision bigint not null,
  -- The greatest revision of a source whose row is gone: a process that has read less reads all sources.
  deleted bigint not null
);

insert into source_head (one, revision, deleted) values (1, 0, 0);

-- Revisions grow in commit order. So the triggers are deferred to the commit, and lock source_head last.
create function revise_sources(ids integer[]) returns void language plpgsql as $$
declare next bigint;
begin
  perform 1 from sources where id = any (ids) order by id for no key update;
  update source_head set revision = revision + 1 returning revision into next;
  update sources set revision = next where id = any (ids);
end $$;
create function source_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then update source_head set deleted = greatest(deleted, old.revision);
  else perform revise_sources(array[new.id]); end if;
  return null;
end $$;
create function version_changed() returns trigger language plpgsql as $$
begin
  perform revise_sources(case when tg_op = 'UPDATE' then array[old.source_id, new.source_id] else array[new.source_id] end);
  return null;
end $$;

create constraint trigger sources_added after insert on sources deferrable initially deferred for each row execute function source_changed();
create constraint trigger sources_changed after update of name, kind, start_url, settings, due_at, removed_at, machine on sources
  deferrable initially deferred for each row execute function source_changed();
create constraint trigger sources_deleted after delete on sources deferrable initially deferred for each row execute function source_changed();
create constraint trigger versions_added after insert on versions deferrable initially deferred for each row execute function version_changed();
create constraint trigger versions_changed after update of source_id, label, declared_version, has_pages on versions
  deferrable initially deferred for each row
  when (old.source_id <> new.source_id or old.label <> new.label or old.declared_version is distinct from new.declared_version or old.has_pages <> new.has_pages)
  execute function version_changed();

alter table sources enable always trigger sources_added, enable always trigger sources_changed, enable always trigger sources_deleted;
alter table versions enable always trigger versions_added, enable always trigger versions_changed;

-- Which versions of packages a project uses, by the folder of the project.
create table project_versions (
  folder text not null,
  version_id integer not null references versions (id),
  -- Hash of the files that the package has there: the same for all projects that use the version.
  content text not null,
  primary key (folder, version_id)
);

create index project_versions_version on project_versions (version_id);

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

-- Runs.

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
  -- When it last did something.
  active_at bigint,
  -- When its first URLs, or the files of its folder, were all in the queue; null before.
  seeded_at bigint,
  -- Milliseconds that coordinators have worked on it, by their monotonic clocks: without pauses and jumps of the wall clock.
  worked_ms bigint not null default 0,
  -- When the URLs that a stopping run still has in flight are dropped; null if it waits for them.
  aborts_at bigint,
  -- URLs that one worker may have in flight; null without such a limit.
  concurrency integer,
  -- URLs that it may find; null without such a limit.
  max_urls bigint,
  -- Links that it left out at that limit.
  left_out bigint not null default 0,
  -- Events that it has written, also those that were deleted since, and when it wrote the last one.
  events bigint not null default 0,
  last_event_at bigint,
  -- In a run with a maximum depth, only URLs up to this depth are claimed: a level is complete before the next one begins. Null
  -- in other runs.
  open_depth integer,
  -- Coordinators in a row that lost the run without progress, and what it had found and settled at the last such crash.
  crashes integer not null default 0,
  crash_progress bigint not null default -1,
  n_found bigint not null default 0,
  n_new bigint not null default 0,
  n_changed bigint not null default 0,
  n_unchanged bigint not null default 0,
  n_missing bigint not null default 0,
  n_removed bigint not null default 0,
  n_not_found bigint not null default 0,
  n_moved bigint not null default 0,
  n_skipped bigint not null default 0,
  n_failed bigint not null default 0,
  n_dropped bigint not null default 0,
  n_excluded bigint not null default 0,
  n_bytes bigint not null default 0,
  n_requests integer not null default 0,
  n_downloads integer not null default 0,
  check ((ended_at is null) = (state in ('queued', 'running', 'paused', 'stopping')))
);

create unique index runs_one_live on runs (source_id) where ended_at is null;
create index runs_version on runs (version_id, id);
-- The latest run of a source, the live ones, and those in a state, newest first.
create index runs_source on runs (source_id, id);
create index runs_live on runs (id) where ended_at is null;
create index runs_state on runs (state, id);

-- Why URLs of an ended run got their outcome: the next run takes over the rows of the frontier. outcome is numbered as there.
create table run_reasons (
  run_id integer not null,
  outcome integer not null,
  reason text not null,
  count integer not null,
  example text not null,
  primary key (run_id, outcome, reason)
);

-- Progress of a run, every ten seconds at first and then less often. nth counts the ten seconds since its start.
create table run_samples (
  run_id integer not null,
  nth integer not null,
  at bigint not null,
  found integer not null,
  queue_size integer not null,
  stored integer not null,
  failed integer not null,
  bytes bigint not null,
  requests integer not null default 0,
  downloads integer not null default 0,
  primary key (run_id, nth)
);

-- What a run requested from each host. Requests of the current minute (counted since 1970) and of the one before give the
-- rate; delay_ms is that of the host at the end of the run, and null before.
create table run_hosts (
  run_id integer not null,
  host text not null,
  requests integer not null,
  pages integer not null,
  errors integer not null,
  bytes bigint not null,
  last_status integer,
  last_at bigint not null,
  minute integer not null,
  in_minute integer not null,
  in_minute_before integer not null,
  delay_ms integer,
  primary key (run_id, host)
);

-- Hosts and the frontier.

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
  -- Grows with each URL of the host that is throttled for the first time, and shrinks with each response.
  throttles integer not null default 0,
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
  -- Queued URLs of a host are claimed by rank, then by priority, which is the depth: 500 unless a plan ranks them, 1000 for one that is
  -- retried.
  rank integer not null default 500,
  priority integer not null,
  fence integer not null default 0,
  settled_fence integer not null default 0,
  depth smallint not null,
  found_by smallint not null,
  state smallint not null check (state between 0 and 4),
  attempts smallint not null default 0,
  crashes smallint not null default 0,
  hops smallint not null default 0,
  outcome smallint check (outcome between 1 and 11),
  pending_outcome smallint check (pending_outcome in (5, 6, 7, 10)),
  url_key bytea not null check (length(url_key) = 16),
  url text not null,
  -- How links wrote the URL, where parameters were stripped or reordered: the first few, separated by spaces.
  -- The URL as links wrote it.
  raw_urls text,
  parent_key bytea,
  worker text,
  reason text,
  target_key bytea,
  -- The newest requests of the URL, newest first: a line each, cut at a length.
  fetches text,
  primary key (version_id, url_key),
  check ((state = 1) = (worker is not null)),
  check ((state in (1, 2)) = (due_at is not null)),
  check (outcome is not null or state < 3),
  check (outcome is null or outcome not in (7, 8, 10) or reason is not null)
) with (fillfactor = 80);

create index frontier_ready on frontier (run_id, host_id, rank, priority, url_key) where state = 0;
create index frontier_due on frontier (due_at) where due_at is not null;
create index frontier_target on frontier (version_id, target_key) where target_key is not null;
-- The end of a run confirms its missing URLs in batches by key, without sorting the rest for each batch.
create index frontier_missing on frontier (run_id, url_key) where outcome = 4;
-- Not for a query that names no run: PostgreSQL would read all of it for the redirects to one URL.
create index frontier_moved on frontier (run_id, url_key) where outcome = 6 and run_id is not null;
create index frontier_reasons on frontier (run_id, outcome, reason, url_key) where reason is not null and state >= 3;

-- Pages.

-- dedupe_hash: equal for pages with the same content; null for a page that is never deduplicated. canonical: the canonical URL
-- that the page declares; canonical_key: its key, null if it is the page's own. alias_key: the canonical page of a duplicate,
-- which then has no chunks.
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
  canonical_key bytea,
  alias_key bytea,
  chunk_digest bytea not null,
  n_chunks integer not null,
  pipeline_version text not null,
  metadata text not null,
  -- The version that the page states for the documented product.
  declared_version text,
  -- How many pages of the source link to it, counted at the end of a run. Pages that many others link to rank higher.
  inlinks integer not null default 0,
  fence integer not null,
  changed_at bigint not null,
  checked_at bigint not null,
  primary key (version_id, url_key),
  foreign key (version_id, url_key) references frontier (version_id, url_key)
);

create index pages_duplicates on pages (version_id, dedupe_hash) where dedupe_hash is not null;
create index pages_aliases on pages (version_id, alias_key) where alias_key is not null;
create index pages_canonical on pages (version_id, canonical_key, url_key) where canonical_key is not null;
create index pages_url on pages (version_id, url collate "C");
create index pages_pipeline on pages (version_id, pipeline_version, url_key) where alias_key is null;

-- Counts of each version, kept by triggers in the transaction that changes a page, so that no list, poll or scrape counts pages.
-- The times of checks are exact to the second; the oldest one is measured at the end of a run.
create table version_counts (
  version_id integer primary key,
  pages bigint not null,
  duplicates bigint not null,
  chunks bigint not null,
  oldest_check_at bigint not null,
  -- The page that was checked then; null before it is measured.
  oldest_check_key bytea,
  -- 1 if link_counts has the links of all pages, except for what link_marks says.
  links_counted integer not null default 0,
  newest_check_at bigint not null,
  changed_at bigint not null
) with (fillfactor = 50);

create function note_pages() returns trigger language plpgsql as $$
begin
  update versions set has_pages = (new.pages + new.duplicates > 0)::integer where id = new.version_id;
  return null;
end $$;

create trigger version_counts_added after insert on version_counts for each row execute function note_pages();
create trigger version_counts_changed after update of pages, duplicates on version_counts for each row
  when ((old.pages + old.duplicates > 0) <> (new.pages + new.duplicates > 0)) execute function note_pages();

alter table version_counts enable always trigger version_counts_added, enable always trigger version_counts_changed;

-- Every writer of its pages locks the row of a version. So the triggers are deferred to the commit: a worker that stalls inside
-- its transaction blocks no other one.
create function count_page() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into version_counts (version_id, pages, duplicates, chunks, oldest_check_at, newest_check_at, changed_at) values (new.version_id, (new.alias_key is null)::integer, (new.alias_key is not null)::integer, new.n_chunks, new.checked_at, new.checked_at, new.changed_at)
      on conflict (version_id) do update set pages = version_counts.pages + excluded.pages, duplicates = version_counts.duplicates + excluded.duplicates, chunks = version_counts.chunks + excluded.chunks,
        oldest_check_at = case when version_counts.pages + version_counts.duplicates = 0 then excluded.oldest_check_at else version_counts.oldest_check_at end,
        newest_check_at = greatest(version_counts.newest_check_at, excluded.newest_check_at), changed_at = greatest(version_counts.changed_at, excluded.changed_at);
  elsif tg_op = 'DELETE' then
    update version_counts set pages = pages - (old.alias_key is null)::integer, duplicates = duplicates - (old.alias_key is not null)::integer, chunks = chunks - old.n_chunks
      where version_id = old.version_id;
  else
    update version_counts set pages = pages + (new.alias_key is null)::integer - (old.alias_key is null)::integer, duplicates = duplicates + (new.alias_key is not null)::integer - (old.alias_key is not null)::integer,
        chunks = chunks + new.n_chunks - old.n_chunks, newest_check_at = greatest(newest_check_at, new.checked_at), changed_at = greatest(changed_at, new.changed_at)
      where version_id = new.version_id
        and (new.n_chunks <> old.n_chunks or (new.alias_key is null) <> (old.alias_key is null) or new.checked_at > newest_check_at + 1000 or new.changed_at > changed_at);
  end if;
  return null;
end $$;

create constraint trigger pages_inserted after insert on pages deferrable initially deferred for each row execute function count_page();
create constraint trigger pages_deleted after delete on pages deferrable initially deferred for each row execute function count_page();
create constraint trigger pages_updated after update on pages deferrable initially deferred for each row execute function count_page();

alter table pages enable always trigger pages_inserted, enable always trigger pages_deleted, enable always trigger pages_updated;

-- Pages and redirects whose group of duplicates may have changed since the end of a run last grouped them, once for each
-- change: writers of one row would wait for each other. Triggers add them, so that no writer can forget it, and a run that is
-- stopped leaves them to the next one. A removed page is added with its removal.
create table duplicate_marks (
  version_id integer not null,
  url_key bytea not null
);

create index duplicate_marks_key on duplicate_marks (version_id, url_key);

create function mark_page() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then insert into duplicate_marks values (new.version_id, new.url_key);
  else
    insert into duplicate_marks select new.version_id, k from unnest(array[new.url_key, old.alias_key, old.canonical_key]) k where k is not null;
  end if;
  return null;
end $$;

create trigger pages_marked_new after insert on pages for each row execute function mark_page();
create trigger pages_marked after update of dedupe_hash, canonical_key, alias_key on pages for each row
  when (old.dedupe_hash is distinct from new.dedupe_hash or old.canonical_key is distinct from new.canonical_key or (old.alias_key is not null and new.alias_key is null))
  execute function mark_page();

-- A page is itself, whatever its URL once redirected to.
create function mark_redirect() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from pages where version_id = new.version_id and url_key = new.url_key) then
    insert into duplicate_marks select new.version_id, k from unnest(array[new.url_key, case when old.outcome = 6 then old.target_key end]) k where k is not null;
  end if;
  return null;
end $$;

create trigger redirects_marked after update of outcome, target_key on frontier for each row
  when ((old.outcome = 6 or new.outcome = 6) and (old.outcome is distinct from new.outcome or old.target_key is distinct from new.target_key))
  execute function mark_redirect();

alter table pages enable always trigger pages_marked_new, enable always trigger pages_marked;
alter table frontier enable always trigger redirects_marked;

-- Large texts are kept in separate tables, so that revalidating an unchanged page rewrites only a small row.
create table documents (
  version_id integer not null,
  url_key bytea not null,
  text text not null,
  outline text not null,
  response_meta text not null,
  -- The browser that rendered the page, such as 'chromium 156.0.8078.79'; null for a page that was stored as it was fetched.
  rendered_by text,
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

-- The last text of pages that were removed, the newest few of a version. A page that returned is in pages too, and its row here
-- is replaced if it is removed again. text is null if it was too long to keep.
create table removed_pages (
  version_id integer not null,
  url_key bytea not null,
  removed_at bigint not null,
  since_at bigint not null,
  title text not null,
  text text,
  primary key (version_id, url_key),
  foreign key (version_id, url_key) references frontier (version_id, url_key) on delete cascade
);

create index removed_pages_by_age on removed_pages (version_id, removed_at);

-- Outbound content links of a page: the first 8 bytes of the key of each linked URL, concatenated. One row per link would
-- double what a crawl writes; backlinks are found by scanning these rows.
create table page_links (
  version_id integer not null,
  url_key bytea not null,
  targets bytea not null,
  -- Links in its menus.
  nav_links integer not null,
  primary key (version_id, url_key),
  foreign key (version_id, url_key) references pages (version_id, url_key) on delete cascade
);

-- How many pages of a version link to a URL, stored or not, by the first 8 bytes of its key.
create table link_counts (
  version_id integer not null,
  target bytea not null,
  links integer not null,
  primary key (version_id, target)
);

-- Pages whose links, or whose group of duplicates, have changed since links were counted, once for each change. counted: the
-- links that are in link_counts for it, as in page_links; null if they have not changed. The first change of a page counts.
create table link_marks (
  seq bigint primary key generated always as identity,
  version_id integer not null,
  url_key bytea not null,
  counted bytea
);

create index link_marks_key on link_marks (version_id, url_key, seq);

create function mark_links() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then insert into link_marks (version_id, url_key, counted) values (new.version_id, new.url_key, '');
  else
    insert into link_marks (version_id, url_key, counted) select p.version_id, p.url_key, case when p.alias_key is null then old.targets else '' end
      from pages p where p.version_id = new.version_id and p.url_key = new.url_key;
  end if;
  return null;
end $$;

create trigger links_marked_new after insert on page_links for each row execute function mark_links();
create trigger links_marked after update of targets on page_links for each row when (old.targets <> new.targets) execute function mark_links();

-- The links of a duplicate do not count, and those to it count for its canonical page.
create function mark_alias() returns trigger language plpgsql as $$
begin
  insert into link_marks (version_id, url_key, counted) select l.version_id, l.url_key, case when old.alias_key is null then l.targets else '' end
    from page_links l where l.version_id = new.version_id and l.url_key = new.url_key;
  insert into link_marks (version_id, url_key) select new.version_id, k from unnest(array[old.alias_key, new.alias_key]) k where k is not null;
  return null;
end $$;

create trigger aliases_marked after update of alias_key on pages for each row when (old.alias_key is distinct from new.alias_key) execute function mark_alias();

alter table page_links enable always trigger links_marked_new, enable always trigger links_marked;
alter table pages enable always trigger aliases_marked;

-- The menus of the start page and of pages that lead to others: a JSON list of { url, label, level }.
create table page_navigation (
  version_id integer not null,
  url_key bytea not null,
  entries text not null,
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
  -- Static word vector of the chunk's headings and text: a signed byte per dimension. Null if the text has no known word.
  word_vector bytea check (length(word_vector) = 256),
  unique (version_id, chunk_id),
  foreign key (version_id, url_key) references pages (version_id, url_key) on delete cascade
);

-- Bytes of a vector do not compress.
alter table chunks alter column word_vector set storage external;

create index chunks_page on chunks (version_id, url_key, ordinal);
create index chunks_content on chunks (content_hash);

-- The symbols of chunks by their names: the whole symbol and what follows each of its separators, as core compares them, so that a
-- prefix is found by index. Derived from chunks.symbol.
create table symbol_names (
  version_id integer not null,
  name text collate "C" not null,
  chunk_pk bigint not null references chunks (pk) on delete cascade,
  primary key (version_id, name, chunk_pk)
);

create index symbol_names_chunk on symbol_names (chunk_pk);

-- The size of each source at the end of each day (days since 1970, UTC). By name, so that it stays readable when the source is
-- removed, after which its pages are 0. received_bytes is what its runs that ended on this day received; database_bytes is the size of
-- the whole database at the end of the last of them.
create table library_days (
  source text not null,
  day integer not null,
  pages bigint not null,
  chunks bigint not null,
  received_bytes bigint not null,
  database_bytes bigint,
  primary key (source, day)
);

create index library_days_day on library_days (day, source);

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
create index index_queue_version on index_queue (version_id, enqueued_at, url_key);

-- A segment holds the postings of some pages of one version and is immutable. state: 0 being filled by a merge, 1 searchable,
-- 2 searchable and being merged into another, 3 to be dropped, 4 being filled with new pages. docs/decisions/0020 explains why
-- the index is stored in ordinary tables.
create table search_segments (
  id integer primary key generated always as identity,
  version_id integer not null,
  state integer not null check (state between 0 and 4),
  chunks integer not null,
  pages integer not null,
  -- Pages whose current position is in the segment. Only a hint for what to merge: a merge reads the positions themselves.
  live integer not null default 0,
  page_sizes bytea not null,
  -- Tokenizer and field weights it was built with. An outdated segment is searched until its pages are indexed again.
  index_fingerprint text not null,
  merge_plan text,
  merge_cursor text,
  -- Sum of the checksums of its postings, so that lost or damaged ones are found.
  checksum bigint not null default 0,
  -- Whether it has rows in search_columns.
  has_columns integer not null default 0
);

create index search_segments_version on search_segments (version_id);
create index search_segments_state on search_segments (state, id);
create index search_segments_without_columns on search_segments (id) where has_columns = 0;

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

-- What filters need to know of a segment, by src/core/lexical/segment/filter-columns.ts. Made by compaction; until then the chunks are
-- read.
create table search_columns (
  segment_id integer not null,
  field text not null check (field in ('kinds', 'urls')),
  bytes bytea not null,
  primary key (segment_id, field)
);

-- Vectors of an embedding model.

create table spaces (
  id integer primary key generated always as identity,
  fingerprint text not null unique,
  settings text not null,
  dimensions integer not null check (dimensions > 0),
  created_at bigint not null,
  -- Chunks up to this key have been queued in the space; null when all of them have.
  queued_pk bigint
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
  -- The version whose bundle carried the vector; null for a vector that was computed here.
  carried_by integer,
  primary key (space_id, content_hash),
  check ((state = 1) = (worker is not null))
);

create index embeddings_pending on embeddings (space_id, due_at) where state in (0, 1);
create index embeddings_carried on embeddings (content_hash) where carried_by is not null;

-- Texts of a space by state. Written by triggers, so that no writer can forget it; the sum of the rows of a space counts.
create table space_counts (
  space_id integer not null,
  pending bigint not null,
  embedded bigint not null,
  failed bigint not null
);

create index space_counts_space on space_counts (space_id);

-- A row per statement, because writers that update one row wait for each other; now and then one of them merges the rows.
create function count_embeddings() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into space_counts (space_id, pending, embedded, failed)
      select space_id, count(*) filter (where state in (0, 1)), count(*) filter (where state = 2), count(*) filter (where state = 3)
      from added group by space_id;
  elsif tg_op = 'DELETE' then
    insert into space_counts (space_id, pending, embedded, failed)
      select space_id, - count(*) filter (where state in (0, 1)), - count(*) filter (where state = 2), - count(*) filter (where state = 3)
      from deleted group by space_id;
  else
    insert into space_counts (space_id, pending, embedded, failed)
      select space_id, sum(pending), sum(embedded), sum(failed) from (
        select space_id, (state in (0, 1))::int as pending, (state = 2)::int as embedded, (state = 3)::int as failed from added
        union all
        select space_id, - (state in (0, 1))::int, - (state = 2)::int, - (state = 3)::int from deleted) moved
      group by space_id having sum(embedded) <> 0 or sum(failed) <> 0;
  end if;
  if random() < 0.02 and pg_try_advisory_xact_lock(7069700) then
    with merged as (delete from space_counts returning space_id, pending, embedded, failed)
    insert into space_counts (space_id, pending, embedded, failed)
      select space_id, sum(pending), sum(embedded), sum(failed) from merged group by space_id;
  end if;
  return null;
end $$;

create trigger embeddings_added after insert on embeddings referencing new table as added
  for each statement execute function count_embeddings();

create trigger embeddings_deleted after delete on embeddings referencing old table as deleted
  for each statement execute function count_embeddings();

create trigger embeddings_changed after update on embeddings referencing old table as deleted new table as added
  for each statement execute function count_embeddings();

alter table embeddings enable always trigger embeddings_added, enable always trigger embeddings_deleted, enable always trigger embeddings_changed;

-- With pgvector installed, each space also has a table space_vectors_N with an HNSW index. A vector is then stored there only, and
-- its bytes here are empty.
create table vectors (
  seq bigint primary key generated by default as identity,
  space_id integer not null references spaces (id),
  content_hash bytea not null,
  vector bytea not null,
  unique (space_id, content_hash)
);

-- Vectors from a time without pgvector, which are moved.
create index vectors_with_bytes on vectors (space_id, seq) where length(vector) > 0;

-- The journal.

-- The numbers of events and the positions of changes grow in commit order: event_head is locked last in every transaction that appends.
-- expiry_at is the time by which events expire. It follows the clock in steps, so that a clock which was set wrong does not
-- expire them all; null before the first step.
create table event_head (
  one smallint primary key check (one = 1),
  last bigint not null,
  last_change bigint not null,
  expiry_at bigint
);

insert into event_head (one, last, last_change) values (1, 0, 0);

-- Events are in tables by ranges of their numbers, each named for its first number, so that old ones are removed by dropping a table.
-- The last range has no end, so that every number has a table.
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
-- Finds a rare kind among a million events of a run without scanning all of them.
create index events_kind on events (run_id, kind, seq);
-- Events of one kind over all runs.
create index events_of_kind on events (kind, seq);

create table events_0 partition of events for values from (minvalue) to (1000001);
create table events_1000001 partition of events for values from (1000001) to (maxvalue);

-- Problems and milestones are also listed for the whole library, newest first: each filter has an index that ends with the number.
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
  count integer not null,
  first_at bigint not null,
  last_at bigint not null,
  unique (run_id, kind, target)
);

create index problems_run on problems (run_id, id);
create index problems_kind on problems (kind, id);
create index problems_scope on problems (scope, id);
create index problems_severity on problems (severity, id);

-- scope is the host that a milestone is about, or 'run'.
create table milestones (
  id bigint primary key generated always as identity,
  -- The number of its run, or 'analysis-run' for one that an analysis found to be due.
  job text not null,
  run_id integer,
  -- Set for a milestone that a version reaches once, in whichever run.
  version_id integer,
  source_id integer not null,
  kind text not null,
  scope text not null,
  target text not null,
  message text not null,
  details text not null,
  at bigint not null,
  unique (job, source_id, kind, scope, target)
);

create unique index milestones_once on milestones (version_id, kind, scope) where version_id is not null;
create index milestones_job on milestones (job, id);
create index milestones_run on milestones (run_id, id);
create index milestones_kind on milestones (kind, id);
create index milestones_scope on milestones (scope, id);

-- The outbox: one row per page whose chunks were added, changed or removed, written in the transaction that did it. No foreign keys: a
-- row outlives its page and its source. kind: 1 new, 2 changed, 3 removed. chunk_digest is that of the page after the change, null once it is
-- removed. added and removed are the 32-byte ids of chunks, concatenated. docs/decisions/0058 explains the order of the positions.
create table changes (
  position bigint primary key,
  at bigint not null,
  version_id integer not null,
  source_id integer not null,
  kind smallint not null check (kind between 1 and 3),
  url_key bytea not null,
  url text not null,
  chunk_digest bytea check ((chunk_digest is null) = (kind = 3)),
  added bytea not null,
  removed bytea not null
);

create index changes_page on changes (version_id, url_key, position);

-- complete_from: after every position from this one on, the rows are complete. library_id: a position that a consumer has saved names
-- the library that it is from; docs/decisions/0065 explains what a position consists of. history_id: drawn again when the database has
-- gone back to an earlier state, so that external indexes and clients know; docs/decisions/0084 explains it.
create table change_log (
  one smallint primary key check (one = 1),
  complete_from bigint not null,
  library_id text not null,
  history_id text not null
);

insert into change_log (one, complete_from, library_id, history_id)
  values (1, 0, substr(replace(cast(gen_random_uuid() as text), '-', ''), 17), substr(replace(cast(gen_random_uuid() as text), '-', ''), 17));

-- How far each consumer has read.
create table change_consumers (
  name text primary key,
  position bigint not null
);

-- The names of versions whose source was removed: their changes outlive them.
create table removed_versions (
  version_id integer primary key,
  source text not null,
  label text not null
);

-- Where changes are sent. position: everything up to it was delivered. state: 0 active, 1 disabled because the receiver answered 410, or
-- because it was restored from a backup. message_end: the last change of a message that was sent and not confirmed, which is sent again as it was. A process that delivers
-- holds the lease; with an older fence it saves nothing.
create table webhooks (
  id integer primary key generated always as identity,
  name text not null unique,
  url text not null,
  source text,
  secret text not null,
  position bigint not null,
  message_end bigint,
  state smallint not null check (state between 0 and 1),
  created_at bigint not null,
  delivered_at bigint,
  failures integer not null,
  failing_since bigint check ((failing_since is null) = (failures = 0)),
  last_failure text,
  due_at bigint not null,
  worker text,
  lease_until bigint check ((lease_until is null) = (worker is null)),
  fence integer not null
);

-- What an external index was sent: the pages under their numbers, and the terms that it cannot count. The tables are
-- empty unless such an engine is used. docs/decisions/0063 explains them.

-- state: 0 being built, 1 searched, 2 dropped, 3 deleted. Rows remain: a program of a former version sees that its form was replaced.
-- history_id is that of change_log when it was made. last_number is the highest number that was reserved in it: the engine holds none
-- above it unless the database has gone back.
create table point_generations (
  id integer primary key generated always as identity,
  name text not null,
  fingerprint text not null,
  history_id text not null,
  last_number bigint not null default 0,
  -- That of the outbox when its versions were queued: its indexers follow the changes from there on.
  position bigint not null,
  state integer not null check (state between 0 and 3),
  dropped_at bigint
);

create unique index point_generations_current on point_generations (state) where state = 1;
create unique index point_generations_building on point_generations (state) where state = 0;

-- A number is never given out twice: the points of a page that is indexed again have other ids. position is that of the outbox when
-- the page was read. state: 0 reserved and being sent, 1 current, 2 replaced, its points to be deleted, 3 a number that no page has: it was
-- sent before points were deleted.
create table point_pages (
  number bigint primary key generated always as identity,
  generation_id integer not null,
  version_id integer not null,
  url_key bytea not null,
  n_chunks integer not null,
  position bigint not null,
  state integer not null check (state between 0 and 3),
  changed_at bigint not null
);

create unique index point_pages_current on point_pages (generation_id, version_id, url_key) where state = 1;
create index point_pages_replaced on point_pages (generation_id, changed_at) where state <> 1;

-- Document frequencies for an external index, from a sample of the chunks of a version, or under version 0 of the library. of_chunks: how
-- many there were when it was drawn. terms: a line for each term with the number of sampled chunks that contain it.
create table term_samples (
  version_id integer primary key,
  chunks bigint not null,
  of_chunks bigint not null,
  sampled_at bigint not null,
  terms bytea not null
);

-- Versions whose pages are all to be indexed, in parts by their keys: up to end_key, and those up to after_key have been.
create table point_queue (
  generation_id integer not null,
  version_id integer not null,
  after_key bytea not null,
  end_key bytea not null,
  enqueued_at bigint not null,
  primary key (generation_id, version_id, end_key)
);

-- Who indexes a part of the pages into an external index, or keeps it in order.
create table index_leases (
  part integer primary key,
  holder text not null,
  lease_until bigint not null
);

-- Texts whose vectors are to be sent. Written with the vector, and deleted once the engine has it. docs/decisions/0069 explains it.
create table point_texts (
  space_id integer not null,
  content_hash bytea not null,
  -- Incremented when the text gets another vector while it is queued, so that the one that is being sent is not the last.
  revision integer not null default 0,
  primary key (space_id, content_hash)
);

-- Analysis of stored pages. A specification fixes the names of the tables, and of the columns up to error and details.

create table analysis_runs (
  id text primary key,
  started_at bigint not null,
  ended_at bigint,
  status text not null check (status in ('queued', 'running', 'completed', 'failed', 'stopped')),
  stage text,
  analysis_version integer,
  page_limit integer,
  domain_limit integer,
  skip_pages integer not null,
  skip_domains integer not null,
  dry_run integer not null,
  "verbose" integer not null,
  summary text,
  last_progress text,
  error text,
  -- The only source whose pages are analysed; null for all.
  source_id integer,
  worker text,
  lease_until bigint check ((lease_until is null) = (worker is null)),
  fence integer not null default 0,
  -- Workers in a row that lost it without saving a page.
  crashes integer not null default 0,
  check ((ended_at is null) = (status in ('queued', 'running')))
);

create index analysis_runs_started on analysis_runs (started_at desc);
create index analysis_runs_status on analysis_runs (status, started_at desc);

create table analysis_run_events (
  id bigint primary key generated always as identity,
  run_id text not null,
  ts bigint not null,
  stage text not null,
  message text not null,
  details text
);

create index analysis_run_events_ts on analysis_run_events (run_id, ts desc);
create index analysis_run_events_id on analysis_run_events (run_id, id desc);

-- What is known about a page from its stored text: pending again when a higher analysis version is asked for, or its text changes.
create table page_analysis (
  version_id integer not null,
  url_key bytea not null,
  analysis_version integer not null,
  content_hash bytea not null,
  analysis text not null,
  analyzed_at bigint not null,
  primary key (version_id, url_key),
  foreign key (version_id, url_key) references pages (version_id, url_key) on delete cascade
);

create index page_analysis_version on page_analysis (version_id, analysis_version);

create table domain_analysis (
  version_id integer not null references versions (id),
  host text not null,
  analysis text not null,
  analyzed_at bigint not null,
  primary key (version_id, host)
);

-- Pages that lead to a part of a site, which a plan expects or an analysis found. A specification fixes the names of the table and of the
-- columns up to evidence; place_slug to title are null until an analysis fills them.
create table place_hubs (
  version_id integer not null references versions (id),
  url_key bytea not null,
  host text not null,
  url text not null,
  place_kind text,
  topic_slug text,
  topic_label text,
  topic_kind text check (topic_kind in ('section', 'path-segment')),
  evidence text not null,
  place_slug text,
  title text,
  first_seen_at bigint not null,
  last_seen_at bigint not null,
  nav_links_count integer,
  article_links_count integer,
  taxonomy text not null check (taxonomy in ('place', 'section', 'version', 'language', 'product')),
  status text not null check (status in ('expected', 'found', 'validated', 'missing')),
  validated_at bigint,
  http_status integer,
  -- A JSON list: navigation, sitemap, llms-txt, taxonomy, stored.
  expected_by text not null,
  primary key (version_id, url_key)
);

-- The last measured coverage of a version, as the action returns it.
create table coverage_reports (
  version_id integer primary key references versions (id),
  report text not null,
  measured_at bigint not null
);

-- What a planned run learned of its site before it began, and how far it is. A coordinator that takes the run over continues with it.
create table run_plans (
  run_id integer primary key,
  plan text not null,
  progress text
);

-- The gazetteer: places and languages with their names. It is empty until something is imported. place_key is the identity in the source of
-- an import, such as iso3166:FR.
create table places (
  id integer primary key generated always as identity,
  place_key text not null unique,
  taxonomy text not null,
  kind text not null check (kind in ('country', 'region', 'city', 'language')),
  country_code text,
  region_code text,
  population bigint,
  canonical_name_id integer
);

create index places_kind on places (kind, country_code);
create index places_region on places (region_code, kind);

-- normalized is the name in lower case, without marks, its words joined by hyphens.
create table place_names (
  id integer primary key generated always as identity,
  place_id integer not null references places (id) on delete cascade,
  name text collate "C" not null,
  normalized text collate "C" not null,
  lang text,
  name_kind text not null check (name_kind in ('short', 'alternate', 'code')),
  is_preferred integer not null,
  is_official integer not null,
  source text not null,
  unique (place_id, name)
);

create index place_names_normalized on place_names (normalized, place_id);

-- depth is 1 for the nearest parent.
create table place_hierarchy (
  parent_id integer not null references places (id) on delete cascade,
  child_id integer not null references places (id) on delete cascade,
  relation text not null,
  depth integer not null,
  primary key (parent_id, child_id)
);

create index place_hierarchy_child on place_hierarchy (child_id);

-- Places that the texts and URLs of pages mention. Offsets are -1 in a URL.
create table page_places (
  version_id integer not null,
  url_key bytea not null,
  place_id integer not null references places (id) on delete cascade,
  place_kind text not null,
  method text not null,
  source text not null check (source in ('text', 'title', 'url')),
  offset_start integer not null,
  offset_end integer not null,
  context text,
  first_seen_at bigint not null,
  primary key (version_id, url_key, place_id, source, offset_start),
  foreign key (version_id, url_key) references pages (version_id, url_key) on delete cascade
);

create index page_places_place on page_places (place_id);


-- Access tokens of the HTTP server. Only the hash of a token is stored. sources is a JSON list of patterns, null for all sources.
-- previous_hash is the secret before the last rotation, valid until previous_until. last_used_at is written at most once an hour.
create table tokens (
  name text collate "C" primary key,
  role text not null check (role in ('read', 'admin')),
  hash text not null unique,
  sources text,
  requests_per_minute integer check (requests_per_minute > 0),
  previous_hash text unique,
  previous_until bigint check ((previous_until is null) = (previous_hash is null)),
  created_at bigint not null,
  expires_at bigint,
  last_used_at bigint
);

-- Dashboard sessions of subjects who signed in at the issuer. Only the hash of a session's secret is stored. sources is a JSON list of
-- patterns, null for all sources. A session has the rights that the subject had when it signed in.
create table dashboard_sessions (
  hash text collate "C" primary key,
  principal text not null,
  display_name text not null,
  role text not null check (role in ('read', 'admin')),
  sources text,
  expires_at bigint not null
);

create index dashboard_sessions_expiry on dashboard_sessions (expires_at);

-- Who called what. principal is the name of a token, null for the owner of the library. source is what the call named, which may not exist.
create table audit_log (
  id bigint generated always as identity primary key,
  at bigint not null,
  principal text,
  via text not null check (via in ('http', 'mcp', 'local')),
  action text not null,
  source text,
  outcome text not null,
  request_id text,
  query text
);

create index audit_principal on audit_log (principal, id);
create index audit_action on audit_log (action, id);
create index audit_source on audit_log (source, id);
create index audit_outcome on audit_log (outcome, id);
