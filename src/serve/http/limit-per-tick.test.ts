import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { limitPerTick } from './load-shedder.ts';

test('at most the given number starts per tick, and all start in order', async () => {
  const started: number[] = [];
  const start = limitPerTick(3, (n: number) => void started.push(n));
  for (let n = 0; n < 8; n += 1) start(n);
  const counts = [started.length];
  for (let tick = 0; tick < 3; tick += 1) {
    await nextTick();
    counts.push(started.length);
  }
  expect(counts).toEqual([3, 6, 8, 8]);
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('a later call waits behind those already waiting', async () => {
  const started: number[] = [];
  const start = limitPerTick(1, (n: number) => void started.push(n));
  start(0);
  start(1);
  start(2);
  await nextTick();
  start(3);
  for (let tick = 0; tick < 4; tick += 1) await nextTick();
  expect(started).toEqual([0, 1, 2, 3]);
});

test('a call that throws does not hold up the others', async () => {
  const started: number[] = [];
  const start = limitPerTick(1, (n: number) => {
    if (n === 0) throw new Error('not this one');
    started.push(n);
  });
  expect(() => start(0)).toThrow('not this one');
  start(1);
  await nextTick();
  await nextTick();
  expect(started).toEqual([1]);
});
