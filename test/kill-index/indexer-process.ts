// Indexes queued pages and merges segments, until it is killed or has nothing left to do.

import { writeSync } from 'node:fs';
import { openDatabase, type TestDatabase } from '../zombies/test-database.ts';

export interface IndexerTask {
  readonly database: TestDatabase;
  /** Pages per step: few, so that there are many steps and many segments to merge. */
  readonly pages: number;
  /** Queues every page again whenever all are indexed. */
  readonly reindexForever: boolean;
}

/** A merge takes several steps, in which no page is indexed. */
const IDLE_STEPS = 60;

const task = JSON.parse(process.argv[2] ?? '') as IndexerTask;
const { store } = await openDatabase(task.database);
const versions = (await store.sources.list()).flatMap((source) => source.versions);
writeSync(1, 'working\n');
for (let idle = 0; idle < IDLE_STEPS;) {
  idle = (await store.searchIndex.index(task.pages)) === 0 ? idle + 1 : 0;
  if (idle === IDLE_STEPS && task.reindexForever) {
    for (const { id } of versions) await store.searchIndex.reindex(id);
    idle = 0;
  }
}
await store.close();
