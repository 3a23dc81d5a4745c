import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** The space of this process belongs to the test runner, so a process of its own shows what becomes of it. */
function youngMegabytes(before: string): { own: number; thread: number } {
  const script = `
    import { Worker } from 'node:worker_threads';
    import { halfOfYoungSpace, limitYoungSpace } from './v8-heap.ts';
    ${before}
    const kept = [];
    for (let nth = 0; nth < 1_000_000; nth += 1) kept[nth % 100_000] = { nth, text: 'text ' + nth };
    const own = halfOfYoungSpace() / 2 ** 20;
    const inThread =
      "import { getHeapSpaceStatistics } from 'node:v8'; import { parentPort } from 'node:worker_threads';" +
      'parentPort.postMessage(getHeapSpaceStatistics());';
    const resourceLimits = { maxYoungGenerationSizeMb: 32 };
    new Worker(inThread, { eval: true, resourceLimits }).on('message', (spaces) => {
      const space = spaces.find(({ space_name }) => space_name === 'new_space');
      console.log(JSON.stringify({ own, thread: (space.space_used_size + space.space_available_size) / 2 ** 20 }));
    });`;
  const args = ['--input-type=module', '-e', script];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: import.meta.dirname }).toString()) as never;
}

test('the young space grows to its limit and no further, and a thread begins with its own', () => {
  expect(youngMegabytes('').own).toBeGreaterThan(10);
  const { own, thread } = youngMegabytes('limitYoungSpace(4, 8);');
  expect(own).toBeGreaterThan(3);
  expect(own).toBeLessThanOrEqual(4);
  expect(thread).toBeGreaterThan(7);
  expect(thread).toBeLessThanOrEqual(8);
});
