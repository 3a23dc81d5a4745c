import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fewAtATurn } from './few-at-a-turn.ts';

test('no more than the wanted number begins in a turn, and all begin in order', async () => {
  const begun: number[] = [];
  const begin = fewAtATurn(3, (n: number) => void begun.push(n));
  for (let n = 0; n < 8; n += 1) begin(n);
  const counts = [begun.length];
  for (let turn = 0; turn < 3; turn += 1) {
    await nextTurn();
    counts.push(begun.length);
  }
  expect(counts).toEqual([3, 6, 8, 8]);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('what comes later waits behind what waits already', async () => {
  const begun: number[] = [];
  const begin = fewAtATurn(1, (n: number) => void begun.push(n));
  begin(0);
  begin(1);
  begin(2);
  await nextTurn();
  begin(3);
  for (let turn = 0; turn < 4; turn += 1) await nextTurn();
  expect(begun).toEqual([0, 1, 2, 3]);
});

test('one that fails does not keep back the others', async () => {
  const begun: number[] = [];
  const begin = fewAtATurn(1, (n: number) => {
    if (n === 0) throw new Error('not this one');
    begun.push(n);
  });
  expect(() => begin(0)).toThrow('not this one');
  begin(1);
  await nextTurn();
  await nextTurn();
  expect(begun).toEqual([1]);
});
