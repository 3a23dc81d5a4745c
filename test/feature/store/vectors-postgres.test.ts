// Vectors in PostgreSQL with pgvector: one copy of each, and an index that is built over a load and not row by row.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256Hex } from '../../../src/core/model/hash.ts';
import { normalize } from '../../../src/core/vector/pool-tokens.ts';
import { vectorBytes } from '../../../src/store/sql/engine/codec.ts';
import { indexVerdict } from '../../../src/store/postgres/vector-index.ts';
import type { Store } from '../../../src/store/port.ts';
import type { Source } from '../../../src/store/port/sources.ts';
import type { NearestChunk, StoredSpace } from '../../../src/store/port/vectors.ts';
import {
  claimAll,
  createRunFixture,
  createSettlement,
  indexAll,
  indexedOutcome,
  WORKER,
} from '../../support/run-fixture.ts';
import { openDatabase, type OpenDatabase } from '../../support/test-database.ts';
import { newDatabase } from '../../support/zombie-run.ts';

let opened: OpenDatabase;
let store: Store;
let execute: (sql: string) => Promise<unknown>;
let close: () => Promise<void>;

beforeEach(async () => {
  const { database, remove } = await newDatabase('postgres');
  opened = await openDatabase(database, (engine) => {
    execute = (sql) => engine.transaction((tx) => tx.all(sql));
    return engine;
  });
  store = opened.store;
  close = async () => {
    await store.close();
    await remove();
  };
});
afterEach(() => close());

async function addTexts(texts: readonly string[]): Promise<Source> {
  const { source } = await createRunFixture(store, ['https://x.dev/a']);
  const [page] = await claimAll(store);
  await store.frontier.settle([createSettlement(page!, indexedOutcome(page!.url, ...texts))]);
  await indexAll(store);
  return source;
}

/** No two are the same, and their numbers are not exact in decimal. */
function vectorOf(text: string): Float32Array {
  const at = Number(text.split(' ')[1]);
  return normalize(Float32Array.of(Math.sin(at), Math.cos(at), 1 / 3, at / 7919));
}

async function embedAll(space: StoredSpace): Promise<void> {
  for (;;) {
    const claims = await store.vectors.claim(space.id, WORKER, 500, 60_000);
    if (claims.length === 0) return;
    await store.vectors.settle(
      claims.map((claim) => ({ claim, outcome: { kind: 'embedded', vector: vectorOf(claim.text) } })),
    );
  }
}

const bytes = (): Promise<number> => opened.count('select coalesce(sum(length(vector)), 0)::int as n from vectors');
const indexes = (): Promise<number> =>
  opened.count(
    `select count(*) as n from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam where a.amname = 'hnsw' and i.indisvalid`,
  );
const nearestTo = ({ versions }: Source, space: StoredSpace, text: string): Promise<readonly NearestChunk[]> =>
  store.vectors.nearest({
    space: space.id,
    vector: vectorOf(text),
    versions: versions.map(({ id }) => id),
    filter: {},
    limit: 1,
  });

test('a vector is stored once, in the table of its space (finding P16)', async () => {
  const source = await addTexts(['text 1', 'text 2', 'text 3']);
  const space = await store.vectors.openSpace('model/1', 4, {});
  await embedAll(space);
  expect(await bytes()).toBe(0);
  expect(await opened.count(`select count(*) as n from space_vectors_${space.id}`)).toBe(3);
  const hashes = ['text 1', 'text 3', 'unknown'].map((text) => sha256Hex(text));
  const read = await store.vectors.byContentHash(space.id, hashes);
  expect([...read.keys()].toSorted()).toEqual(hashes.slice(0, 2).toSorted());
  expect(read.get(hashes[1]!)).toEqual(vectorOf('text 3'));
  expect((await nearestTo(source, space, 'text 2'))[0]?.chunk.text).toBe('text 2');

  await execute(`delete from space_vectors_${space.id} where content_hash = '\\x${hashes[0]!}'`);
  const { violations } = await store.findDamage('full');
  expect(violations.map(({ row }) => row)).toEqual([
    `table space_vectors_${space.id}: the vector of text ${hashes[0]!} is missing`,
  ]);
  await store.sources.remove(source.id);
  expect(await opened.count(`select count(*) as n from space_vectors_${space.id}`)).toBe(0);
});

