// Real processes for tests: started from a TypeScript file, read line by line, killed without warning.

import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Many short processes load the same files: compiled once, each start costs a third. */
const COMPILED = join(tmpdir(), 'pinakes-test-compiled');

export interface Child {
  readonly pid: number;
  /** SIGKILL. */
  kill(): void;
  /** Resolves with how it ended; rejects if it failed on its own. */
  readonly ended: Promise<'finished' | 'killed'>;
}

export function runChild(file: URL, options: unknown, onLine: (line: string) => void = () => undefined): Child {
  const child = spawn(process.execPath, [fileURLToPath(file), JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
  });
  createInterface({ input: child.stdout }).on('line', onLine);
  let complaints = '';
  child.stderr.on('data', (data: Buffer) => (complaints += data.toString()));
  return { pid: child.pid!, kill: () => child.kill('SIGKILL'), ended: endOf(child, () => complaints) };
}

/** `close` comes after the last line was read. */
function endOf(child: ChildProcess, complaints: () => string): Promise<'finished' | 'killed'> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve('killed');
      else if (code === 0) resolve('finished');
      else reject(new Error(`the process ended with ${code ?? signal}: ${complaints()}`));
    });
  });
}
