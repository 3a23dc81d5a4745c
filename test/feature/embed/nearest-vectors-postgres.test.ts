// Nearest-neighbour search in PostgreSQL with a library large enough for the vector index: with filters of every selectivity
// it finds what comparing every row finds.

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PassageKind } from '../../../src/core/model/chunk.ts';
import type { VersionId } from '../../../src/core/model/run.ts';
import { cosineSimilarity } from '../../../src/core/vector/cosine-similarity.ts';
import { migratePostgres } from '../../../src/store/postgres/migrate-postgres.ts';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.ts';
import { createPgDriver } from '../../../src/store/postgres/pg-driver.ts';
import { createPostgresEngine } from '../../../src/store/postgres/postgres-engine.ts';
import { vectorBytes } from '../../../src/store/sql/engine/codec.ts';
import { batch, type Engine, type Value } from '../../../src/store/sql/engine/engine.ts';
import type { Store } from '../../../src/store/port.ts';
import type { StoredSpace } from '../../../src/store/port/vectors.ts';
import { createDatabase } from '../../support/stores.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createRandom } from '../../support/random.ts';

const DIMENSIONS = 24;
const CHUNKS = 24_000;
const CHUNKS_PER_PAGE = 50;
const NEAREST = 10;
const QUERIES = 40;
const BATCH_SIZE = 2000;

const random = createRandom(7);
const centers = Array.from({ length: 80 }, () => unit(Array.from({ length: DIMENSIONS }, () => random() - 0.5)));

function unit(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => number / length);
}

/** Vectors form clusters, as those of real texts do. */
function createVector(): Float32Array {
  const center = centers[Math.floor(random() * centers.length)]!;
  return unit(Array.from(center, (number) => number + (random() - 0.5) * 0.35));
}

interface Row {
  readonly version: number;
  readonly kind: PassageKind;
  readonly vector: Float32Array;
}

/** Three versions with 63 %, 36 % and 0.5 % of the chunks; 55 % are code. */
const rows: Row[] = Array.from({ length: CHUNKS }, (_, i) => {
  const page = Math.floor(i / CHUNKS_PER_PAGE) / (CHUNKS / CHUNKS_PER_PAGE);
  const version = page < 0.635 ? 1 : page < 0.995 ? 2 : 3;
  return { version, kind: random() < 0.55 ? 'code' : 'prose', vector: createVector() };
});

let store: Store;
let space: StoredSpace;
let database: Awaited<ReturnType<typeof createDatabase>>;

