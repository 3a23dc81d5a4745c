// What containers, units and desktop assistants start, started directly: the installed package in a read-only folder, as
// another user, with only its data directory writable; and the unpacked bundle.

import { execFile, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { installOnce, packOnce, type PackedPackage } from '../../support/packed-package.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { PROJECT, readProject } from '../../support/project-files.ts';
import { readDockerfile } from './read-dockerfile.ts';

const UID = 10001;
const DRAIN_MS = 25_000;
const folder = temporaryDirectory();
const isRoot = process.getuid?.() === 0;
const as = isRoot ? { uid: UID, gid: UID } : {};
let packed: PackedPackage;
let home: string;
let program: string;

beforeAll(() => {
  packed = packOnce();
  home = installOnce(folder);
  program = join(home, 'node_modules/pinakes/dist/program/main.js');
  chmodSync(folder, 0o755);
  for (const file of everythingUnder(home)) chmodSync(file, statSync(file).isDirectory() ? 0o555 : 0o444);
  chmodSync(home, 0o555);
});
afterAll(() => {
  if (!isRoot) for (const file of everythingUnder(home)) chmodSync(file, 0o755);
  rmSync(folder, { recursive: true, force: true });
});

function everythingUnder(location: string): string[] {
  return readdirSync(location, { recursive: true, encoding: 'utf8' }).map((file) => join(location, file));
}

/** The environment of the image, with a separate data directory. */
function imageEnvironment(name: string): { readonly data: string; readonly env: NodeJS.ProcessEnv } {
  const base = readDockerfile(readProject('packaging/Dockerfile')).stages.find((stage) => stage.name === 'base');
  const line = base?.steps.find(({ word }) => word === 'ENV')?.rest ?? '';
  const output = [...line.matchAll(/(\w+)=(\S+)/g)].map(([, key = '', value = '']) => [key, value] as const);
  const data = join(folder, name);
  mkdirSync(data, { mode: 0o700 });
  if (isRoot) chownSync(data, UID, UID);
  const env = { ...Object.fromEntries(output), PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' };
  return { data, env: { ...env, PINAKES_DATA_DIR: data, PINAKES_SERVE_PORT: '0' } };
}

test('[U6] the command of the image serves, requires a token, and drains on SIGTERM', async () => {
  const { data, env } = imageEnvironment('image');
  const options = { cwd: data, env, ...as };
  const refused = promisify(execFile)(process.execPath, [program, 'serve'], options);
  await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('token') as string });
  const made = await promisify(execFile)(process.execPath, [program, 'tokens', 'create', 'laptop', '--json'], options);
  const { token } = JSON.parse(made.stdout) as { token: string };

  const server = spawn(process.execPath, [program, 'serve'], { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void server.kill('SIGKILL'));
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const [, port] = /listening on http:\/\/[^\s:]+:(\d+)/.exec(output) ?? [];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    });
    server.on('close', () => reject(new Error(output)));
  });
  const statusOf = async (path: string, headers = {}): Promise<number> => (await fetch(url + path, { headers })).status;
  expect(await statusOf('/healthz')).toBe(200);
  expect(await statusOf('/readyz')).toBe(200);
  expect(await statusOf('/api/sources')).toBe(401);
  expect(await statusOf('/api/sources', { authorization: `Bearer ${token}` })).toBe(200);

  const began = performance.now();
  const ended = new Promise<number | null>((resolve) => server.on('close', resolve));
  server.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(performance.now() - began).toBeLessThan(DRAIN_MS);
});

test('the worker drains on SIGTERM too, and writes only to the data directory', async () => {
  const { data, env } = imageEnvironment('worker');
  const before = listing(home);
  const worker = spawn(process.execPath, [program, 'worker'], { cwd: data, env, ...as, stdio: 'ignore' });
  onTestFinished(() => void worker.kill('SIGKILL'));
  const ended = new Promise<number | null>((resolve) => worker.on('close', resolve));
  while (!readdirSync(data).includes('pinakes.db')) await new Promise((resolve) => setTimeout(resolve, 100));
  worker.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(listing(home)).toEqual(before);
});

function listing(location: string): string[] {
  return everythingUnder(location).map((file) => `${file} ${statSync(file).size}`);
}

test('the bundle for desktop assistants starts from its manifest and lists its tools', async () => {
  const file = join(folder, 'pinakes.mcpb');
  execFileSync(process.execPath, ['scripts/write-mcpb.ts', packed.tarball, file], { cwd: PROJECT, stdio: 'pipe' });
  const unpacked = join(folder, 'bundle');
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(file)))) {
    mkdirSync(dirname(join(unpacked, name)), { recursive: true });
    writeFileSync(join(unpacked, name), bytes);
  }
  const manifest = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8')) as BundleManifest;
  const { args, env } = manifest.server.mcp_config;
  const { data } = imageEnvironment('desktop');
  const filled = Object.fromEntries(Object.keys(env).map((name) => [name, name === 'PINAKES_DATA_DIR' ? data : '']));
  const server = spawn(
    process.execPath,
    args.map((argument) => argument.replace('${__dirname}', unpacked)),
    { cwd: data, env: { ...filled, PATH: process.env['PATH'] ?? '', PINAKES_OWNER_MODE: 'in-process' } },
  );
  onTestFinished(() => void server.kill('SIGKILL'));
  const answers = lines(server.stdout);
  const send = async (id: number, method: string, params: object): Promise<{ result: Record<string, unknown> }> => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return JSON.parse((await answers.next()).value ?? '') as { result: Record<string, unknown> };
  };
  const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  expect((await send(1, 'initialize', client)).result).toMatchObject({ serverInfo: { name: 'pinakes' } });
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const { tools } = (await send(2, 'tools/list', {})).result as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toEqual(manifest.tools.map(({ name }) => name));
  const ended = new Promise<number | null>((resolve) => server.on('close', resolve));
  server.stdin.end();
  expect(await ended).toBe(0);
});

interface BundleManifest {
  readonly tools: ReadonlyArray<{ readonly name: string }>;
  readonly server: { readonly mcp_config: { readonly args: string[]; readonly env: Record<string, string> } };
}

async function* lines(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  let text = '';
  for await (const data of stream.setEncoding('utf8')) {
    text += String(data);
    const whole = text.split('\n');
    text = whole.pop() ?? '';
    yield* whole.filter((line) => line !== '');
  }
}
