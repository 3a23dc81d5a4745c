// The index in Qdrant against a real node: the same candidates as the segments, current after every change and every failure.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CandidatePage } from '../../../src/core/lexical/query/index-query.ts';
import type { SearchFilter } from '../../../src/core/lexical/query/search-filter.ts';
import type { QdrantIndex } from '../../../src/index/qdrant/qdrant-index.ts';
import { withSegmentFallback } from '../../../src/index/segment-fallback.ts';
import { createSegmentIndex } from '../../../src/index/segments/segment-index.ts';
import type { Store } from '../../../src/store/port.ts';
import type { Source } from '../../../src/store/port/sources.ts';
import { qdrantContract } from './qdrant.contract.ts';
import { startQdrant } from '../../support/qdrant-server.ts';
import { indexAll } from '../../support/run-fixture.ts';
import { openTestPostgres, openTestSqlite, type TestStore } from '../../support/stores.ts';
import { killQdrantIndexer } from './kill-qdrant-indexer.ts';
import {
  frequenciesOf,
  indexEverything,
  openQdrantIndex,
  queryOf,
  settlePages,
  urlsOf,
} from '../../support/qdrant-library.ts';
import { rebuildUnderQuestions } from './rebuild-under-questions.ts';
import { replaceUnderReaders } from './replace-under-readers.ts';
import { makePages, makeQuestions } from '../../support/zipf-pages.ts';
import { needing } from '../../support/needs.ts';

const server = startQdrant();
afterAll(() => server?.close());

/** Of the searched generation. */
async function deleteCollections(store: Store, ...which: Array<'pages' | 'chunks'>): Promise<void> {
  const current = (await store.points.generations()).find(({ state }) => state === 'current');
  for (const of of which) await fetch(`${server!.urls[0]}/collections/${current!.name}-${of}`, { method: 'DELETE' });
}

const openIndex = (store: Store): Promise<QdrantIndex> => openQdrantIndex(store, server!.urls);

