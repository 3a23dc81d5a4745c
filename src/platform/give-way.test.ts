import { once } from 'node:events';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

const inThread = `
const { parentPort, workerData, Worker } = require('node:worker_threads');
const { getPriority } = require('node:os');
const own = "require('node:worker_threads').parentPort.postMessage(require('node:os').getPriority())";
import(workerData).then(({ giveWay }) => {
  giveWay(3);
  new Worker(own, { eval: true }).on('message', (later) => parentPort.postMessage([getPriority(), later]));
});`;

test.runIf(process.platform === 'linux')('a thread gives way with those it starts, the others do not', async () => {
  const before = getPriority();
  const workerData = new URL('./give-way.ts', import.meta.url).href;
  const [priorities] = (await once(new Worker(inThread, { eval: true, workerData }), 'message')) as [number[]];
  const lower = Math.min(19, before + 3);
  expect(priorities).toEqual([lower, lower]);
  expect(getPriority()).toBe(before);
});
