// The real program with something wrong around it: code that runs before it, limits of its shell, another libc.

import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ended, Running, Settings } from '../e2e/program.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const PRELOADS = new URL('./preload/', import.meta.url);
const COMPILED = join(tmpdir(), 'pinakes-test-compiled');

export interface Around {
  /** Files of ./preload that are loaded before the program, and what they are told by environment. */
  readonly preload?: readonly PreloadName[];
  readonly env?: Readonly<Record<string, string>>;
  /** File descriptors that the process may hold. */
  readonly maxFiles?: number;
}

export type PreloadName = 'kill-at-statement' | 'stall-loop' | 'shift-clock' | 'die-on-page' | 'note-commits';

export function startUnderFault(settings: Settings, args: readonly string[], around: Around = {}): Running {
  const began = performance.now();
  const imports = (around.preload ?? []).flatMap((name) => ['--import', new URL(`${name}.ts`, PRELOADS).href]);
  const command = [process.execPath, ...imports, MAIN, ...args];
  const limited = around.maxFiles === undefined ? '' : `ulimit -n ${around.maxFiles}; `;
  const child = spawn('/bin/sh', ['-c', `${limited}exec "$@"`, 'sh', ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: tmpdir(),
    env: { ...bareEnvironment(), NODE_COMPILE_CACHE: COMPILED, ...around.env, ...settings },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr, ms: performance.now() - began }));
  });
  return { pid: child.pid!, ended, kill: (signal) => void child.kill(signal) };
}

function bareEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PINAKES_')));
}
