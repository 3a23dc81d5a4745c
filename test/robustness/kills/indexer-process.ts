// Indexes queued pages and merges segments, until it is killed or has nothing left to do.

import { writeSync } from 'node:fs';
import { openDatabase, type TestDatabase } from '../../support/test-database.ts';

export interface IndexerTask {
  readonly database: TestDatabase;
  /** Pages per step: few, so that there are many steps and many segments to merge. */
  readonly pages: number;
  /** Queues every page again whenever all are indexed. */
  readonly reindexForever: boolean;
}

const task = JSON.parse(process.argv[2] ?? '') as IndexerTask;
const { store } = await openDatabase(task.database);
const { segments } = store;
const versions = (await store.sources.list()).flatMap((source) => source.versions);
writeSync(1, 'working\n');
for (;;) {
  const indexed = await segments.index(task.pages);
  const isCompact = await segments.compact(0);
  if (indexed > 0 || !isCompact) continue;
  if (!task.reindexForever) break;
  for (const { id } of versions) await segments.reindex(id);
}
await store.close();
