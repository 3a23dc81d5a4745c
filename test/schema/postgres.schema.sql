CREATE OR REPLACE FUNCTION public.count_embeddings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.count_page()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into version_counts values (new.version_id, (new.alias_key is null)::integer, (new.alias_key is not null)::integer, new.n_chunks, new.checked_at, new.checked_at, new.changed_at)
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
end $function$;

CREATE OR REPLACE FUNCTION public.hash_hex(value bytea)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select encode(value, 'hex') $function$;

CREATE OR REPLACE FUNCTION public.instr(whole bytea, part bytea)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select position(part in whole) $function$;

CREATE OR REPLACE FUNCTION public.now_ms()
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select (extract(epoch from statement_timestamp()) * 1000)::bigint $function$;

CREATE OR REPLACE FUNCTION public.text_hash(value text)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select sha256(convert_to(value, 'UTF8')) $function$;

create table bodies (
  version_id integer not null,
  url_key bytea not null,
  encoding text not null,
  bytes bytea not null,
  constraint bodies_pkey PRIMARY KEY (version_id, url_key),
  constraint bodies_version_id_url_key_fkey FOREIGN KEY (version_id, url_key) REFERENCES pages(version_id, url_key) ON DELETE CASCADE
);

create table change_consumers (
  name text not null,
  position bigint not null,
  constraint change_consumers_pkey PRIMARY KEY (name)
);

create table change_log (
  one smallint not null,
  complete_from bigint not null,
  untracked_until bigint not null,
  library_id text not null default ''::text,
  constraint change_log_one_check CHECK ((one = 1)),
  constraint change_log_pkey PRIMARY KEY (one)
);

create table changes (
  position bigint not null,
  at bigint not null,
  version_id integer not null,
  source_id integer not null,
  kind smallint not null,
  url_key bytea not null,
  url text not null,
  chunk_digest bytea,
  added bytea not null,
  removed bytea not null,
  constraint changes_check CHECK (((chunk_digest IS NULL) = (kind = 3))),
  constraint changes_kind_check CHECK (((kind >= 1) AND (kind <= 3))),
  constraint changes_pkey PRIMARY KEY ("position")
);
CREATE INDEX changes_page ON public.changes USING btree (version_id, url_key, "position");

create table chunks (
  pk bigint not null generated always as identity,
  version_id integer not null,
  url_key bytea not null,
  ordinal integer not null,
  chunk_id bytea not null,
  content_hash bytea not null,
  passage_kind text not null,
  headings text not null,
  anchor text,
  symbol text,
  json_path text,
  text text not null,
  first_line integer not null,
  last_line integer not null,
  tokens integer not null,
  word_vector bytea,
  constraint chunks_chunk_id_check CHECK ((length(chunk_id) = 32)),
  constraint chunks_content_hash_check CHECK ((length(content_hash) = 32)),
  constraint chunks_pkey PRIMARY KEY (pk),
  constraint chunks_version_id_chunk_id_key UNIQUE (version_id, chunk_id),
  constraint chunks_version_id_url_key_fkey FOREIGN KEY (version_id, url_key) REFERENCES pages(version_id, url_key) ON DELETE CASCADE,
  constraint chunks_word_vector_check CHECK ((length(word_vector) = 256))
);
CREATE INDEX chunks_content ON public.chunks USING btree (content_hash);
CREATE INDEX chunks_page ON public.chunks USING btree (version_id, url_key, ordinal);

create table discovery_files (
  version_id integer not null,
  name text not null,
  url text not null,
  encoding text not null,
  bytes bytea not null,
  saved_at bigint not null,
  constraint discovery_files_pkey PRIMARY KEY (version_id, name),
  constraint discovery_files_version_id_fkey FOREIGN KEY (version_id) REFERENCES versions(id)
);

create table documents (
  version_id integer not null,
  url_key bytea not null,
  text text not null,
  outline text not null,
  response_meta text not null,
  rendered_by text,
  constraint documents_pkey PRIMARY KEY (version_id, url_key),
  constraint documents_version_id_url_key_fkey FOREIGN KEY (version_id, url_key) REFERENCES pages(version_id, url_key) ON DELETE CASCADE
);

