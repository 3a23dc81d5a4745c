import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { limitPerTick } from './limit-per-tick.ts';

test('at most the given number starts per tick, and all start in order', async () => {
  const started: number[] = [];
  const queue = limitPerTick(3, (n: number) => void started.push(n));
  for (let n = 0; n < 8; n += 1) queue.add(n);
  const counts = [started.length];
  for (let tick = 0; tick < 3; tick += 1) {
    await nextTick();
    counts.push(started.length);
  }
  expect(counts).toEqual([3, 6, 8, 8]);
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('a later item waits behind those already waiting', async () => {
  const started: number[] = [];
  const queue = limitPerTick(1, (n: number) => void started.push(n));
  queue.add(0);
  queue.add(1);
  queue.add(2);
  expect(queue.length()).toBe(2);
  await nextTick();
  queue.add(3);
  for (let tick = 0; tick < 4; tick += 1) await nextTick();
  expect(started).toEqual([0, 1, 2, 3]);
});

test('an item that throws does not hold up the others', async () => {
  const started: number[] = [];
  const queue = limitPerTick(1, (n: number) => {
    if (n === 0) throw new Error('not this one');
    started.push(n);
  });
  expect(() => queue.add(0)).toThrow('not this one');
  queue.add(1);
  await nextTick();
  await nextTick();
  expect(started).toEqual([1]);
});
