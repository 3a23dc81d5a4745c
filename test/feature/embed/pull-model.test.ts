// `pinakes models pull` as a user runs it, from a folder and from a model host on loopback.

import { execFile } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { fetchTestModel, minilm } from '../../support/fetch-test-model.ts';
import { MAIN } from '../../support/program.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const requests: string[] = [];
let hub: string;
let host: Server;
let dataDir: string;

beforeAll(async () => {
  hub = await fetchTestModel();
  const root = new URL(minilm.from).pathname;
  host = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    // Like real model hosts, it redirects to another URL for the content.
    if (path.startsWith(root))
      return void response.writeHead(302, { location: `/bytes${path.slice(root.length)}` }).end();
    const file = join(hub, path.replace('/bytes/', ''));
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => {
    host.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(() => host.close());
beforeEach(() => {
  dataDir = temporaryDirectory();
  requests.length = 0;
});
afterEach(() => rmSync(dataDir, { recursive: true }));

interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function pull(args: readonly string[], env: Record<string, string> = {}): Promise<CommandResult> {
  const { port } = host.address() as AddressInfo;
  const settings = {
    PATH: process.env['PATH'] ?? '',
    PINAKES_DATA_DIR: dataDir,
    PINAKES_OWNER_MODE: 'in-process',
    PINAKES_MIN_FREE_BYTES: '0',
    PINAKES_EMBED_MODEL_HOST: `http://127.0.0.1:${port}`,
    PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
    PINAKES_FETCH_ALLOW_PORTS: String(port),
    ...env,
  };
  const run = promisify(execFile)(process.execPath, [MAIN, 'models', 'pull', ...args, '--json'], { env: settings });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      out: error.stdout,
      err: error.stderr,
    }),
  );
}

function installedModels(): string[] {
  return existsSync(join(dataDir, 'models')) ? readdirSync(join(dataDir, 'models')) : [];
}

test('a preset is downloaded from its host and verified by its pinned hash', async () => {
  const { code, out, err } = await pull(['minilm']);
  expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out)).toEqual({ name: 'minilm', model: minilm.model, dimensions: 384, isVerified: true });
  expect(installedModels()).toEqual(['minilm']);
  expect(readdirSync(join(dataDir, 'models/minilm')).sort()).toEqual([
    'model.onnx',
    'pinakes-model.json',
    'tokenizer.json',
    'tokenizer_config.json',
  ]);
});

test('a folder is identified by the hash of its weights, regardless of its name', async () => {
  const { code, out } = await pull([hub]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ name: 'minilm', isVerified: true });
  expect(requests).toEqual([]);
});

test('a file that differs from the pinned one is rejected, and nothing is installed', async () => {
  const folder = temporaryDirectory();
  cpSync(hub, folder, { recursive: true });
  writeFileSync(join(folder, 'tokenizer.json'), '{}');
  expect((await pull([folder])).err).toContain('embed.model-corrupt');
  writeFileSync(join(folder, minilm.paths.model), 'not a model');
  expect((await pull([folder])).err).toContain('embed.model-unpinned');
  expect((await pull([folder, '--sha256', '0'.repeat(64)])).err).toContain('embed.model-corrupt');
  expect(installedModels()).toEqual([]);
  rmSync(folder, { recursive: true });
});

test('a preset without a pinned hash is not downloaded', async () => {
  const { code, err } = await pull(['granite-small']);
  expect(code).not.toBe(0);
  expect(JSON.parse(err.trim().split('\n').at(-1) ?? '')).toMatchObject({ error: { code: 'embed.model-unpinned' } });
  expect(requests).toEqual([]);
});

test('a host outside the allowed networks is not contacted', async () => {
  const { err } = await pull(['minilm'], { PINAKES_FETCH_ALLOW_CIDRS: '' });
  expect(err).toContain('fetch.failed');
  expect(requests).toEqual([]);
});