create table embeddings (
  space_id integer not null,
  content_hash bytea not null,
  state smallint not null,
  fence integer not null default 0,
  attempts smallint not null default 0,
  worker text,
  due_at bigint,
  reason text,
  carried_by integer,
  constraint embeddings_check CHECK (((state = 1) = (worker IS NOT NULL))),
  constraint embeddings_pkey PRIMARY KEY (space_id, content_hash),
  constraint embeddings_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id),
  constraint embeddings_state_check CHECK (((state >= 0) AND (state <= 3)))
);
CREATE INDEX embeddings_carried ON public.embeddings USING btree (content_hash) WHERE (carried_by IS NOT NULL);
CREATE INDEX embeddings_pending ON public.embeddings USING btree (space_id, due_at) WHERE (state = ANY (ARRAY[0, 1]));
CREATE TRIGGER embeddings_added AFTER INSERT ON public.embeddings REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_embeddings();
CREATE TRIGGER embeddings_changed AFTER UPDATE ON public.embeddings REFERENCING OLD TABLE AS deleted NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_embeddings();
CREATE TRIGGER embeddings_deleted AFTER DELETE ON public.embeddings REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_embeddings();

create table event_head (
  one smallint not null,
  last bigint not null,
  expiry_at bigint,
  last_change bigint not null default 0,
  covered bigint not null default 0,
  constraint event_head_one_check CHECK ((one = 1)),
  constraint event_head_pkey PRIMARY KEY (one)
);

create table events (
  seq bigint not null,
  at bigint not null,
  source_id integer not null,
  run_id integer not null,
  kind text not null,
  url text,
  detail text not null,
  constraint events_pkey PRIMARY KEY (seq)
) partition by RANGE (seq);
CREATE INDEX events_kind ON ONLY public.events USING btree (run_id, kind, seq);
CREATE INDEX events_of_kind ON ONLY public.events USING btree (kind, seq);
CREATE INDEX events_run ON ONLY public.events USING btree (run_id, seq);

create table events_0 (
  seq bigint not null,
  at bigint not null,
  source_id integer not null,
  run_id integer not null,
  kind text not null,
  url text,
  detail text not null,
  constraint events_0_pkey PRIMARY KEY (seq)
) FOR VALUES FROM (MINVALUE) TO ('1000001');
CREATE INDEX events_0_kind ON public.events_0 USING btree (run_id, kind, seq);
CREATE INDEX events_0_of_kind ON public.events_0 USING btree (kind, seq);
CREATE INDEX events_0_run ON public.events_0 USING btree (run_id, seq);

create table events_1000001 (
  seq bigint not null,
  at bigint not null,
  source_id integer not null,
  run_id integer not null,
  kind text not null,
  url text,
  detail text not null,
  constraint events_1000001_pkey PRIMARY KEY (seq)
) FOR VALUES FROM ('1000001') TO (MAXVALUE);
CREATE INDEX events_1000001_kind_seq_idx ON public.events_1000001 USING btree (kind, seq);
CREATE INDEX events_1000001_run_id_kind_seq_idx ON public.events_1000001 USING btree (run_id, kind, seq);
CREATE INDEX events_1000001_run_id_seq_idx ON public.events_1000001 USING btree (run_id, seq);

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
  state smallint not null,
  attempts smallint not null default 0,
  crashes smallint not null default 0,
  hops smallint not null default 0,
  outcome smallint,
  pending_outcome smallint,
  url_key bytea not null,
  url text not null,
  parent_key bytea,
  worker text,
  reason text,
  target_key bytea,
  aliases text,
  fetches text,
  constraint frontier_check CHECK (((state = 1) = (worker IS NOT NULL))),
  constraint frontier_check1 CHECK (((state = ANY (ARRAY[1, 2])) = (due_at IS NOT NULL))),
  constraint frontier_check2 CHECK (((outcome IS NOT NULL) OR (state < 3))),
  constraint frontier_check3 CHECK (((outcome IS NULL) OR (outcome <> ALL (ARRAY[7, 8, 10])) OR (reason IS NOT NULL))),
  constraint frontier_outcome_check CHECK (((outcome >= 1) AND (outcome <= 10))),
  constraint frontier_pending_outcome_check CHECK (((pending_outcome >= 5) AND (pending_outcome <= 7))),
  constraint frontier_pkey PRIMARY KEY (version_id, url_key),
  constraint frontier_state_check CHECK (((state >= 0) AND (state <= 4))),
  constraint frontier_url_key_check CHECK ((length(url_key) = 16))
) with (fillfactor=80);
CREATE INDEX frontier_due ON public.frontier USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX frontier_missing ON public.frontier USING btree (run_id, url_key) WHERE (outcome = 4);
CREATE INDEX frontier_ready ON public.frontier USING btree (run_id, host_id, priority, url_key) WHERE (state = 0);
CREATE INDEX frontier_reasons ON public.frontier USING btree (run_id, outcome, reason, url_key) WHERE ((reason IS NOT NULL) AND (state >= 3));
CREATE INDEX frontier_target ON public.frontier USING btree (version_id, target_key) WHERE (target_key IS NOT NULL);

