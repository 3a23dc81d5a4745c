// The embedding queue follows the chunk texts: by key and in pieces, and with locks that only writers of the same text share.

import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { sha256Hex } from '../../../src/core/model/hash.ts';
import type { Store } from '../../../src/store/port.ts';
import type { Claim } from '../../../src/store/port/frontier.ts';
import type { Source } from '../../../src/store/port/sources.ts';
import { claimAll, createRunFixture, createSettlement, indexedOutcome, WORKER } from '../../support/run-fixture.ts';
import { openPlannedPostgres, openPlannedSqlite } from '../../support/query-plans.ts';
import { createEngineRecorder, type EngineRecorder } from '../../support/recorded-engine.ts';
import { openDatabase } from '../../support/test-database.ts';
import { newDatabase } from '../../support/zombie-run.ts';

const ENGINES = [
  { engine: 'SQLite', open: () => openRecorded('sqlite'), openPlanned: openPlannedSqlite },
  { engine: 'PostgreSQL', open: () => openRecorded('postgres'), openPlanned: openPlannedPostgres },
] as const;

interface RecordedStore extends EngineRecorder {
  readonly store: Store;
  /** The number `n` that a statement returns. */
  readonly count: (sql: string) => Promise<number>;
}

const closing: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function openRecorded(engine: 'sqlite' | 'postgres'): Promise<RecordedStore> {
  const { database, remove } = await newDatabase(engine);
  const recorder = createEngineRecorder();
  const { store, count } = await openDatabase(database, recorder.wrap);
  closing.push(async () => {
    await store.close();
    await remove();
  });
  return { ...recorder, store, count };
}

const openRecordedPostgres = (): Promise<RecordedStore> => openRecorded('postgres');

/** Rows of other sources, so many that a scan is not the cheapest plan. */
const ROWS = 20_000;

async function fillWithOthers(sql: (text: string) => Promise<void>, space: number, engine: string): Promise<void> {
  const hash = engine === 'SQLite' ? `randomblob(32)` : `sha256(i::text::bytea)`;
  const numbers =
    engine === 'SQLite'
      ? `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS}) select i from n`
      : `select i from generate_series(1, ${ROWS}) as n (i)`;
  await sql(
    `insert into embeddings (space_id, content_hash, state) select ${space}, ${hash}, 2 from (${numbers}) as n; insert into vectors (space_id, content_hash, vector) select space_id, content_hash, content_hash from embeddings where true on conflict do nothing;
     insert into events (seq, at, source_id, run_id, kind, detail) select i + 100000, 1, 77, 1000 + i % 50, 'page', '{}' from (${numbers}) as n`,
  );
}

async function settleAll(store: Store, texts: (claim: Claim) => readonly string[]): Promise<void> {
  const claims = await claimAll(store);
  await store.frontier.settle(
    claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, ...texts(claim)))),
  );
}

async function embedAll(store: Store, space: Awaited<ReturnType<Store['vectors']['openSpace']>>): Promise<void> {
  const claims = await store.vectors.claim(space.id, WORKER, 100, 60_000);
  await store.vectors.settle(
    claims.map((claim) => ({ claim, outcome: { kind: 'embedded', vector: new Float32Array([1, 0]) } })),
  );
}

test.each(ENGINES)(
  '$engine: no change of a page, removal of a source or progress reads all vectors or events (finding B1) (finding P3) (finding B20) (finding B22)',
  async ({ engine, openPlanned }) => {
    const planned = await openPlanned();
    closing.push(planned.close);
    const { store } = planned;
    const { source, lease } = await createRunFixture(store, ['https://x.dev/a', 'https://x.dev/b']);
    await settleAll(store, ({ url }) => [`own ${url}`, 'shared']);
    const space = await store.vectors.openSpace('model/1', 2, {});
    await embedAll(store, space);
    await store.runs.finish(lease, 'completed', null);
    await fillWithOthers(planned.sql, space.id, engine);
    await createRunFixture(store, ['https://x.dev/a'], source);
    const claims = await claimAll(store);
    const scans = await planned.scansOf(async (other) => {
      await other.frontier.settle(claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, 'other'))));
      await other.vectors.progress(space.id);
      await other.stats.spaces();
      await other.sources.remove(source.id);
    });
    expect(scans).toEqual([]);
    expect(await store.vectors.progress(space.id)).toEqual({ pending: 0, embedded: ROWS, failed: 0 });
  },
);

