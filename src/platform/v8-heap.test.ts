import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { minorGc } from './v8-heap.ts';

/** The heap of this process belongs to the test runner, so a separate process shows the effect. */
function runScript(script: string): string {
  const args = ['--input-type=module', '-e', script];
  return execFileSync(process.execPath, args, { cwd: import.meta.dirname }).toString();
}

function semiSpaceMegabytes(setup: string): { own: number; thread: number } {
  const script = `
    import { Worker } from 'node:worker_threads';
    import { limitSemiSpace, semiSpaceBytes } from './v8-heap.ts';
    ${setup}
    const objects = [];
    for (let nth = 0; nth < 1_000_000; nth += 1) objects[nth % 100_000] = { nth, text: 'text ' + nth };
    const own = semiSpaceBytes() / 2 ** 20;
    const inThread =
      "import { getHeapSpaceStatistics } from 'node:v8'; import { parentPort } from 'node:worker_threads';" +
      'parentPort.postMessage(getHeapSpaceStatistics());';
    const resourceLimits = { maxYoungGenerationSizeMb: 32 };
    new Worker(inThread, { eval: true, resourceLimits }).on('message', (spaces) => {
      const space = spaces.find(({ space_name }) => space_name === 'new_space');
      console.log(JSON.stringify({ own, thread: (space.space_used_size + space.space_available_size) / 2 ** 20 }));
    });`;
  return JSON.parse(runScript(script)) as { own: number; thread: number };
}

test('a semi-space grows to its limit and no further, and a thread starts at its own limit', () => {
  expect(semiSpaceMegabytes('').own).toBeGreaterThan(10);
  const { own, thread } = semiSpaceMegabytes('limitSemiSpace(4, 8);');
  expect(own).toBeGreaterThan(3);
  expect(own).toBeLessThanOrEqual(4);
  expect(thread).toBeGreaterThan(7);
  expect(thread).toBeLessThanOrEqual(8);
});

/** Peak heap of a process while 20 MB are live and much more is allocated and freed. */
function peakHeapMegabytes(setup: string): number {
  return Number(
    runScript(`
    import { getHeapStatistics } from 'node:v8';
    import { limitHeapGrowth, limitSemiSpace } from './v8-heap.ts';
    limitSemiSpace(4, 8);
    ${setup}
    const live = new Array(100_000).fill(null);
    let peak = 0;
    for (let nth = 0; nth < 2_000_000; nth += 1) {
      live[(nth * 7919) % live.length] = { nth, text: 'text ' + nth, more: [nth, nth + 1, nth + 2] };
      if (nth % 20_000 === 0) peak = Math.max(peak, getHeapStatistics().total_heap_size);
    }
    console.log(peak / 2 ** 20);`),
  );
}

test('limited growth keeps the heap closer to its live size', () => {
  expect(peakHeapMegabytes('limitHeapGrowth(45);')).toBeLessThan(0.75 * peakHeapMegabytes(''));
});

/** Buffers that other tests left in the old generation are not counted. */
function peakBufferMegabytes(collect: () => void): number {
  const before = process.memoryUsage().arrayBuffers;
  let peak = 0;
  for (let nth = 0; nth < 300; nth += 1) {
    new Uint8Array(200_000).fill(nth);
    if (nth % 32 === 31) collect();
    peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
  }
  return peak / 1e6;
}

test('a minor collection frees the buffers of dead objects', () => {
  minorGc();
  expect(peakBufferMegabytes(minorGc)).toBeLessThan(20);
});

/** Resident memory of a process after it dropped a large heap. */
function residentMegabytesAfter(action: string): number {
  return Number(
    runScript(`
    import { setTimeout as sleep } from 'node:timers/promises';
    import { limitHeapGrowth, releaseHeap } from './v8-heap.ts';
    limitHeapGrowth(45);
    let objects = Array.from({ length: 700_000 }, (_, nth) => ({ nth, more: [nth], text: 'text ' + nth }));
    await sleep(10);
    objects = [];
    ${action}
    await sleep(10);
    console.log(process.memoryUsage().rss / 2 ** 20);`),
  );
}

test('a heap that shrank returns its memory to the system', () => {
  const plain = `
    const { setFlagsFromString } = await import('node:v8');
    const { runInNewContext } = await import('node:vm');
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();`;
  expect(residentMegabytesAfter('releaseHeap();')).toBeLessThan(residentMegabytesAfter(plain) - 50);
});
