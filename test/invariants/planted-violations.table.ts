// One violation or more for each invariant, as SQL that a fault or a bug could have amounted to. Each breaks its own
// invariant and no other: where a row cannot change alone, the counters that follow from it are changed with it.

export interface Dialect {
  readonly bytes: (hex: string) => string;
  /** Lets the checks of a table pass anything. */
  readonly unchecked: (table: string) => string;
}

export interface Plant {
  readonly id: string;
  /** What is planted, in words. */
  readonly as: string;
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

const COPY_CHUNK = `ordinal, content_hash, kind, headings, anchor, symbol, address, text, first_line, last_line, tokens`;

const future = (table: string, column: string, where: string): Plant => ({
  id: 'I25',
  as: `${table}.${column} tomorrow`,
  sql: () => `update ${table} set ${column} = now_ms() + 86400000 where ${where}`,
});

export const PLANTS: readonly Plant[] = [
  {
    id: 'I01',
    as: 'a chunk of a page that is not there',
    sql: ({ bytes }) =>
      `insert into chunks (version_id, url_key, chunk_id, ${COPY_CHUNK}) select version_id, ${bytes(KEY)}, ${bytes(HASH)}, ${COPY_CHUNK} from chunks where pk = ${chunkOf('b', 0)}`,
  },
  {
    id: 'I02',
    as: 'a chunk of an older content',
    sql: ({ bytes }) => `update chunks set chunk_id = ${bytes(HASH)} where pk = ${chunkOf('b', 0)}`,
  },
  { id: 'I03', as: 'a gap in the numbers', sql: () => `update chunks set ordinal = 7 where pk = ${chunkOf('b', 1)}` },
  {
    id: 'I04',
    as: 'a count that is one too high',
    sql: () => `update pages set n_chunks = n_chunks + 1 where ${url('x.dev/b')}`,
  },
  { id: 'I05', as: 'two pages of one URL', sql: () => `update pages set ${url('x.dev/b')} where ${url('x.dev/c')}` },
  {
    id: 'I06',
    as: 'a lease that ended two minutes ago',
    // Whoever opened the store ended the leases of the owner before, so the run needs its conductor back.
    sql: () => `update frontier set wake_at = now_ms() - 120000 where ${url('y.dev/claimed')};
      update runs set lease_until = now_ms() + 60000 where lease_until is not null`,
  },
  {
    id: 'I07',
    as: 'a worker on a settled URL',
    sql: ({ unchecked }) => `${unchecked('frontier')} update frontier set worker = 'ghost' where ${url('x.dev/b')}`,
  },
  {
    id: 'I07',
    as: 'a claimed URL without the end of its lease',
    sql: ({ unchecked }) => `${unchecked('frontier')} update frontier set wake_at = null where ${url('y.dev/claimed')}`,
  },
  { id: 'I08', as: 'an outcome counted twice', sql: () => count('n_changed = n_changed + 1') },
  { id: 'I08', as: 'a found URL that was not counted', sql: () => count('n_found = n_found - 1') },
  {
    id: 'I09',
    as: 'a queued URL of an ended run',
    sql: () => `update frontier set state = 0 where ${url('x.dev/b')}; ${count('n_unchanged = n_unchanged - 1')}`,
  },
  {
    id: 'I10',
    as: 'an unchanged URL without a page',
    sql: () =>
      `update frontier set outcome = 3 where ${url('x.dev/login')}; ${count('n_skipped = n_skipped - 1, n_unchanged = n_unchanged + 1')}`,
  },
  {
    id: 'I11',
    as: 'a page of a URL that is gone',
    sql: () =>
      `update frontier set outcome = 5 where ${url('x.dev/b')}; ${count('n_unchanged = n_unchanged - 1, n_gone = n_gone + 1')}`,
  },
  {
    id: 'I11',
    as: 'a page of a URL that nobody knows',
    sql: () =>
      `delete from frontier where ${url('x.dev/b')}; ${count('n_unchanged = n_unchanged - 1, n_found = n_found - 1')}`,
  },
  {
    id: 'I12',
    as: 'a page written under a fence that was never accepted',
    sql: () => `update pages set fence = fence + 1 where ${url('x.dev/a')}`,
  },
  {
    id: 'I12',
    as: 'a page overwritten by an older claim',
    sql: () => `update pages set fence = fence - 1 where ${url('x.dev/a')}`,
  },
  {
    id: 'I13',
    as: 'a vector of a text that no chunk has',
    sql: ({ bytes }) =>
      `insert into vectors (space_id, content_hash, vector) select space_id, ${bytes(HASH)}, vector from vectors limit 1`,
  },
  {
    id: 'I14',
    as: 'an embedded text without its vector',
    sql: () => `delete from vectors where content_hash = (select content_hash from embeddings where state = 2 limit 1)`,
  },
  {
    id: 'I14',
    as: 'a vector of a text that is still wanted',
    sql: () =>
      `update embeddings set state = 0, wake_at = 0 where content_hash = (select content_hash from vectors limit 1)`,
  },
  {
    id: 'I15',
    as: 'a vector that is too long',
    sql: ({ bytes }) =>
      `update vectors set vector = ${bytes('00'.repeat(20))} where content_hash = (select content_hash from vectors limit 1)`,
  },
  {
    id: 'I16',
    as: 'a page that search does not know',
    sql: () => `delete from search_pages where url_key = ${keyOf('b')}`,
  },
  {
    id: 'I16',
    as: 'a search row of a page that is gone',
    sql: ({ bytes }) =>
      `update search_segments set pages = pages + 1; insert into search_pages (version_id, url_key, segment_id, page) select version_id, ${bytes(KEY)}, id, pages - 1 from search_segments limit 1`,
  },
  {
    id: 'I16',
    as: 'a search row that leads to a segment that is being dropped',
    sql: () => `update search_segments set state = 3 where id = (select segment_id from search_pages limit 1)`,
  },
  {
    id: 'I17',
    as: 'a chunk whose text was altered',
    sql: () => `update chunks set text = text || '!' where pk = ${chunkOf('b', 0)}`,
  },
  {
    id: 'I18',
    as: 'a document whose text was altered',
    sql: () => `update documents set text = text || '!' where url_key = ${keyOf('b')}`,
  },
  { id: 'I18', as: 'a page without its document', sql: () => `delete from documents where url_key = ${keyOf('b')}` },
  {
    id: 'I19',
    as: 'a refused URL of a version that is gone',
    sql: () => `update frontier set version_id = 4242 where ${url('x.dev/private')}`,
  },
  { id: 'I19', as: 'an event of a source that is gone', sql: () => `update events set source_id = 4242 where seq = 1` },
  { id: 'I19', as: 'a problem of a source that is gone', sql: () => `update problems set source_id = 4242` },
  { id: 'I19', as: 'a milestone of a source that is gone', sql: () => `update milestones set source_id = 4242` },
  { id: 'I19', as: 'a lane of a run that is gone', sql: () => `update lanes set run_id = 4242` },
  {
    id: 'I20',
    as: 'an alias that leads nowhere',
    sql: ({ bytes }) => `update frontier set target_key = ${bytes(KEY)} where ${url('x.dev/alias')}`,
  },
  {
    id: 'I20',
    as: 'two aliases of each other',
    sql: () =>
      `update frontier set target_key = (select url_key from frontier where ${url('x.dev/alias-of-alias')}) where ${url('x.dev/alias')}`,
  },
  {
    id: 'I20',
    as: 'a page folded into one that is not there',
    sql: ({ bytes }) => `update pages set alias_key = ${bytes(KEY)} where ${url('x.dev/copy')}`,
  },
  {
    id: 'I20',
    as: 'a folded page with chunks',
    sql: () => `update pages set alias_key = ${keyOf('b')} where ${url('x.dev/c')}`,
  },
  {
    id: 'I21',
    as: 'a second live run of a source',
    sql: () =>
      `drop index runs_one_live; insert into runs (source_id, version_id, state, mode, settings, created_at)
       select source_id, version_id, 'queued', 'full', '{}', now_ms() from runs where state = 'running'`,
  },
  { id: 'I22', as: 'an event beyond the head', sql: () => `update event_head set last = last - 1` },
  {
    id: 'I23',
    as: 'a failed URL without a reason',
    sql: () => `update frontier set reason = '' where ${url('x.dev/flaky')}`,
  },
  {
    id: 'I24',
    as: 'a ninth attempt',
    sql: () => `update frontier set attempts = 9 where ${url('y.dev/claimed')}`,
  },
  future('frontier', 'settled_at', url('x.dev/b')),
  future('pages', 'changed_at', url('x.dev/b')),
  future('events', 'at', 'seq = 1'),
  future('runs', 'ended_at', `id = ${DOCS_RUN}`),
  {
    id: 'I26',
    as: 'one URL under two keys',
    sql: () => `update frontier set ${url('x.dev/login')} where ${url('x.dev/broken')}`,
  },
  {
    id: 'I27',
    as: 'a claimed URL of a run that is not there',
    sql: () =>
      `update runs set n_found = n_found - 1 where state = 'running'; update frontier set run_id = 4242 where ${url('y.dev/claimed')}`,
  },
];