test.each(ENGINES)('$engine: a removal continues where its last step ended (finding P14)', async ({ open }) => {
  const { store, take } = await open();
  const urls = Array.from({ length: 230 }, (_, i) => `https://x.dev/${i}`);
  const { source } = await createRunFixture(store, urls);
  take();
  await store.sources.remove(source.id);
  const selects = take().filter(({ sql }) => sql.startsWith('select url_key from frontier'));
  expect(selects.length).toBeGreaterThan(1);
  expect(new Set(selects.map(({ rows }) => JSON.stringify(rows))).size).toBe(selects.length);
});

test('a removal whose commits are slow takes smaller steps', async () => {
  const { database, remove } = await newDatabase('sqlite');
  const recorder = createEngineRecorder();
  const { store } = await openDatabase(database, (engine) => {
    const recorded = recorder.wrap(engine);
    const transaction: typeof engine.transaction = async (work, flush) => {
      const result = await recorded.transaction(work, flush);
      await wait(flush === 'later' ? 200 : 0);
      return result;
    };
    return { ...recorded, transaction };
  });
  closing.push(async () => {
    await store.close();
    await remove();
  });
  const urls = Array.from({ length: 130 }, (_, i) => `https://x.dev/${i}`);
  const { source } = await createRunFixture(store, urls);
  recorder.take();
  await store.sources.remove(source.id);
  const limits = recorder
    .take()
    .filter(({ sql }) => sql.startsWith('select url_key from frontier'))
    .map(({ rows }) => Number(rows[0]?.[2]));
  expect(limits[0]).toBe(100);
  expect(limits[1]).toBeLessThan(30);
});

test.each(ENGINES)('$engine: dropping unfetched URLs continues as well (finding P14)', async ({ open }) => {
  const { store, take, count } = await open();
  const urls = Array.from({ length: 2300 }, (_, i) => `https://x.dev/${i}`);
  const { run, lease } = await createRunFixture(store, urls);
  const [claimed, retried] = await claimAll(store, 2);
  const retry = { kind: 'retry', reason: 'fetch.timeout', inMs: 60_000 } as const;
  await store.frontier.settle([createSettlement(retried!, retry)]);
  await store.runs.control(run.id, 'stop');
  take();
  expect(await store.runs.dropUnfetched(lease, 'stopped')).toBe(2299);
  const steps = take().filter(({ sql }) => sql.includes('as has_page'));
  expect(steps.length).toBeGreaterThanOrEqual(4);
  expect(new Set(steps.map(({ rows }) => JSON.stringify(rows))).size).toBe(steps.length);
  expect(await count(`select count(*) as n from frontier where url = '${claimed!.url}' and worker is not null`)).toBe(
    1,
  );
  expect((await store.runs.byId(run.id))?.counts).toMatchObject({ dropped: 2299 });
});

test('two settlements with different texts do not wait for each other (finding P2)', async () => {
  const { store, holdAt } = await openRecordedPostgres();
  await createRunFixture(store, ['https://x.dev/a']);
  await createRunFixture(store, ['https://y.dev/a']);
  await store.vectors.openSpace('model/1', 2, {});
  const [first, second] = await claimAll(store);
  const { reached, release } = holdAt('update runs set n_found');
  const held = store.frontier.settle([createSettlement(first!, indexedOutcome(first!.url, 'one', 'shared'))]);
  await reached;
  const other = store.frontier.settle([createSettlement(second!, indexedOutcome(second!.url, 'two'))]);
  const outcome = await Promise.race([other, wait(3000, 'waits')]);
  release();
  expect(await Promise.all([held, other])).toEqual([['settled'], ['settled']]);
  expect(outcome).toEqual(['settled']);
  expect(await store.verify()).toEqual([]);
});

test('a text added while its last chunk is removed stays queued (finding P2)', async () => {
  for (const isAddedFirst of [true, false]) {
    const { store, holdAt } = await openRecordedPostgres();
    const space = await store.vectors.openSpace('model/1', 2, {});
    const { source, lease } = await createRunFixture(store, ['https://x.dev/a']);
    await settleAll(store, () => ['moving', 'staying']);
    await embedAll(store, space);
    await store.runs.finish(lease, 'completed', null);
    await createRunFixture(store, ['https://x.dev/a'], source);
    await createRunFixture(store, ['https://y.dev/a']);
    const claims = await claimAll(store);
    const remover = claims.find(({ url }) => url === 'https://x.dev/a')!;
    const adder = claims.find(({ url }) => url === 'https://y.dev/a')!;
    const remove = (): Promise<unknown> =>
      store.frontier.settle([createSettlement(remover, indexedOutcome(remover.url, 'staying'))]);
    const add = (): Promise<unknown> =>
      store.frontier.settle([createSettlement(adder, indexedOutcome(adder.url, 'moving'))]);
    const { reached, release } = holdAt('update runs set n_found');
    const held = isAddedFirst ? add() : remove();
    await reached;
    const other = isAddedFirst ? remove() : add();
    expect(await Promise.race([other, wait(300, 'waits')])).toBe('waits');
    release();
    expect(await Promise.all([held, other])).toEqual([['settled'], ['settled']]);
    expect(await store.verify()).toEqual([]);
    const pending = await store.vectors.claim(space.id, WORKER, 10, 60_000);
    expect(pending.map(({ text }) => text)).toEqual(isAddedFirst ? [] : ['moving']);
  }
});

