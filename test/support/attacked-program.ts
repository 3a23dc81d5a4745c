// The program as an attacker meets it: in a folder, an environment and, with root, under a user of the test's choice. It runs
// from `src`, or the installed one that TEST_PROGRAM names.

import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { COMPILED, MAIN } from './program.ts';

export interface Location {
  readonly cwd: string;
  /** The whole environment, apart from PATH. */
  readonly env: Readonly<Record<string, string>>;
  readonly uid?: number;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `lines` are written to its standard input, the next one after each line of output; then the input ends. */
export async function runProgram(
  { cwd, env, uid }: Location,
  args: readonly string[],
  { command = [process.execPath, MAIN], lines = [] }: { command?: readonly string[]; lines?: readonly string[] } = {},
): Promise<Ended> {
  const [file = '', ...first] = command;
  const child = spawn(file, [...first, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...(uid === undefined ? COMPILED : {}), ...env },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const waiting = [...lines];
  const writeNext = (): void => {
    const line = waiting.shift();
    if (line === undefined) child.stdin.end();
    else child.stdin.write(`${line}\n`);
  };
  child.stdin.on('error', () => undefined);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (text.includes('\n')) writeNext();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  writeNext();
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

export interface Listener {
  readonly port: number;
  /** What each connection sent; an empty text if it sent nothing. */
  readonly received: string[];
  close(): void;
}

/** A listener of the attacker: it accepts every connection and responds to none. */
export async function startListener(): Promise<Listener> {
  const received: string[] = [];
  const server = createServer((socket) => {
    const at = received.push('') - 1;
    socket.setEncoding('utf8').on('data', (text: string) => (received[at] += text));
    socket.on('error', () => undefined);
    setTimeout(() => socket.destroy(), 300).unref();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, received, close: () => void server.close() };
}
