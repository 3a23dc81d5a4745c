// What a process of the simulation runs. Imported with PREVIOUS_BUILD it is another copy of the program, changed as previous-build.table.ts says.

import { createWorker } from '../../../src/crawl/worker.ts';
import { createSegmentIndex } from '../../../src/index/segments/segment-index.ts';
import { deliverWebhooks } from '../../../src/library/deliver-webhooks.ts';
import { createSqlStore } from '../../../src/store/sql/create-sql-store.ts';
import { readMigrations, type Migration } from '../../../src/store/sql/engine/migrations.ts';
import { sqliteParts } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { indexFingerprint } from '../../../src/core/lexical/segment/index-fingerprint.ts';
import { simulatedParser } from './simulated-parser.ts';

export interface ProgramBuild {
  readonly name: string;
  readonly createWorker: typeof createWorker;
  readonly createSegmentIndex: typeof createSegmentIndex;
  readonly deliverWebhooks: typeof deliverWebhooks;
  readonly createSqlStore: typeof createSqlStore;
  readonly sqliteParts: typeof sqliteParts;
  readonly parser: typeof simulatedParser;
  readonly indexFingerprint: string;
  /** It rejects a database with newer ones. */
  readonly migrations: readonly Migration[];
}

export const thisBuild: ProgramBuild = {
  name: 'this build',
  createWorker,
  createSegmentIndex,
  deliverWebhooks,
  createSqlStore,
  sqliteParts,
  parser: simulatedParser,
  indexFingerprint,
  migrations: readMigrations('sqlite'),
};
