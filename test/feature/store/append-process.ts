// Writes events into a PostgreSQL journal, in small batches, as fast as it can.

import type { RunId } from '../../../src/core/model/run.ts';
import { openDatabase, type TestDatabase } from '../../support/test-database.ts';
import { appendBatches } from './append-batches.ts';

const options = JSON.parse(process.argv[2] ?? '') as {
  database: TestDatabase;
  run: RunId;
  writer: string;
  batches: number;
};
const { store } = await openDatabase(options.database);
await appendBatches(store, options);
await store.close();
