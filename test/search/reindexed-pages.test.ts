// What a search finds while a source is indexed again: the words of the same pages stand in the index twice for a while.

import { expect, test } from 'vitest';
import { findPages } from '../../src/search/lexical-retrieval.ts';
import { namesOf } from '../../src/search/search.ts';
import { aRun, claimAll, indexAll, indexed, settling } from '../support/run-fixture.ts';
import { openTestPostgres, openTestSqlite } from '../support/stores.ts';

const PAGES = 80;

test.each([
  ['sqlite', openTestSqlite],
  ['postgres', openTestPostgres],
])('on %s, pages that were indexed again do not push others out', async (_, open) => {
  const { store, close } = await open();
  const urls = Array.from({ length: PAGES }, (__, i) => `https://x.dev/${i}`);
  const { run } = await aRun(store, urls);
  const claims = await claimAll(store);
  await store.frontier.settle(claims.map((claim) => settling(claim, indexed(claim.url, `zebra of ${claim.url}`))));
  await indexAll(store);
  const options = { versions: [run.version], names: namesOf(await store.sources.list()) };
  const found = async (): Promise<number> => (await findPages(store.searchRows, 'zebra', options)).pages.length;
  const before = await found();
  await store.searchRows.reindex(run.version);
  while ((await store.searchRows.index(8)) > 0) expect(await found()).toBe(before);
  expect(await found()).toBe(before);
  await close();
});
