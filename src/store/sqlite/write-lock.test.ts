import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createWriteLock } from './write-lock.ts';

const SECOND_THREAD = `
  const { parentPort, workerData } = await import('node:worker_threads');
  const { createWriteLock } = await import(workerData.module);
  const { setImmediate: next } = await import('node:timers/promises');
  const lock = createWriteLock(workerData.memory);
  const seen = new Int32Array(workerData.seen);
  const keep = setInterval(() => undefined, 1000);
  for (let i = 0; i < workerData.times; i += 1) await lock.withLock(async () => {
    const before = seen[0];
    await next();
    seen[0] = before + 1;
  });
  clearInterval(keep);
`;

function startThread(data: object): { worker: Worker; ended: Promise<number> } {
  const workerData = { ...data, module: new URL('./write-lock.ts', import.meta.url).href };
  const worker = new Worker(SECOND_THREAD, { eval: true, workerData });
  return { worker, ended: new Promise((resolve) => worker.once('exit', resolve)) };
}

test('threads write one after the other, and nothing that one wrote is lost', async () => {
  const lock = createWriteLock();
  const seen = new SharedArrayBuffer(4);
  const count = new Int32Array(seen);
  const times = 300;
  const other = startThread({ memory: lock.memory, seen, times });
  for (let i = 0; i < times; i += 1) {
    await lock.withLock(async () => {
      const before = count[0] ?? 0;
      await new Promise((resolve) => setImmediate(resolve));
      count[0] = before + 1;
    });
  }
  await other.ended;
  expect(count[0]).toBe(2 * times);
});

test('a failure releases the lock', async () => {
  const lock = createWriteLock();
  await expect(lock.withLock(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await lock.withLock(async () => 'written')).toBe('written');
});

test('a broken write of one thread is visible to the others', () => {
  const lock = createWriteLock();
  expect(lock.isBroken()).toBe(false);
  createWriteLock(lock.memory).markBroken();
  expect(lock.isBroken()).toBe(true);
});

test('a thread that died with the lock blocks no other', async () => {
  const lock = createWriteLock();
  const dead = createWriteLock(lock.memory);
  void dead.withLock(() => new Promise(() => undefined));
  const waiting = lock.withLock(async () => 'written');
  lock.abandon();
  expect(await waiting).toBe('written');
});
