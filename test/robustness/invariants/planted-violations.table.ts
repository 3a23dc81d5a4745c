// One or more violations of each invariant, as SQL with the effect of a fault or a bug. Each breaks one invariant only: where a
// row cannot change alone, the counters derived from it are changed with it.

import { OUTCOME_CODES } from '../../../src/core/model/outcome.ts';
import { CHANGE_KIND, EMBEDDING_STATE, SEGMENT_STATE, URL_STATE } from '../../../src/store/sql/engine/states.ts';

export interface Dialect {
  readonly bytes: (hex: string) => string;
  /** Disables the check constraints of a table. */
  readonly unchecked: (table: string) => string;
}

export interface PlantedViolation {
  readonly id: string;
  /** Describes what is planted. */
  readonly label: string;
  readonly sql: (dialect: Dialect) => string;
}

export const SQLITE: Dialect = {
  bytes: (hex) => `x'${hex}'`,
  unchecked: () => '',
};

export const POSTGRES: Dialect = {
  bytes: (hex) => `'\\x${hex}'::bytea`,
  unchecked: (table) =>
    `do $$ declare name text; begin for name in select conname from pg_constraint where conrelid = '${table}'::regclass and contype = 'c'
     loop execute format('alter table ${table} drop constraint %I', name); end loop; end $$;`,
};

const KEY = '0f'.repeat(16);
const HASH = '1e'.repeat(32);

const keyOf = (name: string): string => `(select url_key from pages where url = 'https://x.dev/${name}')`;
const chunkOf = (name: string, ordinal: number): string =>
  `(select pk from chunks where url_key = ${keyOf(name)} and ordinal = ${ordinal})`;
const DOCS_RUN = `(select max(runs.id) from runs join sources on sources.id = runs.source_id where sources.name = 'docs')`;
const count = (changes: string): string => `update runs set ${changes} where id = ${DOCS_RUN}`;
const url = (path: string): string => `url = 'https://${path}'`;

const COPY_CHUNK = `ordinal, content_hash, passage_kind, headings, anchor, symbol, json_path, text, first_line, last_line, tokens`;

const future = (table: string, column: string, where: string): PlantedViolation => ({
  id: 'I25',
  label: `${table}.${column} tomorrow`,
  sql: () => `update ${table} set ${column} = now_ms() + 86400000 where ${where}`,
});