create table host_queues (
  run_id integer not null,
  host_id integer not null,
  constraint host_queues_pkey PRIMARY KEY (run_id, host_id)
);
CREATE INDEX host_queues_host ON public.host_queues USING btree (host_id);

create table hosts (
  id integer not null generated always as identity,
  host text not null,
  next_at bigint not null default 0,
  ready_at bigint not null default 0,
  idle_ms integer not null default 0,
  delay_ms integer not null,
  crawl_delay_ms integer,
  paused_until bigint not null default 0,
  breaker text not null default 'closed'::text,
  failures integer not null default 0,
  has_queues boolean not null default false,
  throttles integer not null default 0,
  constraint hosts_breaker_check CHECK ((breaker = ANY (ARRAY['closed'::text, 'open'::text, 'half-open'::text]))),
  constraint hosts_host_key UNIQUE (host),
  constraint hosts_pkey PRIMARY KEY (id)
) with (fillfactor=70);
CREATE INDEX hosts_ready ON public.hosts USING btree (ready_at) WHERE has_queues;

create table index_queue (
  version_id integer not null,
  url_key bytea not null,
  enqueued_at bigint not null,
  revision integer not null default 0,
  constraint index_queue_pkey PRIMARY KEY (version_id, url_key)
);
CREATE INDEX index_queue_oldest ON public.index_queue USING btree (enqueued_at);
CREATE INDEX index_queue_version ON public.index_queue USING btree (version_id, enqueued_at, url_key);

create table library_days (
  source text not null,
  day integer not null,
  pages bigint not null,
  chunks bigint not null,
  received_bytes bigint not null,
  database_bytes bigint,
  constraint library_days_pkey PRIMARY KEY (source, day)
);
CREATE INDEX library_days_day ON public.library_days USING btree (day, source);

create table migrations (
  number integer not null,
  name text not null,
  hash text not null,
  applied_at bigint not null,
  constraint migrations_pkey PRIMARY KEY (number)
);

create table milestones (
  run_id integer not null,
  kind text not null,
  source_id integer not null,
  at bigint not null,
  details text not null,
  id bigint not null generated always as identity,
  constraint milestones_pkey PRIMARY KEY (run_id, kind)
);
CREATE UNIQUE INDEX milestones_id ON public.milestones USING btree (id);
CREATE INDEX milestones_kind ON public.milestones USING btree (kind, id);

create table page_links (
  version_id integer not null,
  url_key bytea not null,
  targets bytea not null,
  constraint page_links_pkey PRIMARY KEY (version_id, url_key),
  constraint page_links_version_id_url_key_fkey FOREIGN KEY (version_id, url_key) REFERENCES pages(version_id, url_key) ON DELETE CASCADE
);

