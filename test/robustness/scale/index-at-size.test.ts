// The index with many sources, many segments and a long queue: no step may grow with them.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { indexLoop } from '../../../src/crawl/loop/index-loop.ts';
import type { VersionId } from '../../../src/core/model/run.ts';
import type { SearchIndex } from '../../../src/index/port.ts';
import { createSegmentIndex } from '../../../src/index/segments/segment-index.ts';
import type { Store } from '../../../src/store/port.ts';
import { SEGMENT_STATE } from '../../../src/store/sql/engine/states.ts';
import {
  claimAll,
  createRunFixture,
  createSettlement,
  indexAll,
  indexedOutcome,
  type RunFixture,
} from '../../support/run-fixture.ts';
import { openTestSqlite } from '../../support/stores.ts';
import { openDatabase, type OpenDatabase } from '../../support/test-database.ts';
import { newDatabase } from '../../support/zombie-run.ts';
import { createEngineRecorder } from '../../support/recorded-engine.ts';

/** Merges go on until nothing is left, however slow the machine is. */
const NO_LIMIT = Infinity;

describe.each(['sqlite', 'postgres'] as const)('%s', (engine) => {
  const recorder = createEngineRecorder();
  let opened: OpenDatabase & { execute(sql: string): Promise<void> };
  let store: Store;
  let close: () => Promise<void>;

  beforeEach(async () => {
    const { database, remove } = await newDatabase(engine);
    let execute: (sql: string) => Promise<void> = async () => undefined;
    const open = await openDatabase(database, (inner) => {
      execute = async (sql) => void (await inner.transaction((tx) => tx.all(sql)));
      return recorder.wrap(inner);
    });
    opened = { ...open, execute };
    store = open.store;
    close = async () => {
      await store.close();
      await remove();
    };
  });
  afterEach(() => close());

  /** A segment that exists only as a row. */
  async function plantSegments(version: number, count: number, chunks: number): Promise<void> {
    const values = Array.from(
      { length: count },
      () =>
        `(${version}, ${SEGMENT_STATE.searchable}, ${chunks}, 1, 1, ${engine === 'sqlite' ? `x'0100'` : `'\\x0100'`}, 'planted')`,
    );
    await opened.execute(
      `insert into search_segments (version_id, state, chunks, pages, live, page_sizes, index_fingerprint) values ${values.join(', ')}`,
    );
  }

  async function settlePages(pages: number, text: (url: string) => string): Promise<RunFixture> {
    const urls = Array.from({ length: pages }, (_, nth) => `https://x.dev/${nth}`);
    const fixture = await createRunFixture(store, urls);
    const claims = await claimAll(store, pages);
    await store.frontier.settle(
      claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, text(claim.url)))),
    );
    return fixture;
  }

  const segmentsOf = async (version: VersionId): Promise<number> =>
    opened.count(
      `select count(*) as n from search_segments where version_id = ${version} and state in (${SEGMENT_STATE.searchable}, ${SEGMENT_STATE.retiring})`,
    );

  test('a step indexes a full batch of one source, however many are crawled at a time (finding X1)', async () => {
    const sources = 6;
    const pages = 5;
    const versions: VersionId[] = [];
    for (let nth = 0; nth < sources; nth += 1) {
      const urls = Array.from({ length: pages }, (_, page) => `https://host${nth}.dev/${page}`);
      versions.push((await createRunFixture(store, urls)).run.version);
    }
    const claims = await claimAll(store, sources * pages);
    expect(claims).toHaveLength(sources * pages);
    const inTurn = claims.toSorted((a, b) => a.url.slice(-1).localeCompare(b.url.slice(-1)));
    for (const claim of inTurn)
      await store.frontier.settle([createSettlement(claim, indexedOutcome(claim.url, 'zebra'))]);
    const steps: number[] = [];
    for (let step = 0; step < sources; step += 1) steps.push(await store.segments.index(pages));
    expect(steps).toEqual(Array.from({ length: sources }, () => pages));
    for (const version of versions) expect(await segmentsOf(version)).toBe(1);
  });

  test('one call merges until its time is over or nothing is left to merge (finding X2)', async () => {
    const { run } = await settlePages(24, (url) => `zebra of ${url}`);
    for (let step = 0; step < 24; step += 1) await store.segments.index(1);
    expect(await segmentsOf(run.version)).toBe(24);
    expect(await store.segments.compact(0)).toBe(false);
    expect(await segmentsOf(run.version)).toBe(24);
    expect(await store.segments.compact(NO_LIMIT)).toBe(true);
    expect(await segmentsOf(run.version)).toBeLessThan(4);
    expect(await store.verify()).toEqual([]);
  });

  test('sources with segments that cannot be merged do not keep others from merging (finding X4)', async () => {
    for (let version = 1001; version <= 1009; version += 1) await plantSegments(version, 12, 900_000);
    const { run } = await settlePages(6, (url) => `zebra of ${url}`);
    for (let step = 0; step < 6; step += 1) await store.segments.index(1);
    expect(await store.segments.compact(NO_LIMIT)).toBe(true);
    expect(await segmentsOf(run.version)).toBe(1);
  });

  test('a search over more than 2,000 segments reads the page offsets of each once (finding X5)', async () => {
    const versions = [2001, 2002, 2003].map((version) => version as VersionId);
    for (const version of versions) await plantSegments(version, 800, 1);
    const readSizes = async (): Promise<number> => {
      recorder.take();
      await store.segments.segments(versions);
      return recorder
        .take()
        .filter(({ sql }) => sql.includes('page_sizes'))
        .reduce((total, { rows }) => total + rows.length, 0);
    };
    expect(await readSizes()).toBe(2400);
    expect(await readSizes()).toBe(0);
  });

  test('beginning a merge reads the segments that are merged, not all of the version (finding X6)', async () => {
    const { run } = await settlePages(5, (url) => `zebra of ${url}`);
    for (let step = 0; step < 5; step += 1) await store.segments.index(1);
    await plantSegments(run.version, 3, 900_000);
    const planted = await opened.count(`select max(id) as n from search_segments where chunks < 900000`);
    recorder.take();
    await store.segments.compact(0);
    const reads = recorder
      .take()
      .filter(({ sql }) => /select .*(?:search_pages|page_sizes)/s.test(sql) && !sql.startsWith('insert'));
    expect(reads.length).toBeGreaterThan(0);
    for (const { rows } of reads) for (const [id] of rows) expect(id).toBeLessThanOrEqual(planted);
    for (const { sql } of reads) expect(sql).not.toContain('count(*)');
  });

  test('live pages of a segment are counted through reindexing and merges (finding X6)', async () => {
    const { run, source } = await settlePages(12, (url) => `zebra of ${url}`);
    const miscounted = (): Promise<number> =>
      opened.count(
        `select count(*) as n from search_segments g where state in (${SEGMENT_STATE.searchable}, ${SEGMENT_STATE.retiring}) and live <> (select count(*) from search_pages s where s.segment_id = g.id)`,
      );
    for (let step = 0; step < 4; step += 1) await store.segments.index(3);
    expect(await miscounted()).toBe(0);
    await store.segments.reindex(run.version);
    await store.segments.index(5);
    expect(await miscounted()).toBe(0);
    expect(await store.segments.compact(NO_LIMIT)).toBe(true);
    await indexAll(store);
    expect(await store.segments.compact(NO_LIMIT)).toBe(true);
    expect(await miscounted()).toBe(0);
    expect(await segmentsOf(run.version)).toBeLessThan(4);
    expect(await store.verify()).toEqual([]);
    await store.sources.remove(source.id);
    expect(await store.segments.compact(NO_LIMIT)).toBe(true);
    expect(await opened.count('select count(*) as n from search_postings')).toBe(0);
  });

  test('the plan of a merge is read once, not at each of its steps (finding X7)', async () => {
    const words = (url: string): string =>
      Array.from({ length: 5000 }, (_, nth) => `w${nth}x${url.slice(-1)}`).join(' ');
    await settlePages(4, words);
    for (let step = 0; step < 4; step += 1) await store.segments.index(1);
    recorder.take();
    expect(await store.segments.compact(30_000)).toBe(true);
    const statements = recorder.take();
    const count = (part: string): number => statements.filter(({ sql }) => sql.includes(part)).length;
    expect(count('set merge_cursor')).toBeGreaterThan(1);
    // Of each of four parts when the merge begins and when it is loaded, and of the merged segment.
    expect(count('select page_sizes')).toBe(9);
    expect(count('merge_plan from')).toBe(1);
    expect(await store.verify()).toEqual([]);
  });

  test('after a change of the tokenizer pages are queued in pieces (finding X8)', async () => {
    const pages = 5000;
    await opened.execute(
      `insert into search_segments (version_id, state, chunks, pages, live, page_sizes, index_fingerprint) values (3001, ${SEGMENT_STATE.searchable}, ${pages}, ${pages}, ${pages}, ${engine === 'sqlite' ? `x'00'` : `'\\x00'`}, 'older')`,
    );
    const series =
      engine === 'sqlite'
        ? `with recursive n (i) as (select 0 union all select i + 1 from n where i < ${pages - 1}) `
        : '';
    const key = engine === 'sqlite' ? `unhex(printf('%032x', i))` : `decode(lpad(to_hex(i), 32, '0'), 'hex')`;
    const from = engine === 'sqlite' ? 'n' : `generate_series(0, ${pages - 1}) i`;
    await opened.execute(
      `${series}insert into search_pages (version_id, url_key, segment_id, page_index) select 3001, ${key}, (select max(id) from search_segments), i from ${from}`,
    );
    expect(await store.segments.index(100)).toBe(100);
    expect(await store.segments.queueLength()).toBe(1900);
    await store.segments.index(100);
    await store.segments.index(100);
    expect(await store.segments.queueLength()).toBe(pages - 300);
    await indexAll(store);
    expect(await opened.count('select count(*) as n from search_pages')).toBe(0);
  });

  test('a long queue is counted up to a limit (finding X9)', async () => {
    const series =
      engine === 'sqlite' ? 'with recursive n (i) as (select 0 union all select i + 1 from n where i < 11999) ' : '';
    const from = engine === 'sqlite' ? 'n' : 'generate_series(0, 11999) i';
    const key = engine === 'sqlite' ? `unhex(printf('%032x', i))` : `decode(lpad(to_hex(i), 32, '0'), 'hex')`;
    await opened.execute(
      `${series}insert into index_queue (version_id, url_key, enqueued_at) select 4001, ${key}, 1 from ${from}`,
    );
    expect(await store.segments.queueLength()).toBe(10_000);
    expect(await store.segments.queueLength(150)).toBe(150);
  });
});

test('an idle indexer does not rest while there are segments to merge (finding X2)', async () => {
  const { store, close } = await openTestSqlite();
  const urls = Array.from({ length: 24 }, (_, nth) => `https://x.dev/${nth}`);
  await createRunFixture(store, urls);
  const claims = await claimAll(store, urls.length);
  await store.frontier.settle(claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, 'zebra'))));
  for (let step = 0; step < urls.length; step += 1) await store.segments.index(1);
  const stop = new AbortController();
  const steps: number[] = [];
  const index: SearchIndex = {
    ...createSegmentIndex(store.segments),
    async index(limit) {
      steps.push(performance.now());
      if (steps.length === 12) stop.abort();
      return store.segments.index(limit);
    },
    // One step each, so that the merges take more steps than the loop makes here.
    compact: () => store.segments.compact(0),
  };
  await indexLoop(index, store.wakeups, stop.signal);
  await close();
  const shortestRest = Math.min(...steps.slice(1).map((at, nth) => at - (steps[nth] ?? 0)));
  expect(shortestRest).toBeLessThan(150);
});