export const PLANTED_VIOLATIONS: readonly PlantedViolation[] = [
  {
    id: 'I01',
    label: 'a chunk of a page that does not exist',
    sql: ({ bytes }) =>
      `insert into chunks (version_id, url_key, chunk_id, ${COPY_CHUNK}) select version_id, ${bytes(KEY)}, ${bytes(HASH)}, ${COPY_CHUNK} from chunks where pk = ${chunkOf('b', 0)}`,
  },
  {
    id: 'I02',
    label: 'a chunk of outdated content',
    sql: ({ bytes }) => `update chunks set chunk_id = ${bytes(HASH)} where pk = ${chunkOf('b', 0)}`,
  },
  {
    id: 'I03',
    label: 'a gap in the numbers',
    sql: () => `update chunks set ordinal = 7 where pk = ${chunkOf('b', 1)}`,
  },
  {
    id: 'I04',
    label: 'a count that is one too high',
    sql: () => `update pages set n_chunks = n_chunks + 1 where ${url('x.dev/b')}`,
  },
  { id: 'I05', label: 'two pages of one URL', sql: () => `update pages set ${url('x.dev/b')} where ${url('x.dev/c')}` },
  {
    id: 'I06',
    label: 'a lease that expired two minutes ago',
    // Opening the store ended the leases of the former owner, so the run needs its coordinator back.
    sql: () => `update frontier set due_at = now_ms() - 120000 where ${url('y.dev/claimed')};
      update runs set lease_until = now_ms() + 60000 where lease_until is not null`,
  },
  {
    id: 'I07',
    label: 'a worker on a settled URL',
    sql: ({ unchecked }) => `${unchecked('frontier')} update frontier set worker = 'ghost' where ${url('x.dev/b')}`,
  },
  {
    id: 'I07',
    label: 'a claimed URL without the end of its lease',
    sql: ({ unchecked }) => `${unchecked('frontier')} update frontier set due_at = null where ${url('y.dev/claimed')}`,
  },
  { id: 'I08', label: 'an outcome counted twice', sql: () => count('n_changed = n_changed + 1') },
  { id: 'I08', label: 'a found URL that was not counted', sql: () => count('n_found = n_found - 1') },
  {
    id: 'I09',
    label: 'a queued URL of an ended run',
    sql: () =>
      `update frontier set state = ${URL_STATE.queued} where ${url('x.dev/b')}; ${count('n_unchanged = n_unchanged - 1')}`,
  },
  {
    id: 'I10',
    label: 'an unchanged URL without a page',
    sql: () =>
      `update frontier set outcome = ${OUTCOME_CODES.unchanged} where ${url('x.dev/login')}; ${count('n_skipped = n_skipped - 1, n_unchanged = n_unchanged + 1')}`,
  },
  {
    id: 'I11',
    label: 'a page of a URL that was removed',
    sql: () =>
      `update frontier set outcome = ${OUTCOME_CODES.removed} where ${url('x.dev/b')}; ${count('n_unchanged = n_unchanged - 1, n_removed = n_removed + 1')}`,
  },
  {
    id: 'I11',
    label: 'a page of a URL that is not in the frontier',
    sql: () =>
      `delete from frontier where ${url('x.dev/b')}; ${count('n_unchanged = n_unchanged - 1, n_found = n_found - 1')}`,
  },
  {
    id: 'I12',
    label: 'a page written under a fencing token that was never accepted',
    sql: () => `update pages set fence = fence + 1 where ${url('x.dev/a')}`,
  },
  {
    id: 'I12',
    label: 'a page overwritten by an older claim',
    sql: () => `update pages set fence = fence - 1 where ${url('x.dev/a')}`,
  },
  {
    id: 'I13',
    label: 'a vector of a text that no chunk has',
    sql: ({ bytes }) =>
      `insert into vectors (space_id, content_hash, vector) select space_id, ${bytes(HASH)}, vector from vectors limit 1`,
  },
  {
    id: 'I14',
    label: 'an embedded text without its vector',
    sql: () =>
      `delete from vectors where content_hash = (select content_hash from embeddings where state = ${EMBEDDING_STATE.embedded} limit 1)`,
  },
  {
    id: 'I14',
    label: 'a vector of a text that is still pending',
    sql: () =>
      `update embeddings set state = ${EMBEDDING_STATE.pending}, due_at = 0 where content_hash = (select content_hash from vectors limit 1)`,
  },
  {
    id: 'I15',
    label: 'a vector that is too long',
    sql: ({ bytes }) =>
      `update vectors set vector = ${bytes('00'.repeat(20))} where content_hash = (select content_hash from vectors limit 1)`,
  },
  {
    id: 'I16',
    label: 'a page that is not in the search index',
    sql: () => `delete from search_pages where url_key = ${keyOf('b')}`,
  },
  {
    id: 'I16',
    label: 'an index row of a removed page',
    sql: ({ bytes }) =>
      `update search_segments set pages = pages + 1; insert into search_pages (version_id, url_key, segment_id, page_index) select version_id, ${bytes(KEY)}, id, pages - 1 from search_segments limit 1`,
  },
  {
    id: 'I16',
    label: 'an index row in a segment that is being dropped',
    sql: () =>
      `update search_segments set state = ${SEGMENT_STATE.dropped} where id = (select segment_id from search_pages limit 1)`,
  },
  {
    id: 'I17',
    label: 'a chunk whose text was altered',
    sql: () => `update chunks set text = text || '!' where pk = ${chunkOf('b', 0)}`,
  },
  {
    id: 'I18',
    label: 'a document whose text was altered',
    sql: () => `update documents set text = text || '!' where url_key = ${keyOf('b')}`,
  },
  { id: 'I18', label: 'a page without its document', sql: () => `delete from documents where url_key = ${keyOf('b')}` },
  {
    id: 'I19',
    label: 'an excluded URL of a removed version',
    sql: () => `update frontier set version_id = 4242 where ${url('x.dev/private')}`,
  },
  {
    id: 'I19',
    label: 'an event of a removed source',
    sql: () => `update events set source_id = 4242 where seq = 1`,
  },
  {
    id: 'I19',
    label: 'counts of a removed version',
    sql: () =>
      `insert into version_counts (version_id, pages, duplicates, chunks, oldest_check_at, newest_check_at, changed_at) values (4242, 0, 0, 0, 0, 0, 0)`,
  },
  {
    id: 'I19',
    label: 'a link count of a removed version',
    sql: () => `insert into link_counts (version_id, target, links) select 4242, url_key, 1 from pages`,
  },
  {
    id: 'I19',
    label: 'a changed link of a removed version',
    sql: () => `insert into link_marks (version_id, url_key) select 4242, url_key from pages`,
  },
  {
    id: 'I19',
    label: 'a changed page of a removed version',
    sql: () => `insert into duplicate_marks (version_id, url_key) select 4242, url_key from pages`,
  },
  { id: 'I19', label: 'a problem of a removed source', sql: () => `update problems set source_id = 4242` },
  { id: 'I19', label: 'a milestone of a removed source', sql: () => `update milestones set source_id = 4242` },
  {
    id: 'I19',
    label: 'a host queue of a removed run',
    sql: () => `insert into host_queues (run_id, host_id) select 4242, min(id) from hosts`,
  },
  {
    id: 'I20',
    label: 'an alias without a target',
    sql: ({ bytes }) => `update frontier set target_key = ${bytes(KEY)} where ${url('x.dev/alias')}`,
  },
  {
    id: 'I20',
    label: 'two aliases of each other',
    sql: () =>
      `update frontier set target_key = (select url_key from frontier where ${url('x.dev/alias-of-alias')}) where ${url('x.dev/alias')}`,
  },
  {
    id: 'I20',
    label: 'an alias of a page that does not exist',
    sql: ({ bytes }) => `update pages set alias_key = ${bytes(KEY)} where ${url('x.dev/copy')}`,
  },
  {
    id: 'I20',
    label: 'an alias with chunks',
    sql: () => `update pages set alias_key = ${keyOf('b')} where ${url('x.dev/c')}`,
  },
  {
    id: 'I21',
    label: 'a second live run of a source',
    sql: () =>
      `drop index runs_one_live; insert into runs (source_id, version_id, state, mode, settings, created_at)
       select source_id, version_id, 'queued', 'full', '{}', now_ms() from runs where state = 'running'`,
  },
  { id: 'I22', label: 'an event beyond the head', sql: () => `update event_head set last = last - 1` },
  {
    id: 'I23',
    label: 'a failed URL without a reason',
    sql: () => `update frontier set reason = '' where ${url('x.dev/flaky')}`,
  },
  {
    id: 'I24',
    label: 'a ninth attempt',
    sql: () => `update frontier set attempts = 9 where ${url('y.dev/claimed')}`,
  },
  future('frontier', 'settled_at', url('x.dev/b')),
  future('pages', 'changed_at', url('x.dev/b')),
  future('events', 'at', 'seq = 1'),
  future('changes', 'at', 'position = 1'),
  future('runs', 'ended_at', `id = ${DOCS_RUN}`),
  {
    id: 'I26',
    label: 'one URL under two keys',
    sql: () => `update frontier set ${url('x.dev/login')} where ${url('x.dev/broken')}`,
  },
  {
    id: 'I27',
    label: 'a claimed URL of a run that does not exist',
    sql: () =>
      `update runs set n_found = n_found - 1 where state = 'running'; update frontier set run_id = 4242 where ${url('y.dev/claimed')}`,
  },
  {
    id: 'I28',
    label: 'a page that was not counted',
    sql: () => `update version_counts set pages = pages - 1 where pages > 2`,
  },
  {
    id: 'I28',
    label: 'chunks of a version that was never counted',
    sql: () => `delete from version_counts where version_id = (select min(version_id) from version_counts)`,
  },
  {
    id: 'I29',
    label: 'a chunk whose text is not queued',
    sql: () =>
      `delete from embeddings where content_hash = (select content_hash from embeddings where state = ${EMBEDDING_STATE.pending} limit 1)`,
  },
  {
    id: 'I30',
    label: 'a counter of a space that is one too high',
    sql: () => `update space_counts set embedded = embedded + 1`,
  },
  {
    id: 'I31',
    label: 'a page that was never announced',
    sql: () => `delete from changes where url_key = ${keyOf('b')}`,
  },
  {
    id: 'I31',
    label: 'a page whose newest change tells other chunks',
    sql: ({ bytes }) => `update changes set chunk_digest = ${bytes(HASH)} where url_key = ${keyOf('b')}`,
  },
  {
    id: 'I31',
    label: 'a page that is gone and was not announced as removed',
    sql: ({
      bytes,
    }) => `insert into changes (position, at, version_id, source_id, kind, url_key, url, chunk_digest, added, removed)
      select 0, 1, version_id, source_id, ${CHANGE_KIND.new}, ${bytes(KEY)}, url, ${bytes(HASH)}, ${bytes('')}, ${bytes('')} from changes where url_key = ${keyOf('b')} limit 1`,
  },
  {
    id: 'I31',
    label: 'a position that the head has not assigned',
    sql: () => `update event_head set last_change = 0`,
  },
  {
    id: 'I32',
    label: 'a host with a queue that no claim looks for',
    sql: () => `update hosts set has_queues = false where host = 'y.dev'`,
  },
  {
    id: 'I32',
    label: 'a host whose queue is gone',
    sql: () => `delete from host_queues where run_id = (select id from runs where state = 'running')`,
  },
];