create table page_revisions (
  version_id integer not null,
  url_key bytea not null,
  until_at bigint not null,
  since_at bigint not null,
  content_hash bytea not null,
  pipeline_version text not null,
  text text,
  constraint page_revisions_pkey PRIMARY KEY (version_id, url_key, until_at),
  constraint page_revisions_version_id_url_key_fkey FOREIGN KEY (version_id, url_key) REFERENCES pages(version_id, url_key) ON DELETE CASCADE
);

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
  content_hash bytea not null,
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
  declared_version text,
  inlinks integer not null default 0,
  constraint pages_content_hash_check CHECK ((length(content_hash) = 32)),
  constraint pages_pkey PRIMARY KEY (version_id, url_key),
  constraint pages_version_id_url_key_fkey FOREIGN KEY (version_id, url_key) REFERENCES frontier(version_id, url_key)
);
CREATE INDEX pages_aliases ON public.pages USING btree (version_id, alias_key) WHERE (alias_key IS NOT NULL);
CREATE INDEX pages_duplicates ON public.pages USING btree (version_id, dedupe_hash) WHERE (dedupe_hash IS NOT NULL);
CREATE INDEX pages_pipeline ON public.pages USING btree (version_id, pipeline_version, url_key) WHERE (alias_key IS NULL);
CREATE INDEX pages_url ON public.pages USING btree (version_id, url COLLATE "C");
CREATE CONSTRAINT TRIGGER pages_deleted AFTER DELETE ON public.pages DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_page();
CREATE CONSTRAINT TRIGGER pages_inserted AFTER INSERT ON public.pages DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_page();
CREATE CONSTRAINT TRIGGER pages_updated AFTER UPDATE ON public.pages DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_page();

create table point_generations (
  id integer not null generated always as identity,
  name text not null,
  fingerprint text not null,
  state integer not null,
  dropped_at bigint,
  constraint point_generations_pkey PRIMARY KEY (id),
  constraint point_generations_state_check CHECK (((state >= 0) AND (state <= 3)))
);
CREATE UNIQUE INDEX point_generations_current ON public.point_generations USING btree (state) WHERE (state = 1);

create table point_pages (
  number bigint not null generated always as identity,
  generation_id integer not null,
  version_id integer not null,
  url_key bytea not null,
  n_chunks integer not null,
  position bigint not null,
  state integer not null,
  changed_at bigint not null,
  constraint point_pages_pkey PRIMARY KEY (number),
  constraint point_pages_state_check CHECK (((state >= 0) AND (state <= 2)))
);
CREATE UNIQUE INDEX point_pages_current ON public.point_pages USING btree (generation_id, version_id, url_key) WHERE (state = 1);
CREATE INDEX point_pages_replaced ON public.point_pages USING btree (generation_id, changed_at) WHERE (state <> 1);

create table point_queue (
  generation_id integer not null,
  version_id integer not null,
  after_key bytea not null,
  enqueued_at bigint not null,
  constraint point_queue_pkey PRIMARY KEY (generation_id, version_id)
);

create table point_terms (
  generation_id integer not null,
  version_id integer not null,
  term_id bigint not null,
  term text not null,
  chunks bigint not null,
  constraint point_terms_pkey PRIMARY KEY (generation_id, version_id, term_id)
);
CREATE INDEX point_terms_term ON public.point_terms USING btree (generation_id, version_id, term);

create table point_texts (
  space_id integer not null,
  content_hash bytea not null,
  constraint point_texts_pkey PRIMARY KEY (space_id, content_hash)
);

create table point_versions (
  generation_id integer not null,
  version_id integer not null,
  pages bigint not null,
  chunks bigint not null,
  constraint point_versions_pkey PRIMARY KEY (generation_id, version_id)
);

create table problems (
  id integer not null generated always as identity,
  source_id integer not null,
  run_id integer not null,
  kind text not null,
  severity text not null,
  scope text not null,
  target text not null,
  message text not null,
  details text not null,
  times integer not null,
  first_at bigint not null,
  last_at bigint not null,
  constraint problems_pkey PRIMARY KEY (id),
  constraint problems_run_id_kind_target_key UNIQUE (run_id, kind, target),
  constraint problems_severity_check CHECK ((severity = ANY (ARRAY['info'::text, 'warning'::text, 'error'::text])))
);
CREATE INDEX problems_kind ON public.problems USING btree (kind, id);
CREATE INDEX problems_run ON public.problems USING btree (run_id, id);
CREATE INDEX problems_scope ON public.problems USING btree (scope, id);
CREATE INDEX problems_severity ON public.problems USING btree (severity, id);

