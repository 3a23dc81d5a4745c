import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { forEachConcurrent } from './semaphore.ts';

const ITEMS = [1, 2, 3, 4, 5, 6];
const never = new AbortController().signal;

test('items are begun in their order, so many at once', async () => {
  const begun: number[] = [];
  let [live, most] = [0, 0];
  await forEachConcurrent(ITEMS, { concurrency: 2, signal: never }, async (item) => {
    begun.push(item);
    live += 1;
    most = Math.max(most, live);
    await wait(1);
    live -= 1;
  });
  expect(begun).toEqual(ITEMS);
  expect(most).toBe(2);
});

test('after a failure no other item is begun, and those that were are waited for', async () => {
  const [begun, ended]: [number[], number[]] = [[], []];
  const working = forEachConcurrent(ITEMS, { concurrency: 2, signal: never }, async (item) => {
    begun.push(item);
    if (item === 1) throw new Error('the first');
    await wait(5);
    ended.push(item);
  });
  await expect(working).rejects.toThrow('the first');
  expect({ begun, ended }).toEqual({ begun: [1, 2], ended: [2] });
});

test('after an abort no other item is begun, and it rejects with the reason', async () => {
  const abort = new AbortController();
  const begun: number[] = [];
  const working = forEachConcurrent(ITEMS, { concurrency: 2, signal: abort.signal }, async (item) => {
    begun.push(item);
    await wait(1);
    abort.abort(new Error('enough'));
  });
  await expect(working).rejects.toThrow('enough');
  expect(begun).toEqual([1, 2]);
});
