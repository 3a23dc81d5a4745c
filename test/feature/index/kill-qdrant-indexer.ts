// Kills an indexer of Qdrant repeatedly, first while it indexes, then while it indexes everything again. In the end the points must
// equal the store, and the candidates those of the segments.

import { setTimeout as wait } from 'node:timers/promises';
import { createSegmentIndex } from '../../../src/index/segments/segment-index.ts';
import { indexAll } from '../../support/run-fixture.ts';
import { runChild } from '../../support/run-child.ts';
import { openDatabase } from '../../support/test-database.ts';
import { newDatabase } from '../../support/zombie-run.ts';
import type { QdrantIndexerTask } from './qdrant-indexer-process.ts';
import { openQdrantIndex, queryOf, settlePages, urlsOf } from '../../support/qdrant-library.ts';
import { makePages, makeQuestions } from '../../support/zipf-pages.ts';

const INDEXER = new URL('./qdrant-indexer-process.ts', import.meta.url);
const MAX_WORK_MS = 400;

export interface KillQdrantResult {
  readonly kills: number;
  readonly pages: number;
  /** Kills after which pages were still waiting, which shows that the indexer was killed at work. */
  readonly atWork: number;
  /** Numbers that were reserved and never published, after all kills. */
  readonly abandoned: number;
  readonly differences: readonly string[];
}

export async function killQdrantIndexer(
  urls: readonly string[],
  settings: { readonly kills: number; readonly pages: number },
): Promise<KillQdrantResult> {
  const { database, remove } = await newDatabase('sqlite');
  await inDatabase(database, async ({ store }) => {
    await settlePages(store, makePages(settings.pages));
    await indexAll(store);
  });
  const task: QdrantIndexerTask = { database, urls, pages: 3, reindexForever: false };
  let atWork = 0;
  for (let kill = 0; kill < settings.kills; kill += 1) {
    await indexAndKill({ ...task, reindexForever: kill >= settings.kills / 2 });
    await inDatabase(database, async ({ store }) => {
      const { pages } = await (await openQdrantIndex(store, urls)).lag();
      atWork += Number(pages > 0);
    });
  }
  await runChild(INDEXER, { ...task, pages: 100 }).ended;
  const compared = await inDatabase(database, async ({ store, count }) => {
    const index = await openQdrantIndex(store, urls);
    const segments = createSegmentIndex(store.segments);
    const versions = (await store.sources.list()).flatMap((source) => source.versions.map(({ id }) => id));
    const differences = [...(await index.verify(Infinity))];
    for (const question of makeQuestions(20)) {
      const query = queryOf(question, versions);
      const [wanted, got] = [await segments.candidates(query), await index.candidates(query)];
      if (urlsOf(wanted).join(' ') !== urlsOf(got).join(' ')) differences.push(`other pages for ${question}`);
    }
    return { differences, abandoned: await count('select count(*) as n from point_pages where state = 0') };
  });
  await remove();
  return { ...settings, atWork, ...compared };
}

async function inDatabase<T>(
  database: QdrantIndexerTask['database'],
  work: (opened: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>,
): Promise<T> {
  const opened = await openDatabase(database);
  try {
    return await work(opened);
  } finally {
    await opened.store.close();
  }
}

async function indexAndKill(task: QdrantIndexerTask): Promise<void> {
  const { promise: working, resolve: begin } = Promise.withResolvers<void>();
  const child = runChild(INDEXER, task, () => begin());
  await Promise.race([working, child.ended]);
  await wait(Math.random() * MAX_WORK_MS);
  child.kill();
  await child.ended;
}
