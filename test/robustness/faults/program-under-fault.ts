// The real program under fault: with preloaded code, shell limits, or another libc.

import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAIN, type ProgramResult, type RunningProgram, type Settings } from '../../support/program.ts';

const PRELOADS = new URL('./preload/', import.meta.url);
const COMPILED = join(tmpdir(), 'pinakes-test-compiled');

export interface FaultOptions {
  /** Files of ./preload that are loaded before the program, and the environment variables for them. */
  readonly preload?: readonly PreloadName[];
  readonly env?: Readonly<Record<string, string>>;
  /** File descriptors that the process may open. */
  readonly maxFiles?: number;
}

export type PreloadName = 'kill-at-statement' | 'stall-loop' | 'shift-clock' | 'die-on-page' | 'record-commits';

export function startUnderFault(
  settings: Settings,
  args: readonly string[],
  options: FaultOptions = {},
): RunningProgram {
  const began = performance.now();
  const imports = (options.preload ?? []).flatMap((name) => ['--import', new URL(`${name}.ts`, PRELOADS).href]);
  const command = [process.execPath, ...imports, MAIN, ...args];
  const limited = options.maxFiles === undefined ? '' : `ulimit -n ${options.maxFiles}; `;
  const child = spawn('/bin/sh', ['-c', `${limited}exec "$@"`, 'sh', ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: tmpdir(),
    env: { ...bareEnvironment(), NODE_COMPILE_CACHE: COMPILED, ...options.env, ...settings },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<ProgramResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr, ms: performance.now() - began }));
  });
  return { pid: child.pid!, ended, kill: (signal) => void child.kill(signal) };
}

function bareEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PINAKES_')));
}
