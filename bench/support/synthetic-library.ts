// Fills an empty database with a synthetic library by bulk SQL: sources, runs, pages, chunks, segments, events and vectors.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { indexFingerprint } from '../../src/core/lexical/segment/index-fingerprint.ts';
import { EMBEDDING_STATE, SEGMENT_STATE, URL_STATE } from '../../src/store/sql/engine/states.ts';
import { OUTCOME_CODES } from '../../src/core/model/outcome.ts';

/** How much a library holds apart from its sources and runs. */
export interface LibrarySize {
  readonly pages: number;
  readonly segmentsPerSource: number;
  readonly events: number;
  readonly vectors: number;
}

export const SOURCES = 500;
/** Number of runs of the first source. */
const MANY_RUNS = 1200;
const LIVE_RUNS = 25;
export const CHUNKS_PER_PAGE = 4;
const TERMS_PER_SEGMENT = 100;
const DIMENSIONS = 384;

export interface BulkDatabase {
  readonly execute: (sql: string) => Promise<void>;
  /** `select` over `i` from `first` to `last`, to be completed by columns. */
  readonly numbers: (first: number, last: number) => { readonly with: string; readonly from: string };
  /** So many bytes that are scattered like a hash of a number. */
  readonly digest: (number: string, bytes: number) => string;
  readonly zeros: (bytes: string) => string;
  readonly close: () => Promise<void>;
}

export function openBulkSqlite(directory: string): BulkDatabase {
  const database = new DatabaseSync(join(directory, 'pinakes.db'), { enableForeignKeyConstraints: false });
  database.exec('pragma journal_mode = wal; pragma synchronous = off; pragma cache_size = -400000');
  return {
    execute: async (sql) => database.exec(sql),
    numbers: (first, last) => ({
      with: `with recursive n (i) as (select ${first} union all select i + 1 from n where i < ${last})`,
      from: 'n',
    }),
    digest: (number, bytes) =>
      `unhex(printf('%08x%0${bytes * 2 - 8}x', ((${number}) * 2654435761) % 4294967296, ${number}))`,
    zeros: (bytes) => `zeroblob(${bytes})`,
    close: async () => {
      database.exec('analyze; pragma wal_checkpoint(truncate)');
      database.close();
    },
  };
}

export async function openBulkPostgres(url: string): Promise<BulkDatabase> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB'`,
  );
  return {
    execute: async (sql) => void (await client.query(sql)),
    numbers: (first, last) => ({ with: '', from: `generate_series(${first}, ${last}) as n (i)` }),
    digest: (number, bytes) => `substr(sha256(int8send((${number})::bigint)), 1, ${bytes})`,
    zeros: (bytes) => `decode(repeat('00', ${bytes}), 'hex')`,
    close: async () => {
      for (const table of ['sources', 'versions', 'runs', 'search_segments', 'spaces'])
        await client.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
      await client.query('vacuum analyze');
      await client.end();
    },
  };
}

const NOW = 1_790_000_000_000;
const WORDS = `'the kettle boils water at pressure ' || (i % 977) || ' and the handle of model ' || (i % 7919) || ' stays cold while number ' || i || ' warms slowly; see the table of settings for limits'`;

/** Version and source have the same number, from 1. Pages are spread evenly over the sources. */
const VERSION = `(i % ${SOURCES}) + 1`;
const URL = `'https://s' || (i % ${SOURCES}) || '.dev/page/' || (i / ${SOURCES})`;

/** Into a database with the current schema and nothing else. */
export async function fillLibrary(database: BulkDatabase, size: LibrarySize): Promise<void> {
  await fillSources(database);
  await fillPages(database, size);
  await fillSegments(database, size);
  await fillJournal(database, size);
  await fillVectors(database, size);
}

interface BulkInsert {
  readonly table: string;
  readonly columns: string;
  /** Over `i`. */
  readonly select: string;
  readonly count: number;
  /** PostgreSQL generates the ids of some tables itself unless it is overruled. */
  readonly withId?: true;
}

/** Triggers count the pages of a version: within one transaction each change would pass over the dead rows of all before it. */
const ROWS_PER_INSERT = 20_000;

async function insert(database: BulkDatabase, { table, columns, select, count, withId }: BulkInsert): Promise<void> {
  for (let first = 0; first < count; first += ROWS_PER_INSERT) {
    const { with: numbers, from } = database.numbers(first, Math.min(count, first + ROWS_PER_INSERT) - 1);
    const overruling = withId && numbers === '' ? 'overriding system value' : '';
    await database.execute(`${numbers} insert into ${table} (${columns}) ${overruling} select ${select} from ${from}`);
  }
}

async function fillSources(database: BulkDatabase): Promise<void> {
  await insert(database, {
    table: 'sources',
    columns: 'id, name, kind, start_url, settings, created_at',
    select: `i + 1, 's' || i, 'web', 'https://s' || i || '.dev/', '{"include":["https://x.dev/docs/**"],"maxPages":1000}', ${NOW}`,
    count: SOURCES,
    withId: true,
  });
  await insert(database, {
    table: 'versions',
    columns: 'id, source_id, label, site_profile, created_at',
    select: `i + 1, i + 1, '', '{}', ${NOW}`,
    count: SOURCES,
    withId: true,
  });
  const ended = `case when i >= ${MANY_RUNS} and i < ${MANY_RUNS + LIVE_RUNS} then null else ${NOW} end`;
  const state = `case when i >= ${MANY_RUNS} and i < ${MANY_RUNS + LIVE_RUNS} then 'running' else 'completed' end`;
  const source = `case when i < ${MANY_RUNS} then 1 else i - ${MANY_RUNS} + 2 end`;
  await insert(database, {
    table: 'runs',
    columns: 'id, source_id, version_id, state, mode, settings, created_at, started_at, ended_at',
    select: `i + 1, ${source}, ${source}, ${state}, 'incremental', '{}', ${NOW}, ${NOW}, ${ended}`,
    count: MANY_RUNS + SOURCES - 1,
    withId: true,
  });
}

