// A real process, real signals.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const PLATFORM = join(import.meta.dirname, '../../../src/platform');

/** Starts a program with one resource that takes `closingMs` to close, and waits until it runs. */
async function startProgram(closingMs: number) {
  const program = `
    import { createLog } from ${JSON.stringify(join(PLATFORM, 'log.ts'))};
    import { createShutdown } from ${JSON.stringify(join(PLATFORM, 'shutdown.ts'))};
    const log = createLog({ level: 'info', now: () => new Date() });
    const shutdown = createShutdown({ log, deadlineMs: 1000 });
    const work = setInterval(() => {}, 1000);
    shutdown.onClose('work', () => new Promise((done) => setTimeout(() => { clearInterval(work); console.log('closed'); done(); }, ${closingMs})));
    console.log('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));
  await expect.poll(() => output, { timeout: 10_000 }).toContain('ready');
  const exited = once(child, 'exit').then(([code]) => code as number);
  return { child, exited, output: () => output };
}

test('SIGTERM lets the program close its resources and exit 0', async () => {
  const { child, exited, output } = await startProgram(50);
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
  expect(output()).toContain('closed');
});

test('a second SIGINT ends the program immediately', async () => {
  const { child, exited, output } = await startProgram(60_000);
  child.kill('SIGINT');
  await expect.poll(output).toContain('shutting down');
  child.kill('SIGINT');
  expect(await exited).toBe(130);
  expect(output()).not.toContain('closed');
});

test('the deadline ends a program that does not close in time', async () => {
  const { child, exited, output } = await startProgram(60_000);
  child.kill('SIGTERM');
  expect(await exited).toBe(1);
  expect(output()).toContain('shutdown deadline exceeded');
});
