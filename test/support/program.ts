// The real program as a process: `node src/main.ts …`, with only the environment that the test sets.

import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve as fromHere } from 'node:path';
import { fileURLToPath } from 'node:url';

const built = process.env['TEST_PROGRAM'];
/** From `src`, or an installed program that TEST_PROGRAM names. */
export const MAIN =
  built === undefined ? fileURLToPath(new URL('../../src/main.ts', import.meta.url)) : fromHere(built);

/** Many short processes load the same files: compiled once, each start costs a third. */
export const COMPILED: Readonly<Record<string, string>> =
  built === undefined ? { NODE_COMPILE_CACHE: join(tmpdir(), 'pinakes-test-compiled') } : {};

export type Settings = Readonly<Record<`PINAKES_${string}`, string>>;

export interface ProgramResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface RunningProgram {
  readonly pid: number;
  readonly ended: Promise<ProgramResult>;
  kill(signal: NodeJS.Signals): void;
}

/** `hear` is called with output on stderr as it arrives. */
export function start(
  settings: Settings,
  args: readonly string[],
  hear: (text: string) => void = () => undefined,
  /** A command that runs it, such as `prlimit`. */
  launcher: readonly string[] = [],
): RunningProgram {
  const startedAt = performance.now();
  const [command, ...rest] = [...launcher, process.execPath, MAIN, ...args] as [string, ...string[]];
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: tmpdir(),
    env: { ...bareEnvironment(), ...COMPILED, ...settings },
  });
  const stdout = collectOutput(child.stdout);
  const stderr = collectOutput(child.stderr);
  child.stderr.on('data', hear);
  const ended = new Promise<ProgramResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({ code, signal, stdout: stdout(), stderr: stderr(), ms: performance.now() - startedAt }),
    );
  });
  return { pid: child.pid!, ended, kill: (signal) => void child.kill(signal) };
}

export function run(settings: Settings, args: readonly string[]): Promise<ProgramResult> {
  return start(settings, args).ended;
}

function collectOutput(stream: ChildProcess['stdout']): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (data: string) => (text += data));
  return () => text;
}

function bareEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PINAKES_')));
}
