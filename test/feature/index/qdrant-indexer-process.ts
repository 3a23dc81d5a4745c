// Indexes changed pages in Qdrant, until it is killed or has nothing left to do.

import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { openNodes } from '../../../src/index/qdrant/nodes.ts';
import { createQdrantIndex } from '../../../src/index/qdrant/qdrant-index.ts';
import { openDatabase, type TestDatabase } from '../../support/test-database.ts';

export interface QdrantIndexerTask {
  readonly database: TestDatabase;
  readonly urls: readonly string[];
  /** Pages per step: few, so that there are many steps. */
  readonly pages: number;
  /** Queues every page again whenever all are indexed. */
  readonly reindexForever: boolean;
}

const task = JSON.parse(process.argv[2] ?? '') as QdrantIndexerTask;
const { store } = await openDatabase(task.database);
const nodes = openNodes({ urls: task.urls, apiKey: undefined });
const { points: records, changes, history } = store;
// A process that was killed holds its leases until they end.
const leaseMs = 500;
const index = createQdrantIndex({ nodes, records, changes, history, timeoutMs: 10_000, leaseMs });
const versions = (await store.sources.list()).flatMap((source) => source.versions);
// Not before the collections were looked at, or created: a kill is to meet an indexer at work.
await index.index(task.pages);
writeSync(1, 'working\n');
for (;;) {
  if ((await index.index(task.pages)) > 0) continue;
  if ((await index.lag(1)).pages > 0) {
    await wait(leaseMs / 5);
    continue;
  }
  if (!task.reindexForever) break;
  for (const { id } of versions) await index.reindex(id);
}
await store.close();
