import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { IndexReader } from '../core/lexical/segment/index-reader.ts';
import { openTestSqlite } from '../../test/support/stores.ts';
import { createCheckpoint, withCheckpoints } from './checkpoints.ts';
import { createSearch } from './search.ts';

function blockFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('a long search notices within a step that nobody waits for it (finding X10)', async () => {
  let steps = 0;
  const index = {
    async areSearched() {
      steps += 1;
      blockFor(25);
      return true;
    },
  } as Partial<IndexReader> as IndexReader;
  const stop = new AbortController();
  const reader = withCheckpoints(index, createCheckpoint(stop.signal));
  // As in a thread: the abort arrives as a message, so the event loop has to turn.
  void wait(60).then(() => stop.abort(new Error('the client is gone')));
  const search = async (): Promise<void> => {
    for (let step = 0; step < 200; step += 1) await reader.areSearched([]);
  };
  await expect(search()).rejects.toThrow('the client is gone');
  expect(steps).toBeLessThan(20);
});

test('a search that was cancelled before its turn does nothing (finding X10)', async () => {
  const { store, close } = await openTestSqlite();
  const gone = AbortSignal.abort(new Error('the client is gone'));
  const request = { query: 'pool', limit: 5, budget: 1000, offset: 0, explain: false };
  await expect(createSearch(store)(request, gone)).rejects.toThrow('the client is gone');
  await close();
});
