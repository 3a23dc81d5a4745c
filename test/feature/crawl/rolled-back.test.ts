// A worker whose database goes back to an earlier state.

import { expect, test } from 'vitest';
import { runWorker } from '../../../src/compose/run-worker.ts';
import { createLog } from '../../../src/platform/log.ts';
import { config } from '../../support/loopback-config.ts';
import { openTestSqlite } from '../../support/stores.ts';

test('a worker ends when the database has another history than it started in (finding V07)', async () => {
  const { store, close } = await openTestSqlite();
  const log = createLog({ level: 'error', now: () => new Date(), write: () => undefined });
  const working = runWorker({ config, log, listeningOn: [] }, store, new AbortController().signal);
  const ended = expect(working).rejects.toMatchObject({ code: 'database.rolled-back' });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await store.history.begin((await store.history.follow(null)).id);
  await ended;
  await close();
}, 20_000);
