import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createCheckpoint } from './checkpoint.ts';

function blockFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('a long search notices within a step that nobody waits for it (finding X10)', async () => {
  let steps = 0;
  const stop = new AbortController();
  const checkpoint = createCheckpoint(stop.signal);
  // As in a thread: the abort arrives as a message, so the event loop has to turn.
  void wait(60).then(() => stop.abort(new Error('the client is gone')));
  const search = async (): Promise<void> => {
    for (let step = 0; step < 200; step += 1) {
      await checkpoint();
      steps += 1;
      blockFor(25);
    }
  };
  await expect(search()).rejects.toThrow('the client is gone');
  expect(steps).toBeLessThan(20);
});
