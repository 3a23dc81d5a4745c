// When a process in the background may end by itself.

import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createIdleWatch } from '../../../src/crawl/loop/idle-watch.ts';
import { createSegmentIndex } from '../../../src/index/segments/segment-index.ts';
import { openTestSqlite } from '../../support/stores.ts';

const IDLE_MS = 100;

test('a process that was held up for longer than it may be idle checks again before it ends', async () => {
  const { store, close } = await openTestSqlite();
  const watch = createIdleWatch({ store, index: createSegmentIndex(store.segments) }, IDLE_MS);
  let requests = 0;
  let hasEnded = false;
  const waiting = watch.wait(() => requests, new AbortController().signal).then(() => (hasEnded = true));
  // Between its first check and its second one.
  await wait(IDLE_MS / 2);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * IDLE_MS);
  requests = 1;
  await wait(4 * IDLE_MS);
  expect(hasEnded).toBe(false);
  requests = 0;
  await waiting;
  await close();
});