async function fillPages(database: BulkDatabase, { pages }: LibrarySize): Promise<void> {
  const key = database.digest('i', 16);
  const run = `case when i % ${SOURCES} = 0 then 1 else ${MANY_RUNS} + i % ${SOURCES} end`;
  await insert(database, {
    table: 'frontier',
    columns:
      'version_id, url_key, run_id, host_id, url, depth, priority, found_by, state, fence, settled_fence, outcome, enqueued_at, settled_at',
    select: `${VERSION}, ${key}, ${run}, 1, ${URL}, 1, 1, 1, ${URL_STATE.settled}, 1, 1, ${OUTCOME_CODES.new}, ${NOW}, ${NOW}`,
    count: pages,
  });
  await insert(database, {
    table: 'pages',
    columns:
      'version_id, url_key, url, title, media_type, content_hash, chunk_digest, n_chunks, pipeline_version, metadata, fence, changed_at, checked_at',
    select: `${VERSION}, ${key}, ${URL}, 'Page ' || i, 'text/html', ${database.digest('i', 32)}, ${database.digest('i', 32)}, ${CHUNKS_PER_PAGE}, 'html@1 markdown@1', '{"pageKind":"article"}', 1, ${NOW}, ${NOW} + i`,
    count: pages,
  });
  await insert(database, {
    table: 'documents',
    columns: 'version_id, url_key, text, outline, response_meta',
    select: `${VERSION}, ${key}, ${WORDS} || ${WORDS}, '[{"level":1,"text":"Page","anchor":null,"line":1},{"level":2,"text":"Use","anchor":"use","line":3}]', '{}'`,
    count: pages,
  });
  await insert(database, {
    table: 'bodies',
    columns: 'version_id, url_key, encoding, bytes',
    select: `${VERSION}, ${key}, 'zstd', ${database.zeros('200')}`,
    count: pages,
  });
  for (let ordinal = 0; ordinal < CHUNKS_PER_PAGE; ordinal += 1) {
    const id = database.digest(`i * ${CHUNKS_PER_PAGE} + ${ordinal}`, 32);
    await insert(database, {
      table: 'chunks',
      columns:
        'version_id, url_key, ordinal, chunk_id, content_hash, passage_kind, headings, text, first_line, last_line, tokens',
      select: `${VERSION}, ${key}, ${ordinal}, ${id}, ${id}, 'prose', '["Page","Use"]', ${WORDS} || ' ${ordinal}', ${ordinal + 1}, ${ordinal + 1}, 40`,
      count: pages,
    });
  }
}

/** Segments of equal size; a search of another source never reads them. */
async function fillSegments(database: BulkDatabase, { pages, segmentsPerSource }: LibrarySize): Promise<void> {
  const segments = SOURCES * segmentsPerSource;
  const each = Math.ceil(pages / segments);
  await insert(database, {
    table: 'search_segments',
    columns: 'id, version_id, state, chunks, pages, live, page_sizes, index_fingerprint',
    select: `i + 1, ${VERSION}, ${SEGMENT_STATE.searchable}, ${each * CHUNKS_PER_PAGE}, ${each}, ${each}, ${database.zeros(String(each * 2))}, '${indexFingerprint}'`,
    count: segments,
    withId: true,
  });
  // The nth page of a source is in the segment of that source with the number n / each.
  const segment = `${VERSION} + ((i / ${SOURCES}) / ${each}) * ${SOURCES}`;
  await insert(database, {
    table: 'search_pages',
    columns: 'version_id, url_key, segment_id, page_index',
    select: `${VERSION}, ${database.digest('i', 16)}, ${segment}, (i / ${SOURCES}) % ${each}`,
    count: pages,
  });
  await insert(database, {
    table: 'search_postings',
    columns: 'segment_id, term, chunks, postings',
    select: `i / ${TERMS_PER_SEGMENT} + 1, 'term' || (i % ${TERMS_PER_SEGMENT}), 10, ${database.zeros('40')}`,
    count: segments * TERMS_PER_SEGMENT,
  });
}

async function fillJournal(database: BulkDatabase, { events }: LibrarySize): Promise<void> {
  const run = `(i % ${MANY_RUNS}) + 1`;
  await insert(database, {
    table: 'events',
    columns: 'seq, at, source_id, run_id, kind, url, detail',
    select: `i + 1, ${NOW}, 1, ${run}, case when i % 50 = 0 then 'failed' else 'unchanged' end, 'https://s0.dev/page/' || (i % 1000), '{}'`,
    count: events,
  });
  await database.execute(`update event_head set last = ${events}`);
}

async function fillVectors(database: BulkDatabase, { vectors }: LibrarySize): Promise<void> {
  await insert(database, {
    table: 'spaces',
    columns: 'id, fingerprint, settings, dimensions, created_at',
    select: `i + 1, 'synthetic/1', '{}', ${DIMENSIONS}, ${NOW}`,
    count: 1,
    withId: true,
  });
  const text = database.digest(`i * ${CHUNKS_PER_PAGE}`, 32);
  await insert(database, {
    table: 'embeddings',
    columns: 'space_id, content_hash, state',
    select: `1, ${text}, ${EMBEDDING_STATE.embedded}`,
    count: vectors,
  });
  await insert(database, {
    table: 'vectors',
    columns: 'space_id, content_hash, vector',
    select: `1, ${text}, ${database.zeros(String(DIMENSIONS * 4))}`,
    count: vectors,
  });
}
