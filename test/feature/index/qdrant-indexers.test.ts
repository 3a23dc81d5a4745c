// Several indexers of one database, with an engine that counts what it is sent.

import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';
import { INDEX_PARTS } from '../../../src/ports/index-parts.ts';
import { createQdrantIndex, type QdrantIndex } from '../../../src/index/qdrant/qdrant-index.ts';
import type { Store } from '../../../src/store/port.ts';
import { createCountingEngine, type CountingEngine } from '../../support/counting-engine.ts';
import { settlePages } from '../../support/qdrant-library.ts';
import { createMigratedDatabase } from '../../support/stores.ts';
import { openDatabase } from '../../support/test-database.ts';
import { makePages } from '../../support/zipf-pages.ts';

const PAGES = 160;
const INDEXERS = 4;
/** What the bar of a page is; it was 276. */
const MAX_ROWS_PER_PAGE = 20;

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
const stores: Store[] = [];
const open = async (): Promise<Store> => {
  const { store } = await openDatabase({ engine: 'postgres', url: database.url });
  stores.push(store);
  return store;
};
beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterAll(async () => {
  for (const store of stores) await store.close();
  await database.drop();
});

async function openIndexer(): Promise<{ index: QdrantIndex; engine: CountingEngine }> {
  const engine = createCountingEngine();
  const { points: records, changes, history } = await open();
  return { engine, index: createQdrantIndex({ nodes: engine.nodes, records, changes, history, timeoutMs: 10_000 }) };
}

/** Until no page waits, whoever indexes it. */
async function indexAll(index: QdrantIndex): Promise<void> {
  while ((await index.index(20)) > 0 || (await index.lag(1)).pages > 0);
}

async function rowsWritten(): Promise<number> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ n: string }>(
    `select sum(n_tup_ins + n_tup_upd + n_tup_del) as n from pg_stat_user_tables where relname like 'point%' or relname in ('term_samples', 'index_leases', 'change_consumers')`,
  );
  await client.end();
  return Number(rows[0]?.n ?? 0);
}

test('four indexers send each page once, changed and queued ones, and write few rows (finding D2)', async () => {
  const store = await open();
  const source = await settlePages(store, makePages(PAGES));
  const indexers = await Promise.all(Array.from({ length: INDEXERS }, openIndexer));
  const sent = (): number[] => indexers.flatMap(({ engine }) => [...engine.pages]);
  await Promise.all(indexers.map(({ index }) => indexAll(index)));
  expect(sent()).toHaveLength(PAGES);
  const pages = makePages(PAGES).map(({ url }) => ({ url, texts: ['another text'] }));
  await settlePages(store, pages, source);
  await Promise.all(indexers.map(({ index }) => indexAll(index)));
  expect(sent()).toHaveLength(2 * PAGES);
  await indexers[0]!.index.reindex(source.versions[0]!.id);
  await Promise.all(indexers.map(({ index }) => indexAll(index)));
  expect(new Set(sent()).size).toBe(3 * PAGES);
  expect(sent()).toHaveLength(3 * PAGES);
  expect(indexers.filter(({ engine }) => engine.pages.length > 0).length).toBeGreaterThan(1);
  // What the sessions wrote is counted at the latest when they end.
  for (const one of stores.splice(0)) await one.close();
  await expect.poll(rowsWritten).toBeGreaterThan(3 * PAGES);
  expect((await rowsWritten()) / (3 * PAGES)).toBeLessThan(MAX_ROWS_PER_PAGE);
});

test('the part of a process that was killed is indexed by another one after its lease', async () => {
  const store = await open();
  const { points } = store;
  const [part] = INDEX_PARTS;
  const lease = await points.lease(part!.nth, 300);
  expect(lease).not.toBeNull();
  expect(await points.lease(part!.nth, 300)).toBeNull();
  await expect.poll(() => points.lease(part!.nth, 300), { timeout: 5000 }).not.toBeNull();
  // The first holder has lost it, and ends nothing.
  await points.releaseLease(lease!);
  expect(await points.lease(part!.nth, 300)).toBeNull();
});
