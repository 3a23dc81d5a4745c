// The real program as a process: `node src/main.ts …`, with nothing in its environment that the test did not put there.

import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve as fromHere } from 'node:path';
import { fileURLToPath } from 'node:url';

const built = process.env['TEST_PROGRAM'];
/** From `src`, or what TEST_PROGRAM names, as somebody has it who installed it. */
export const MAIN =
  built === undefined ? fileURLToPath(new URL('../../src/main.ts', import.meta.url)) : fromHere(built);

/** Many short processes load the same files: compiled once, each start costs a third. */
export const COMPILED: Readonly<Record<string, string>> =
  built === undefined ? { NODE_COMPILE_CACHE: join(tmpdir(), 'pinakes-test-compiled') } : {};

export type Settings = Readonly<Record<`PINAKES_${string}`, string>>;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface Running {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
}

/** `hear` is told what comes on stderr, as it comes. */
export function start(
  settings: Settings,
  args: readonly string[],
  hear: (text: string) => void = () => undefined,
): Running {
  const began = performance.now();
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: tmpdir(),
    env: { ...bareEnvironment(), ...COMPILED, ...settings },
  });
  const stdout = gather(child.stdout);
  const stderr = gather(child.stderr);
  child.stderr.on('data', hear);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({ code, signal, stdout: stdout(), stderr: stderr(), ms: performance.now() - began }),
    );
  });
  return { pid: child.pid!, ended, kill: (signal) => void child.kill(signal) };
}

export function run(settings: Settings, args: readonly string[]): Promise<Ended> {
  return start(settings, args).ended;
}

function gather(stream: ChildProcess['stdout']): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (data: string) => (text += data));
  return () => text;
}

function bareEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PINAKES_')));
}