beforeAll(async () => {
  database = await createDatabase();
  const settings = { url: database.url, poolSize: 2, onError: () => undefined };
  const driver = createPgDriver(settings);
  await migratePostgres(driver);
  await fill(createPostgresEngine(driver));
  await driver.close();
  store = await openPostgresStore({ ...settings, startDelayMs: 0, maxAttempts: 8 });
  [space] = (await store.vectors.spaces()) as [StoredSpace];
  await store.vectors.openSpace(space.fingerprint, space.dimensions, {});
  await store.vectors.maintainIndex(space.id);
  await forgetBuild();
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

/** Building the index reads the whole table, which the server counts when the connection has ended. */
async function forgetBuild(): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const isCounted = async (): Promise<boolean> =>
    (await client.query(`select 1 from pg_stat_user_tables where relname like 'space_vectors_%' and seq_tup_read > 0`))
      .rows.length > 0;
  await waitUntil('the build is counted', isCounted);
  await client.query('select pg_stat_reset()');
  await client.end();
}

/** Writes what search reads from a library, without crawling. */
async function fill(engine: Engine): Promise<void> {
  const write = async (table: string, columns: Parameters<typeof batch>[0], all: Value[][]): Promise<void> => {
    const names = Object.keys(columns);
    const insert = batch(
      columns,
      `insert into ${table} (${names.join(', ')}) overriding system value select ${names.map((name) => `r.${name}`).join(', ')} from {rows} r`,
    );
    for (let at = 0; at < all.length; at += BATCH_SIZE)
      await engine.transaction(async (tx) => {
        await tx.all(`set local session_replication_role = replica`);
        await tx.each(insert, all.slice(at, at + BATCH_SIZE));
      });
  };
  const bytes = (number: number, length: number): Uint8Array => {
    const padded = new Uint8Array(length);
    new DataView(padded.buffer).setUint32(0, number + 1);
    return padded;
  };
  const pages = Array.from({ length: CHUNKS / CHUNKS_PER_PAGE }, (_, page) => page);
  const versionOf = (page: number): number => rows[page * CHUNKS_PER_PAGE]!.version;
  await engine.transaction(async (tx) => {
    await tx.all(
      `insert into sources (id, name, kind, start_url, settings, created_at) overriding system value values (1, 's', 'web', 'https://x.dev/', '{}', 1)`,
    );
    for (const version of [1, 2, 3])
      await tx.all(
        `insert into versions (id, source_id, label, site_profile, created_at) overriding system value values (${version}, 1, '${version}', '{}', 1)`,
      );
    for (const version of [1, 2, 3])
      await tx.all(
        `insert into search_segments (id, version_id, state, chunks, pages, page_sizes, index_fingerprint) overriding system value values (${version}, ${version}, 1, ${rows.filter((row) => row.version === version).length}, ${pages.length}, '', 'x')`,
      );
    await tx.all(
      `insert into spaces (id, fingerprint, settings, dimensions, created_at) overriding system value values (1, 'synthetic', '{}', ${DIMENSIONS}, 1)`,
    );
  });
  await write(
    'pages',
    {
      version_id: 'int',
      url_key: 'bytes',
      url: 'text',
      title: 'text',
      media_type: 'text',
      content_hash: 'bytes',
      chunk_digest: 'bytes',
      n_chunks: 'int',
      pipeline_version: 'text',
      metadata: 'text',
      fence: 'int',
      changed_at: 'int',
      checked_at: 'int',
    },
    pages.map((page) => {
      const hash = bytes(page, 32);
      const url = `https://x.dev/${page}`;
      return [versionOf(page), bytes(page, 16), url, 'T', 'text/html', hash, hash, CHUNKS_PER_PAGE, 't', '{}', 1, 1, 1];
    }),
  );
  await write(
    'search_pages',
    { version_id: 'int', url_key: 'bytes', segment_id: 'int', page_index: 'int' },
    pages.map((page) => [versionOf(page), bytes(page, 16), versionOf(page), page]),
  );
  await write(
    'chunks',
    {
      version_id: 'int',
      url_key: 'bytes',
      ordinal: 'int',
      chunk_id: 'bytes',
      content_hash: 'bytes',
      passage_kind: 'text',
      headings: 'text',
      text: 'text',
      first_line: 'int',
      last_line: 'int',
      tokens: 'int',
      pk: 'int',
    },
    rows.map(({ version, kind }, i) => {
      const key = bytes(Math.floor(i / CHUNKS_PER_PAGE), 16);
      const hash = bytes(i, 32);
      return [version, key, i % CHUNKS_PER_PAGE, hash, hash, kind, '[]', `text ${i}`, 1, 1, 1, i + 1];
    }),
  );
  await write(
    'embeddings',
    { space_id: 'int', content_hash: 'bytes', state: 'int' },
    rows.map((_, i) => [1, bytes(i, 32), 2]),
  );
  await write(
    'vectors',
    { space_id: 'int', content_hash: 'bytes', vector: 'bytes' },
    rows.map(({ vector }, i) => [1, bytes(i, 32), vectorBytes(vector)]),
  );
}

interface Subset {
  readonly name: string;
  readonly versions: readonly number[];
  readonly kinds?: readonly PassageKind[];
}

const subsets: readonly Subset[] = [
  { name: 'all chunks', versions: [1, 2, 3] },
  { name: 'two thirds of the chunks', versions: [1] },
  { name: 'code chunks', versions: [1, 2, 3], kinds: ['code'] },
  { name: 'a third of the chunks', versions: [2] },
  { name: 'code in a third of the chunks', versions: [2], kinds: ['code'] },
  { name: 'one chunk in two hundred', versions: [3] },
];

test.each(subsets)('the ten nearest of $name are found', async ({ versions, kinds }) => {
  const admitted = rows.filter(({ version, kind }) => versions.includes(version) && (kinds?.includes(kind) ?? true));
  const recalls: number[] = [];
  for (let i = 0; i < QUERIES; i += 1) {
    const vector = createVector();
    const threshold = admitted.map((row) => cosineSimilarity(vector, row.vector)).toSorted((a, b) => b - a)[
      NEAREST - 1
    ]!;
    const nearest = await store.vectors.nearest({
      space: space.id,
      vector,
      versions: versions as VersionId[],
      filter: kinds === undefined ? {} : { passageKinds: kinds },
      limit: 100,
    });
    expect(nearest.every(({ chunk }) => versions.includes(chunk.page.version))).toBe(true);
    recalls.push(Math.min(1, nearest.filter(({ similarity }) => similarity >= threshold - 1e-5).length / NEAREST));
  }
  expect(recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length).toBeGreaterThanOrEqual(0.98);
});

test('[X5] a large library is searched through its indexes alone, without ANALYZE', async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const scans = async (): Promise<number> => {
    const { rows: found } = await client.query<{ n: string }>(
      `select coalesce(sum(s.idx_scan), 0) as n from pg_stat_user_indexes s join pg_indexes i on i.indexname = s.indexrelname
       where s.relname = 'space_vectors_${space.id}' and i.indexdef like '%hnsw%'`,
    );
    return Number(found[0]?.n);
  };
  await expect.poll(scans, { timeout: 20_000 }).toBeGreaterThan(QUERIES);
  const { rows: whole } = await client.query(
    `select relname from pg_stat_user_tables where relname in ('chunks', 'pages', 'search_pages', 'space_vectors_${space.id}') and seq_tup_read > 0`,
  );
  expect(whole).toEqual([]);
  await client.end();
});
