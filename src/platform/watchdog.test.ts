import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

/** A process whose main thread is blocked for a while; what it writes, and how it ends. */
async function blockedFor(
  ms: number,
  endMs: number,
  isStarting = false,
): Promise<{ signal: string | null; text: string }> {
  const watchdog = new URL('./watchdog.ts', import.meta.url).href;
  const program = `
    const { startWatchdog } = await import(${JSON.stringify(watchdog)});
    const watchdog = startWatchdog({ reportMs: 500, endMs: ${endMs} });
    ${isStarting ? '' : 'watchdog.watch();'}
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const until = performance.now() + ${ms};
    while (performance.now() < until);
    watchdog.watch();
    await new Promise((resolve) => setTimeout(resolve, 500));
    process.stderr.write('blocks ' + watchdog.blocks());
    await watchdog.close();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (data: Buffer) => (text += data.toString()));
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { signal, text };
}

test('a main thread that is blocked is reported and counted, and so is its return (finding V02)', async () => {
  const { signal, text } = await blockedFor(2000, 0);
  expect(signal).toBeNull();
  expect(text).toContain('"level":"error","message":"the main thread is blocked');
  expect(text).toContain('the main thread responds again');
  expect(text).toContain('blocks 1');
}, 60_000);

test('a main thread that stays blocked ends the process, if that is configured (finding V02)', async () => {
  const { signal, text } = await blockedFor(600_000, 1500);
  expect(signal).toBe('SIGKILL');
  expect(text).toContain('the process ends');
}, 60_000);

test('a main thread that takes long to start the program is not reported', async () => {
  const { signal, text } = await blockedFor(2000, 1500, true);
  expect(signal).toBeNull();
  expect(text).toBe('blocks 0');
}, 60_000);

test('a main thread that works is left alone (finding V02)', async () => {
  const { signal, text } = await blockedFor(0, 1500);
  expect(signal).toBeNull();
  expect(text).toBe('blocks 0');
}, 60_000);