create table removed_pages (
  version_id integer not null,
  url_key bytea not null,
  removed_at bigint not null,
  since_at bigint not null,
  title text not null,
  text text,
  constraint removed_pages_pkey PRIMARY KEY (version_id, url_key),
  constraint removed_pages_version_id_url_key_fkey FOREIGN KEY (version_id, url_key) REFERENCES frontier(version_id, url_key) ON DELETE CASCADE
);
CREATE INDEX removed_pages_by_age ON public.removed_pages USING btree (version_id, removed_at);

create table removed_versions (
  version_id integer not null,
  source text not null,
  label text not null,
  constraint removed_versions_pkey PRIMARY KEY (version_id)
);

create table robots_files (
  authority text not null,
  access text not null,
  body text,
  fetched_at bigint not null,
  fresh_until bigint not null,
  constraint robots_files_pkey PRIMARY KEY (authority)
);

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
  constraint run_hosts_pkey PRIMARY KEY (run_id, host)
);

create table run_reasons (
  run_id integer not null,
  outcome integer not null,
  reason text not null,
  times integer not null,
  example text not null,
  constraint run_reasons_pkey PRIMARY KEY (run_id, outcome, reason)
);

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
  constraint run_samples_pkey PRIMARY KEY (run_id, nth)
);

create table runs (
  id integer not null generated always as identity,
  source_id integer not null,
  version_id integer not null,
  state text not null,
  mode text not null,
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
  crashes integer not null default 0,
  crash_progress bigint not null default '-1'::integer,
  open_depth integer,
  n_requests integer not null default 0,
  n_downloads integer not null default 0,
  active_at bigint,
  aborts_at bigint,
  concurrency integer,
  worked_ms bigint not null default 0,
  constraint runs_check CHECK (((ended_at IS NULL) = (state = ANY (ARRAY['queued'::text, 'running'::text, 'paused'::text, 'stopping'::text])))),
  constraint runs_mode_check CHECK ((mode = ANY (ARRAY['incremental'::text, 'refresh'::text, 'full'::text, 'retry'::text]))),
  constraint runs_pkey PRIMARY KEY (id),
  constraint runs_source_id_fkey FOREIGN KEY (source_id) REFERENCES sources(id),
  constraint runs_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'paused'::text, 'stopping'::text, 'completed'::text, 'partial'::text, 'stopped'::text, 'failed'::text]))),
  constraint runs_version_id_fkey FOREIGN KEY (version_id) REFERENCES versions(id)
);
CREATE INDEX runs_live ON public.runs USING btree (id) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX runs_one_live ON public.runs USING btree (source_id) WHERE (ended_at IS NULL);
CREATE INDEX runs_source ON public.runs USING btree (source_id, id);
CREATE INDEX runs_state ON public.runs USING btree (state, id);
CREATE INDEX runs_version ON public.runs USING btree (version_id, id);

create table search_columns (
  segment_id integer not null,
  field text not null,
  bytes bytea not null,
  constraint search_columns_field_check CHECK ((field = ANY (ARRAY['kinds'::text, 'urls'::text, 'headings'::text, 'symbols'::text]))),
  constraint search_columns_pkey PRIMARY KEY (segment_id, field)
);

create table search_pages (
  version_id integer not null,
  url_key bytea not null,
  segment_id integer not null,
  page_index integer not null,
  constraint search_pages_pkey PRIMARY KEY (version_id, url_key)
);
CREATE UNIQUE INDEX search_pages_position ON public.search_pages USING btree (segment_id, page_index);

create table search_postings (
  segment_id integer not null,
  term text not null,
  chunks integer not null,
  postings bytea not null,
  constraint search_postings_pkey PRIMARY KEY (segment_id, term)
);

