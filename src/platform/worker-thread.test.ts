import { once } from 'node:events';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { pinakesError } from '../core/model/errors.ts';
import { fromThreadFailure, toThreadFailure } from './worker-thread.ts';

const across = (error: unknown) => fromThreadFailure(structuredClone(toThreadFailure(error)));

test('a Pinakes error keeps its code, its details and its stack', () => {
  const error = pinakesError('database.full', { why: 'no space left' });
  expect(across(error)).toMatchObject({ code: 'database.full', message: error.message, stack: error.stack });
});

test('any other error becomes internal and keeps its message', () => {
  expect(across(new TypeError('x is not a function'))).toMatchObject({
    code: 'internal',
    details: { why: 'x is not a function' },
  });
  expect(across('a text')).toMatchObject({ code: 'internal', details: { why: 'a text' } });
});

const inThread = `
const { parentPort, workerData, Worker } = require('node:worker_threads');
const { getPriority } = require('node:os');
const child = "require('node:worker_threads').parentPort.postMessage(require('node:os').getPriority())";
import(workerData).then(({ lowerPriority }) => {
  lowerPriority(3);
  new Worker(child, { eval: true }).on('message', (later) => parentPort.postMessage([getPriority(), later]));
});`;

test.runIf(process.platform === 'linux')('a lowered priority applies to the thread and its children only', async () => {
  const before = getPriority();
  const workerData = new URL('./worker-thread.ts', import.meta.url).href;
  const [priorities] = (await once(new Worker(inThread, { eval: true, workerData }), 'message')) as [number[]];
  const lower = Math.min(19, before + 3);
  expect(priorities).toEqual([lower, lower]);
  expect(getPriority()).toBe(before);
});
