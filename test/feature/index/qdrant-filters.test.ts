// Filters of the index in Qdrant, against a comparison of every chunk.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { QdrantIndex } from '../../../src/index/qdrant/qdrant-index.ts';
import type { Run } from '../../../src/store/port/runs.ts';
import { startQdrant } from '../../support/qdrant-server.ts';
import { claimAll, createRunFixture, createSettlement } from '../../support/run-fixture.ts';
import { openTestSqlite, type TestStore } from '../../support/stores.ts';
import { indexEverything, openQdrantIndex } from '../../support/qdrant-library.ts';
import { chunksFound, chunksPassing, variedFilters, variedPage, variedUrls } from './varied-pages.ts';
import { needing } from '../../support/needs.ts';

const server = startQdrant();
afterAll(() => server?.close());

describe('filters with Qdrant', needing('Qdrant', server !== null), () => {
  const urls = variedUrls(40);
  let opened: TestStore;
  let run: Run;
  let index: QdrantIndex;

  beforeAll(async () => {
    opened = await openTestSqlite();
    ({ run } = await createRunFixture(opened.store, urls));
    for (let claims = await claimAll(opened.store); claims.length > 0; claims = await claimAll(opened.store))
      await opened.store.frontier.settle(claims.map((claim) => createSettlement(claim, variedPage(claim.url))));
    index = await openQdrantIndex(opened.store, server!.urls);
    await indexEverything(index);
  });
  afterAll(() => opened.close());

  test('admit the chunks that a comparison of all of them admits', async () => {
    for (const filter of variedFilters)
      expect(await chunksFound(index, run.version, filter), JSON.stringify(filter)).toEqual(
        chunksPassing(urls, filter),
      );
  });
});