test('a page that is settled while the first space is opened is embedded (finding B5)', async () => {
  const { store, holdAt } = await openRecordedPostgres();
  await createRunFixture(store, ['https://x.dev/a']);
  const [claim] = await claimAll(store);
  const { reached, release } = holdAt('update runs set n_found');
  const settling = store.frontier.settle([createSettlement(claim!, indexedOutcome(claim!.url, 'in flight'))]);
  await reached;
  const opening = store.vectors.openSpace('model/1', 2, {});
  await Promise.race([opening, wait(2000)]);
  release();
  await settling;
  const space = await opening;
  expect(await store.verify()).toEqual([]);
  expect((await store.vectors.claim(space.id, WORKER, 10, 60_000)).map(({ text }) => text)).toEqual(['in flight']);
});

test('a worker claims other texts than those that another one is claiming (finding P17)', async () => {
  const { store, holdAt } = await openRecordedPostgres();
  await createRunFixture(store, ['https://x.dev/a']);
  await settleAll(store, () => ['one', 'two', 'three', 'four']);
  const space = await store.vectors.openSpace('model/1', 2, {});
  const { reached, release } = holdAt('select chunks.content_hash, min(chunks.text)');
  const first = store.vectors.claim(space.id, 'one', 2, 60_000);
  await reached;
  const second = await Promise.race([store.vectors.claim(space.id, 'two', 2, 60_000), wait(3000, [])]);
  release();
  const texts = [...(await first), ...second].map(({ text }) => text);
  expect(texts.toSorted()).toEqual(['four', 'one', 'three', 'two']);
});

test.each(ENGINES)('$engine: the texts of a large library are queued in steps (finding P16)', async ({ open }) => {
  const { store, count } = await open();
  await createRunFixture(store, ['https://x.dev/a']);
  const texts = Array.from({ length: 5400 }, (_, i) => `text ${i}`);
  await settleAll(store, () => texts);
  const space = await store.vectors.openSpace('model/1', 2, {});
  expect(await count(`select count(*) as n from embeddings`)).toBe(5000);
  expect(await store.vectors.progress(space.id)).toEqual({ pending: 5400, embedded: 0, failed: 0 });
  expect(await store.verify()).toEqual([]);
  const claimed = new Set<string>();
  for (let round = 0; round < 20; round += 1)
    for (const { text } of await store.vectors.claim(space.id, WORKER, 600, 600_000)) claimed.add(text);
  expect(claimed.size).toBe(5400);
});

test.each(ENGINES)(
  '$engine: a vector from a bundle does not serve another source that has its text (finding N10)',
  async ({ open }) => {
    const { store } = await open();
    const space = await store.vectors.openSpace('model/1', 2, {});
    const add = async (url: string, ...more: string[]): Promise<Source> => {
      const { source } = await createRunFixture(store, [url]);
      await settleAll(store, () => ['the text', ...more]);
      return source;
    };
    const forged = { contentHash: sha256Hex('the text'), vector: new Float32Array([0, 1]) };
    const friendly = await add('https://friendly.dev/a', 'its own');
    expect(await store.vectors.importVectors(space.id, friendly.versions[0]!.id, [forged])).toBe(1);
    const genuine = await add('https://x.dev/a');
    expect((await store.vectors.byContentHash(space.id, [forged.contentHash])).size).toBe(0);
    expect(await store.vectors.importVectors(space.id, friendly.versions[0]!.id, [forged])).toBe(0);
    const claims = await store.vectors.claim(space.id, WORKER, 10, 60_000);
    expect(claims.map(({ text }) => text).toSorted()).toEqual(['its own', 'the text']);
    await store.vectors.settle(
      claims.map((claim) => ({ claim, outcome: { kind: 'embedded', vector: new Float32Array([1, 0]) } })),
    );
    await store.sources.remove(friendly.id);
    const vectors = await store.vectors.byContentHash(space.id, [forged.contentHash]);
    expect(Array.from(vectors.get(forged.contentHash) ?? [])).toEqual([1, 0]);
    expect(await store.verify()).toEqual([]);
    expect(genuine.versions).toHaveLength(1);
  },
);