test('vectors that were stored without pgvector are moved when the space is opened (finding P16)', async () => {
  const texts = Array.from({ length: 1200 }, (_, i) => `text ${i}`);
  await addTexts(texts);
  const space = await store.vectors.openSpace('model/1', 4, {});
  await embedAll(space);
  // Only the bytes, as if pgvector had been installed later.
  const hex = (text: string): string => Buffer.from(vectorBytes(vectorOf(text))).toString('hex');
  const stored = texts.map((text) => `('\\x${sha256Hex(text)}'::bytea, '\\x${hex(text)}'::bytea)`);
  await execute(
    `update vectors set vector = s.bytes from (values ${stored.join(', ')}) as s (hash, bytes) where s.hash = content_hash`,
  );
  await execute(`delete from space_vectors_${space.id}`);
  const before = await store.vectors.byContentHash(space.id, texts.map(sha256Hex));
  expect(before.size).toBe(1200);
  await store.vectors.openSpace('model/1', 4, {});
  expect(await bytes()).toBe(0);
  const after = await store.vectors.byContentHash(space.id, texts.map(sha256Hex));
  for (const text of texts) expect(after.get(sha256Hex(text))).toEqual(vectorOf(text));
  expect(await store.verify()).toEqual([]);
  expect((await store.findDamage('full')).violations).toEqual([]);
});

test('the index is built after a load, and again after a larger one (finding P16)', async () => {
  const source = await addTexts(Array.from({ length: 2400 }, (_, i) => `text ${i}`));
  const space = await store.vectors.openSpace('model/1', 4, {});
  await store.vectors.maintainIndex(space.id);
  await embedAll(space);
  expect(await indexes()).toBe(0);
  expect((await nearestTo(source, space, 'text 17'))[0]?.chunk.text).toBe('text 17');

  await store.vectors.maintainIndex(space.id);
  expect(await indexes()).toBe(1);
  expect((await nearestTo(source, space, 'text 17'))[0]?.chunk.text).toBe('text 17');

  await execute(
    `insert into embeddings (space_id, content_hash, state, due_at) select ${space.id}, sha256(i::text::bytea), 0, 0 from generate_series(1, 10000) as n (i)`,
  );
  await store.vectors.maintainIndex(space.id);
  expect(await indexes()).toBe(0);
  await execute(`delete from embeddings where state = 0`);
  await store.vectors.maintainIndex(space.id);
  expect(await indexes()).toBe(1);

  // A server that is stopped while it builds leaves an index that it does not use.
  await execute(`update pg_index set indisvalid = false where indexrelid = 'space_vectors_${space.id}_hnsw'::regclass`);
  expect(await indexes()).toBe(0);
  await Promise.all([store.vectors.maintainIndex(space.id), store.vectors.maintainIndex(space.id)]);
  expect(await indexes()).toBe(1);
});

test('an index is kept through small loads, and a small space has none (finding P16)', () => {
  const verdict = (pending: number, embedded: number, isIndexed: boolean): string =>
    indexVerdict({ pending, embedded, failed: 0 }, isIndexed);
  expect(verdict(0, 1999, false)).toBe('keep');
  expect(verdict(0, 2000, false)).toBe('build');
  expect(verdict(1000, 8000, false)).toBe('keep');
  expect(verdict(1000, 9000, false)).toBe('build');
  expect(verdict(9000, 3000, true)).toBe('keep');
  expect(verdict(40_000, 90_000, true)).toBe('keep');
  expect(verdict(90_000, 90_000, true)).toBe('drop');
});
