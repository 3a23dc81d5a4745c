import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createWriteTurns } from './write-lock.ts';

const PARTNER = `
  const { parentPort, workerData } = await import('node:worker_threads');
  const { createWriteTurns } = await import(workerData.module);
  const { setImmediate: next } = await import('node:timers/promises');
  const turns = createWriteTurns(workerData.memory);
  const seen = new Int32Array(workerData.seen);
  const keep = setInterval(() => undefined, 1000);
  for (let i = 0; i < workerData.times; i += 1) await turns.inTurn(async () => {
    const before = seen[0];
    await next();
    seen[0] = before + 1;
  });
  clearInterval(keep);
`;

function partner(data: object): { worker: Worker; gone: Promise<number> } {
  const workerData = { ...data, module: new URL('./write-lock.ts', import.meta.url).href };
  const worker = new Worker(PARTNER, { eval: true, workerData });
  return { worker, gone: new Promise((resolve) => worker.once('exit', resolve)) };
}

test('threads write one after the other, and nothing that one wrote is lost', async () => {
  const turns = createWriteTurns();
  const seen = new SharedArrayBuffer(4);
  const count = new Int32Array(seen);
  const times = 300;
  const other = partner({ memory: turns.memory, seen, times });
  for (let i = 0; i < times; i += 1) {
    await turns.inTurn(async () => {
      const before = count[0] ?? 0;
      await new Promise((resolve) => setImmediate(resolve));
      count[0] = before + 1;
    });
  }
  await other.gone;
  expect(count[0]).toBe(2 * times);
});

test('a failure passes the turn on', async () => {
  const turns = createWriteTurns();
  await expect(turns.inTurn(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.inTurn(async () => 'written')).toBe('written');
});

test('a broken write of one thread is known to the others', () => {
  const turns = createWriteTurns();
  expect(turns.isBroken()).toBe(false);
  createWriteTurns(turns.memory).markBroken();
  expect(turns.isBroken()).toBe(true);
});

test('a thread that died in its turn keeps nobody waiting', async () => {
  const turns = createWriteTurns();
  const dead = createWriteTurns(turns.memory);
  void dead.inTurn(() => new Promise(() => undefined));
  const waiting = turns.inTurn(async () => 'written');
  turns.giveUp();
  expect(await waiting).toBe('written');
});
