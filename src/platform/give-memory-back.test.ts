import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Resident megabytes of a process of its own that held much, and holds it no more. */
function megabytesAfter(then: string): number {
  const script = `
    import { setTimeout as sleep } from 'node:timers/promises';
    import { giveMemoryBack } from './give-memory-back.ts';
    import { limitHeapGrowth } from './heap-growth.ts';
    limitHeapGrowth(45);
    let kept = Array.from({ length: 700_000 }, (_, nth) => ({ nth, more: [nth], text: 'text ' + nth }));
    await sleep(10);
    kept = [];
    ${then}
    await sleep(10);
    console.log(process.memoryUsage().rss / 2 ** 20);`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: import.meta.dirname }));
}

test('a heap that has shrunk gives its memory back to the system', () => {
  const plain = `
    const { setFlagsFromString } = await import('node:v8');
    const { runInNewContext } = await import('node:vm');
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();`;
  expect(megabytesAfter('giveMemoryBack();')).toBeLessThan(megabytesAfter(plain) - 50);
});
