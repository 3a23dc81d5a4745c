import { expect, test } from 'vitest';
import { collectYoung } from './collect-young.ts';

/** Not counted are the buffers of those objects that other tests left in the old space. */
function megabytesAfter(each: () => void): number {
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let nth = 0; nth < 300; nth += 1) {
    new Uint8Array(200_000).fill(nth);
    if (nth % 32 === 31) each();
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  return most / 1e6;
}

test('buffers of objects that died are given back', () => {
  collectYoung();
  expect(megabytesAfter(collectYoung)).toBeLessThan(20);
});