create table search_segments (
  id integer not null generated always as identity,
  version_id integer not null,
  state integer not null,
  chunks integer not null,
  pages integer not null,
  page_sizes bytea not null,
  index_fingerprint text not null,
  merge_plan text,
  merge_cursor text,
  live integer not null default 0,
  checksum bigint,
  has_columns integer not null default 0,
  constraint search_segments_pkey PRIMARY KEY (id),
  constraint search_segments_state_check CHECK (((state >= 0) AND (state <= 4)))
);
CREATE INDEX search_segments_state ON public.search_segments USING btree (state, id);
CREATE INDEX search_segments_version ON public.search_segments USING btree (version_id);
CREATE INDEX search_segments_without_columns ON public.search_segments USING btree (id) WHERE (has_columns = 0);

create table sources (
  id integer not null generated always as identity,
  name text not null,
  kind text not null,
  start text not null,
  settings text not null,
  created_at bigint not null,
  due_at bigint,
  removed_at bigint,
  machine text,
  constraint sources_name_key UNIQUE (name),
  constraint sources_pkey PRIMARY KEY (id)
);

create table space_counts (
  space_id integer not null,
  pending bigint not null,
  embedded bigint not null,
  failed bigint not null
);
CREATE INDEX space_counts_space ON public.space_counts USING btree (space_id);

create table spaces (
  id integer not null generated always as identity,
  fingerprint text not null,
  settings text not null,
  dimensions integer not null,
  created_at bigint not null,
  queued_pk bigint,
  constraint spaces_dimensions_check CHECK ((dimensions > 0)),
  constraint spaces_fingerprint_key UNIQUE (fingerprint),
  constraint spaces_pkey PRIMARY KEY (id)
);

create table symbol_names (
  version_id integer not null,
  name text not null,
  chunk_pk bigint not null,
  constraint symbol_names_chunk_pk_fkey FOREIGN KEY (chunk_pk) REFERENCES chunks(pk) ON DELETE CASCADE,
  constraint symbol_names_pkey PRIMARY KEY (version_id, name, chunk_pk)
);
CREATE INDEX symbol_names_chunk ON public.symbol_names USING btree (chunk_pk);

create table tokens (
  name text not null,
  role text not null,
  hash text not null,
  created_at bigint not null,
  constraint tokens_hash_key UNIQUE (hash),
  constraint tokens_pkey PRIMARY KEY (name),
  constraint tokens_role_check CHECK ((role = ANY (ARRAY['read'::text, 'admin'::text])))
);

create table vectors (
  seq bigint not null generated by default as identity,
  space_id integer not null,
  content_hash bytea not null,
  vector bytea not null,
  constraint vectors_pkey PRIMARY KEY (seq),
  constraint vectors_space_id_content_hash_key UNIQUE (space_id, content_hash),
  constraint vectors_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id)
);
CREATE INDEX vectors_with_bytes ON public.vectors USING btree (space_id, seq) WHERE (length(vector) > 0);

create table version_counts (
  version_id integer not null,
  pages bigint not null,
  duplicates bigint not null,
  chunks bigint not null,
  oldest_check_at bigint not null,
  newest_check_at bigint not null,
  changed_at bigint not null,
  constraint version_counts_pkey PRIMARY KEY (version_id)
) with (fillfactor=50);

create table versions (
  id integer not null generated always as identity,
  source_id integer not null,
  label text not null,
  facts text not null,
  created_at bigint not null,
  declared_version text,
  constraint versions_pkey PRIMARY KEY (id),
  constraint versions_source_id_fkey FOREIGN KEY (source_id) REFERENCES sources(id),
  constraint versions_source_id_label_key UNIQUE (source_id, label)
);

create table webhooks (
  id integer not null generated always as identity,
  name text not null,
  url text not null,
  source text,
  secret text not null,
  position bigint not null,
  message_end bigint,
  state smallint not null,
  created_at bigint not null,
  delivered_at bigint,
  failures integer not null,
  failing_since bigint,
  last_failure text,
  due_at bigint not null,
  worker text,
  lease_until bigint,
  fence integer not null,
  constraint webhooks_check CHECK (((failing_since IS NULL) = (failures = 0))),
  constraint webhooks_check1 CHECK (((lease_until IS NULL) = (worker IS NULL))),
  constraint webhooks_name_key UNIQUE (name),
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_state_check CHECK (((state >= 0) AND (state <= 1)))
);
