import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** The start of the program, with a command that does nothing else. */
const AS_PROGRAM = "process.argv[2] = '--version'; await import('../start.ts');";

/** The heap of this process belongs to the test runner, so a separate process shows the effect. Returns what it printed last. */
function run(script: string): unknown {
  const args = ['--input-type=module', '-e', script, 'x'];
  const printed = execFileSync(process.execPath, args, { cwd: import.meta.dirname }).toString();
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '');
}

const SEMI_SPACE = `
    const { getHeapSpaceStatistics } = await import('node:v8');
    const semiSpaceMegabytes = () => {
      const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
      return (space.space_used_size + space.space_available_size) / 2 ** 20;
    };
    const objects = [];
    for (let nth = 0; nth < 1_000_000; nth += 1) objects[nth % 100_000] = { nth, text: 'text ' + nth };`;

function semiSpaceMegabytes(setup: string): { own: number; thread: number } {
  const inThread = `${SEMI_SPACE}\n(await import('node:worker_threads')).parentPort.postMessage(semiSpaceMegabytes());`;
  return run(`
    import { Worker } from 'node:worker_threads';
    ${setup}
    ${SEMI_SPACE}
    const thread = new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(inThread)}));
    new Worker(thread, { resourceLimits: { maxYoungGenerationSizeMb: 48 } }).on('message', (thread) =>
      console.log(JSON.stringify({ own: semiSpaceMegabytes(), thread })));`) as { own: number; thread: number };
}

test('the semi-spaces of the program and of a thread grow no further than their limit', () => {
  expect(semiSpaceMegabytes('').own).toBeGreaterThan(10);
  const { own, thread } = semiSpaceMegabytes(AS_PROGRAM);
  expect(own).toBeGreaterThan(3);
  expect(own).toBeLessThanOrEqual(4);
  // A third of its young generation; while it is collected, a part of it counts twice.
  expect(thread).toBeGreaterThan(7);
  expect(thread).toBeLessThan(24);
});

/** Peak heap of a process while 20 MB are live and much more is allocated and freed. */
function peakHeapMegabytes(setup: string): number {
  return run(`
    import { getHeapStatistics } from 'node:v8';
    ${setup}
    const live = new Array(100_000).fill(null);
    let peak = 0;
    for (let nth = 0; nth < 2_000_000; nth += 1) {
      live[(nth * 7919) % live.length] = { nth, text: 'text ' + nth, more: [nth, nth + 1, nth + 2] };
      if (nth % 20_000 === 0) peak = Math.max(peak, getHeapStatistics().total_heap_size);
    }
    console.log(peak / 2 ** 20);`) as number;
}

test('the heap of the program stays close to its live size', () => {
  expect(peakHeapMegabytes(AS_PROGRAM)).toBeLessThan(0.75 * peakHeapMegabytes(''));
});

/** Peak of buffers whose objects die at once. */
function peakBufferMegabytes(setup: string): number {
  return run(`
    import { minorGc } from './v8-heap.ts';
    ${setup}
    let peak = 0;
    for (let nth = 0; nth < 300; nth += 1) {
      new Uint8Array(200_000).fill(nth);
      if (nth % 32 === 31) minorGc();
      peak = Math.max(peak, process.memoryUsage().arrayBuffers);
    }
    console.log(peak / 1e6);`) as number;
}

test('a minor collection frees the buffers of dead objects; without the flag nothing happens', () => {
  expect(peakBufferMegabytes(AS_PROGRAM)).toBeLessThan(20);
  expect(peakBufferMegabytes('')).toBeGreaterThan(20);
});

/** Resident memory of a process after it dropped a large heap. */
function residentMegabytesAfter(action: string): number {
  return run(`
    import { setTimeout as wait } from 'node:timers/promises';
    import { runInNewContext } from 'node:vm';
    import { releaseHeap } from './v8-heap.ts';
    ${AS_PROGRAM}
    let objects = Array.from({ length: 700_000 }, (_, nth) => ({ nth, more: [nth], text: 'text ' + nth }));
    await wait(10);
    objects = [];
    ${action}
    await wait(10);
    console.log(process.memoryUsage().rss / 2 ** 20);`) as number;
}

test('a heap that shrank returns its memory to the system', () => {
  expect(residentMegabytesAfter('releaseHeap();')).toBeLessThan(
    residentMegabytesAfter("runInNewContext('gc')();") - 50,
  );
});
