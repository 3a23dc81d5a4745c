import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** The most that the heap of a process of its own grows to while 20 MB live in it and much more comes and goes. */
function mostMegabytes(before: string): number {
  const script = `
    import { getHeapStatistics } from 'node:v8';
    import { limitHeapGrowth } from './heap-growth.ts';
    import { limitYoungSpace } from './v8-heap.ts';
    limitYoungSpace(4, 8);
    ${before}
    const kept = new Array(100_000).fill(null);
    let most = 0;
    for (let nth = 0; nth < 2_000_000; nth += 1) {
      kept[(nth * 7919) % kept.length] = { nth, text: 'text ' + nth, more: [nth, nth + 1, nth + 2] };
      if (nth % 20_000 === 0) most = Math.max(most, getHeapStatistics().total_heap_size);
    }
    console.log(most / 2 ** 20);`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: import.meta.dirname }));
}

test('the heap stays nearer to what lives in it', () => {
  expect(mostMegabytes('limitHeapGrowth(45);')).toBeLessThan(0.75 * mostMegabytes(''));
});
