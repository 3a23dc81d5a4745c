// Search during a reindex, while the postings of the same pages are in the index twice.

import { expect, test } from 'vitest';
import { indexReaderOf } from '../../support/index-reader.ts';
import { retrievePages } from '../../../src/core/rank/lexical-retrieval.ts';
import { sourceNamesById } from '../../../src/core/answer/answer-passages.ts';
import { createRunFixture, claimAll, indexAll, indexedOutcome, createSettlement } from '../../support/run-fixture.ts';
import { openTestPostgres, openTestSqlite } from '../../support/stores.ts';

const PAGES = 80;

test.each([
  ['sqlite', openTestSqlite],
  ['postgres', openTestPostgres],
])('on %s, reindexed pages do not push others out', async (_, open) => {
  const { store, close } = await open();
  const urls = Array.from({ length: PAGES }, (__, i) => `https://x.dev/${i}`);
  const { run } = await createRunFixture(store, urls);
  const claims = await claimAll(store);
  await store.frontier.settle(
    claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, `zebra of ${claim.url}`))),
  );
  await indexAll(store);
  const options = { versions: [run.version], names: sourceNamesById(await store.sources.list()) };
  const found = async (): Promise<number> => (await retrievePages(indexReaderOf(store), 'zebra', options)).pages.length;
  const before = await found();
  await store.segments.reindex(run.version);
  while ((await store.segments.index(8)) > 0) expect(await found()).toBe(before);
  expect(await found()).toBe(before);
  await close();
});