describe('Qdrant', needing('Qdrant', server !== null), () => {
  describe('as a search index', () => qdrantContract(() => server!.urls));

  for (const [engine, open] of [
    ['SQLite', openTestSqlite],
    ['PostgreSQL', openTestPostgres],
  ] as const) {
    describe(`with ${engine}`, () => {
      let opened: TestStore;
      let index: QdrantIndex;
      let source: Source;
      let other: Source;
      const pages = makePages(150);

      beforeAll(async () => {
        opened = await open();
        source = await settlePages(opened.store, pages);
        other = await settlePages(opened.store, makePages(40, 'https://y.dev'));
        await indexAll(opened.store);
        index = await openIndex(opened.store);
        await indexEverything(index);
      });
      afterAll(() => opened.close());

      test('candidates, scores and document frequencies are those of the segments', async () => {
        const segments = createSegmentIndex(opened.store.segments);
        let expected = 0;
        let found = 0;
        for (const [at, question] of makeQuestions(24).entries()) {
          const versions = [...source.versions, ...(at % 2 === 0 ? other.versions : [])].map(({ id }) => id);
          const query = queryOf(question, versions);
          const ofSegments = await frequenciesOf(segments, query);
          // Samples are behind until the indexer is idle; the larger version has its own one then.
          const ofIndex = async () => (await index.index(1), await frequenciesOf(index, query));
          await expect.poll(ofIndex, { timeout: 60_000 }).toEqual(ofSegments);
          const [wanted, got] = [await segments.candidates(query), await index.candidates(query)];
          const byUrl = new Map(got.map((page) => [`${page.version} ${page.url}`, page]));
          for (const page of wanted) {
            const same = byUrl.get(`${page.version} ${page.url}`);
            expected += 1;
            if (same === undefined) continue;
            found += 1;
            expect(same.pageScore).toBeCloseTo(page.pageScore, 3);
            expect(same.coveredWeight).toBeCloseTo(page.coveredWeight, 3);
            expect(same.score).toBeCloseTo(page.score, 3);
            expect(same.chunks[0]!.score).toBeCloseTo(page.chunks[0]!.score, 3);
          }
        }
        expect(expected).toBeGreaterThan(800);
        expect(found / expected).toBeGreaterThan(0.98);
      });

      test('filters give the candidates of the segments', async () => {
        const segments = createSegmentIndex(opened.store.segments);
        const versions = [...source.versions, ...other.versions].map(({ id }) => id);
        const filters: SearchFilter[] = [
          { pathPrefix: '/guide/' },
          { pathPrefix: 'https://y.dev/ref' },
          { pathPrefix: '1', pathBases: ['x.dev/reference/'] },
          { headingPrefix: 'tit' },
          { headingPrefix: 'title of another' },
          { symbolPrefix: 'read' },
          { passageKinds: ['prose'] },
          { passageKinds: ['code'] },
        ];
        for (const filter of filters) {
          const query = queryOf(makeQuestions(3).join(' '), versions, filter);
          const [wanted, got] = [await segments.candidates(query), await index.candidates(query)];
          const lowest = Math.min(...wanted.map(({ score }) => score));
          // Qdrant computes in single precision: of pages with equal scores, either may be the last.
          const aboveLast = (found: readonly CandidatePage[]) =>
            urlsOf(found.filter((one) => one.score > lowest + 0.001));
          expect(aboveLast(got), JSON.stringify(filter)).toEqual(aboveLast(wanted));
          expect(got.length).toBe(wanted.length);
        }
      });

      test('a misspelled word gets suggestions', async () => {
        const segments = createSegmentIndex(opened.store.segments);
        const versions = source.versions.map(({ id }) => id);
        const byTerm = (terms: ReadonlyArray<{ term: string }>): string[] => terms.map(({ term }) => term).sort();
        const wanted = byTerm(await segments.suggest(versions, 'bakorix'));
        expect(wanted.length).toBeGreaterThan(0);
        expect(byTerm(await index.suggest(versions, 'bakorix'))).toEqual(wanted);
      });

      test('the points equal the store, and differences are found', async () => {
        expect(await index.verify(Infinity)).toEqual([]);
        await opened.sql(
          `update point_pages set n_chunks = n_chunks + 1 where number = (select min(number) from point_pages where state = 1)`,
        );
        expect(await index.verify(0)).toEqual([expect.stringMatching(/^number \d+ lacks points$/)]);
        await opened.sql(
          `update point_pages set n_chunks = n_chunks - 1 where number = (select min(number) from point_pages where state = 1)`,
        );
        expect(await index.lag()).toEqual({ pages: 0, ageMs: 0 });
      });
    });
  }

  test('document frequencies of a small library follow a page that is replaced and indexed again', async () => {
    const { store, close } = await openTestSqlite();
    const index = await openIndex(store);
    const source = await settlePages(store, [
      { url: 'https://x.dev/a', texts: ['about zebras', 'and lions'] },
      { url: 'https://x.dev/b', texts: ['about zebras'] },
    ]);
    const query = queryOf('zebras tigers lions', [source.versions[0]!.id]);
    await indexEverything(index);
    expect((await frequenciesOf(index, query)).docFrequencies).toEqual([2, 0, 1]);
    await settlePages(store, [{ url: 'https://x.dev/a', texts: ['about tigers'] }], source);
    await indexEverything(index);
    expect((await frequenciesOf(index, query)).docFrequencies).toEqual([1, 1, 0]);
    await index.reindex(source.versions[0]!.id);
    await indexEverything(index);
    expect((await frequenciesOf(index, query)).docFrequencies).toEqual([1, 1, 0]);
    await close();
  });

  test('a page that is replaced 25 times is in every answer of two readers', async () => {
    const { store, close } = await openTestSqlite();
    const { misses, differences, answers } = await replaceUnderReaders(store, await openIndex(store), 25);
    await close();
    expect(misses).toEqual([]);
    expect(differences).toEqual([]);
    expect(answers).toBeGreaterThan(25);
  });

  test('collections that were deleted behind our back are made again, also while nothing changes', async () => {
    const { store, close } = await openTestSqlite();
    const index = await openIndex(store);
    const source = await settlePages(store, makePages(20));
    await indexEverything(index);
    const query = queryOf(makeQuestions(1)[0]!, [source.versions[0]!.id]);
    const before = urlsOf(await index.candidates(query));
    expect(before.length).toBeGreaterThan(0);
    await deleteCollections(store, 'chunks');
    await expect(index.candidates(query)).rejects.toMatchObject({ code: 'index.unavailable' });
    await expect.poll(() => index.index(100), { timeout: 20_000, interval: 500 }).toBeGreaterThan(0);
    await indexEverything(index);
    await expect.poll(async () => urlsOf(await index.candidates(query)), { timeout: 20_000 }).toEqual(before);
    expect(await index.verify(Infinity)).toEqual([]);
    await close();
  });

  test('after changes were missed, everything is indexed anew, and no question fails', async () => {
    const { store, sql, close } = await openTestSqlite();
    const index = await openIndex(store);
    const pages = makePages(20);
    const source = await settlePages(store, pages);
    await indexEverything(index);
    const [version] = source.versions;
    await settlePages(store, [{ url: pages[0]!.url, texts: ['about zebras'] }], source);
    await sql(`delete from changes; update change_log set complete_from = (select last_change from event_head)`);
    expect(await index.isIndexed(version!.id)).toBe(false);
    expect((await index.lag()).pages).toBe(pages.length);
    const found = await rebuildUnderQuestions(store, index, version!.id);
    expect(found.failures).toEqual([]);
    expect(await index.lag()).toEqual({ pages: 0, ageMs: 0 });
    expect(urlsOf(await index.candidates(queryOf('zebras', [version!.id])))).toEqual([pages[0]!.url]);
    expect(await index.verify(Infinity)).toEqual([]);
    await close();
  });

  test('an indexer that is killed at any point loses no page, and nothing is found twice', async () => {
    const result = await killQdrantIndexer(server!.urls, { kills: 4, pages: 60 });
    expect(result.differences).toEqual([]);
    expect(result.atWork).toBeGreaterThan(0);
  });

  test(
    'a node that is killed: searches fail with a sentence, and go on when it is back',
    needing('a Qdrant that the tests start', server?.control !== null),
    async () => {
      const { store, close } = await openTestSqlite();
      const index = await openQdrantIndex(store, server!.urls, { timeoutMs: 300 });
      const source = await settlePages(store, [{ url: 'https://x.dev/a', texts: ['about zebras'] }]);
      await indexEverything(index);
      const query = queryOf('zebras', [source.versions[0]!.id]);
      await server!.control!('kill', 0);
      await expect(index.candidates(query)).rejects.toMatchObject({ code: 'index.unavailable', httpStatus: 503 });
      await settlePages(store, [{ url: 'https://x.dev/b', texts: ['more about zebras'] }], source);
      expect((await index.lag()).pages).toBeGreaterThan(0);
      await server!.control!('start', 0);
      await indexEverything(index);
      expect(urlsOf(await index.candidates(query))).toEqual(['https://x.dev/a', 'https://x.dev/b']);
      expect(await index.verify(Infinity)).toEqual([]);
      await close();
    },
  );

  test('with kept segments a search goes on without the server, and indexing does not fail', async () => {
    const { store, close } = await openTestSqlite();
    const urls = ['http://127.0.0.1:1'];
    const states: Array<string | null> = [];
    const source = await settlePages(store, [{ url: 'https://x.dev/a', texts: ['about zebras'] }]);
    await indexEverything(await openIndex(store));
    const segments = createSegmentIndex(store.segments);
    const outside = await openQdrantIndex(store, urls, { timeoutMs: 200 });
    const onState = (error: { readonly code: string } | null): void => void states.push(error?.code ?? null);
    const index = withSegmentFallback({ external: outside, segments, onState });
    await indexEverything(index);
    const query = queryOf('zebras', [source.versions[0]!.id]);
    expect(urlsOf(await index.candidates(query))).toEqual(['https://x.dev/a']);
    expect(states).toEqual(['index.unavailable']);
    const bare = withSegmentFallback({ external: outside, segments: null, onState });
    await expect(bare.candidates(query)).rejects.toMatchObject({ code: 'index.unavailable' });
    await close();
  });
});
