// Filters of the segments against a comparison of every chunk: in both databases, before and after the columns are made, and in
// memory.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMemoryIndex } from '../../../src/core/lexical/segment/memory-index.ts';
import type { PageUrl } from '../../../src/core/model/page-url.ts';
import type { SourceId, VersionId } from '../../../src/core/model/run.ts';
import { createSegmentIndex } from '../../../src/index/segments/segment-index.ts';
import type { Run } from '../../../src/store/port/runs.ts';
import type { Source } from '../../../src/store/port/sources.ts';
import { claimAll, createRunFixture, createSettlement, indexAll } from '../../support/run-fixture.ts';
import { openTestPostgres, openTestSqlite, type TestStore } from '../../support/stores.ts';
import {
  chunksFound,
  chunksPassing,
  pageKindOf,
  variedFilters,
  variedPage,
  variedUrls,
  type VariedPage,
} from './varied-pages.ts';

const urls = variedUrls(60);

for (const [engine, open] of [
  ['SQLite', openTestSqlite],
  ['PostgreSQL', openTestPostgres],
] as const) {
  describe(`filters with ${engine}`, () => {
    let opened: TestStore;
    let run: Run;
    let source: Source;

    const settle = async (only: readonly string[], pageOf: (url: string) => VariedPage): Promise<void> => {
      const fixture = await createRunFixture(opened.store, only, source);
      ({ run, source } = fixture);
      for (let claims = await claimAll(opened.store); claims.length > 0; claims = await claimAll(opened.store)) {
        await opened.store.frontier.settle(claims.map((claim) => createSettlement(claim, pageOf(claim.url))));
        await opened.store.segments.index(20);
      }
      await indexAll(opened.store);
      await opened.store.runs.finish(fixture.lease, 'completed', null);
    };

    beforeAll(async () => {
      opened = await open();
      await settle(urls, variedPage);
    });
    afterAll(() => opened.close());

    test('admit the chunks that a comparison of all of them admits, by rows and by columns', async () => {
      const { segments } = opened.store;
      for (const filter of variedFilters)
        expect(await chunksFound(createSegmentIndex(segments), run.version, filter), JSON.stringify(filter)).toEqual(
          chunksPassing(urls, filter),
        );
      expect(await segments.compact(10_000)).toBe(true);
      const noRows = { ...segments, positionsMatching: () => Promise.reject(new Error('rows were read')) };
      for (const filter of variedFilters)
        expect(await chunksFound(createSegmentIndex(noRows), run.version, filter), JSON.stringify(filter)).toEqual(
          chunksPassing(urls, filter),
        );
    });

    test('follow a page whose kinds change while its text stays', async () => {
      const changed = (url: string): VariedPage => {
        const outcome = variedPage(url);
        return { ...outcome, page: { ...outcome.page, mediaType: 'text/asciidoc', metadata: { pageKind: 'index' } } };
      };
      const some = urls.slice(0, 7);
      await settle(some, changed);
      await opened.store.segments.compact(10_000);
      const pageOf = (url: string): VariedPage => (some.includes(url) ? changed(url) : variedPage(url));
      const index = createSegmentIndex(opened.store.segments);
      for (const filter of [{ pageKinds: ['index'] }, { fileKinds: ['text'] }, { pageKinds: ['article'] }] as const)
        expect(await chunksFound(index, run.version, filter), JSON.stringify(filter)).toEqual(
          chunksPassing(urls, filter, pageOf),
        );
      expect(await opened.store.verify()).toEqual([]);
    });
  });
}

test('filters in memory admit the chunks that a comparison of all of them admits', async () => {
  const version = 1 as VersionId;
  const pages = urls.map((url) => {
    const { page, chunks } = variedPage(url);
    const pageKind = pageKindOf(page);
    return {
      url: url as PageUrl,
      title: page.title,
      pageKind,
      mediaType: page.mediaType,
      checkedAt: new Date(0),
      chunks,
    };
  });
  const index = createMemoryIndex([{ id: version, source: 1 as SourceId, pages }]);
  for (const filter of variedFilters)
    expect(await chunksFound(index, version, filter), JSON.stringify(filter)).toEqual(chunksPassing(urls, filter));
});
