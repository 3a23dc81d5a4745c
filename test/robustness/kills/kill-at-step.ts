// Preloaded into a process: ends it with SIGKILL at its nth step towards a target. A step is the moment before or after an operation on
// a file below a folder, or the moment before a request to a server or after its response. A process that gets to its end writes how many
// steps it took.

import fs from 'node:fs';
import promises, { type FileHandle } from 'node:fs/promises';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { inspect } from 'node:util';

const { KILL_AT = '0', KILL_TARGET = '', KILL_STEPS_FILE = '' } = process.env;
const killAt = Number(KILL_AT);
let steps = 0;

function step(): void {
  steps += 1;
  if (steps === killAt) process.kill(process.pid, 'SIGKILL');
}

const isTarget = (name: unknown): boolean => (typeof name === 'string' ? name : inspect(name)).includes(KILL_TARGET);

async function between<Result>(work: () => Promise<Result>): Promise<Result> {
  step();
  const result = await work();
  step();
  return result;
}

const { open, rename, unlink } = promises;
promises.open = async (path, ...more) => {
  if (!isTarget(path)) return open(path, ...more);
  const handle = await between(() => open(path, ...more));
  for (const name of ['writeFile', 'write', 'datasync', 'sync'] as const) {
    const original = (handle[name] as (...args: unknown[]) => Promise<unknown>).bind(handle);
    Object.assign(handle, { [name]: (...args: unknown[]) => between(() => original(...args)) } as Partial<FileHandle>);
  }
  return handle;
};
promises.rename = (from, to) => (isTarget(to) ? between(() => rename(from, to)) : rename(from, to));
promises.unlink = (path) => (isTarget(path) ? between(() => unlink(path)) : unlink(path));

const { request } = http;
http.request = ((...args: Parameters<typeof request>) => {
  const sent = request(...args);
  if (!isTarget(String(args[0]))) return sent;
  step();
  return sent.on('response', step);
}) as typeof request;

syncBuiltinESMExports();
process.on('exit', () => {
  if (KILL_STEPS_FILE !== '') fs.writeFileSync(KILL_STEPS_FILE, String(steps));
});
