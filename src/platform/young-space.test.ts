import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** The space of this process belongs to the test runner, so a process of its own shows what becomes of it. */
function youngMegabytes(limit: number | null): number {
  const script = `
    import { halfOfYoungSpace, limitYoungSpace } from './young-space.ts';
    if (${limit} !== null) limitYoungSpace(${limit});
    const kept = [];
    for (let nth = 0; nth < 1_000_000; nth += 1) kept[nth % 100_000] = { nth, text: 'text ' + nth };
    console.log(halfOfYoungSpace() / 2 ** 20);`;
  const answer = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: import.meta.dirname });
  return Number(answer.toString());
}

test('the young space grows to its limit and no further', () => {
  expect(youngMegabytes(null)).toBeGreaterThan(10);
  const limited = youngMegabytes(4);
  expect(limited).toBeGreaterThan(3);
  expect(limited).toBeLessThanOrEqual(4);
});
