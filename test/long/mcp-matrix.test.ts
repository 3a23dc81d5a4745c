// The official MCP tools against this program: the conformance runner on a fixture server, the Inspector's command line and both
// generations of the client on the product. They are installed into a temporary folder.

import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run, start, type RunningProgram } from '../support/program.ts';
import { serveFixture } from '../feature/mcp/serve-fixture.ts';
import { temporaryDirectory } from '../support/temporary-folder.ts';
import { writeResult } from '../support/write-result.ts';

const TOOLS = join(tmpdir(), 'pinakes-mcp-tools');
const PACKAGES = [
  '@modelcontextprotocol/conformance@0.2.0-alpha.12',
  '@modelcontextprotocol/inspector@2.12.0',
  '@modelcontextprotocol/sdk@1.32.2',
  '@modelcontextprotocol/client@2.4.0',
  'gpt-tokenizer@4.0.0',
];
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** Features that need requests from the server to the client, or a session, which this server does not have; and gaps of the fixture. */
const NOT_PROVIDED =
  /sampling|elicitation|logging|completion|subscribe|sse-polling|tasks|skills|input-required|json-schema-2020|custom-header/;

let server: RunningProgram;
let url = '';
const directory = temporaryDirectory();
const results: Record<string, unknown> = {};

beforeAll(async () => {
  mkdirSync(TOOLS, { recursive: true });
  writeFileSync(join(TOOLS, 'package.json'), '{"private":true,"type":"module"}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], {
    cwd: TOOLS,
    stdio: 'ignore',
  });
  copyFileSync(new URL('mcp-matrix/clients.mjs', import.meta.url), join(TOOLS, 'clients.mjs'));
  const docs = temporaryDirectory();
  writeFileSync(join(docs, 'a.md'), '# Pool\n\nThe pool keeps connections.\n');
  const settings = { PINAKES_DATA_DIR: directory, PINAKES_SERVE_PORT: '0' } as const;
  await run(settings, ['add', docs, '--name', 'guide']);
  const { promise, resolve } = Promise.withResolvers<string>();
  server = start(settings, ['serve'], (text) => {
    const [address] = /http:\/\/\S+/.exec(text) ?? [];
    if (address !== undefined) resolve(address);
  });
  url = await promise;
}, 300_000);

afterAll(async () => {
  server.kill('SIGTERM');
  await server.ended;
  writeResult('mcp-matrix', results);
});

function inTools(command: string, ...args: readonly string[]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const child = spawn(command, args, {
    cwd: TOOLS,
    env: { ...process.env, PINAKES_DATA_DIR: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (data: Buffer) => (text += data.toString()));
  child.stderr.on('data', (data: Buffer) => (text += data.toString()));
  child.on('close', () => resolve(text));
  return promise;
}

test('v1 and v2 clients, both eras, both transports', async () => {
  const text = await inTools(process.execPath, 'clients.mjs', `${url}/mcp`, process.execPath, MAIN);
  const clients = JSON.parse(text) as Record<string, unknown>;
  results['clients'] = clients;
  expect(Object.keys(clients)).toHaveLength(6);
  for (const [name, result] of Object.entries(clients))
    expect(result, name).toMatchObject({
      tools: 5,
      passages: 1,
      prompts: 1,
      text: expect.stringContaining('Pool'),
      // Read before the first call.
      instructions: expect.stringContaining('Indexed: guide'),
    });
});

test('the Inspector lists and calls the tools', async () => {
  const inspect = (...args: string[]) =>
    inTools('npx', 'mcp-inspector', '--cli', `${url}/mcp`, '--transport', 'http', ...args);
  expect(await inspect('--method', 'tools/list')).toContain('"search_docs"');
  const called = await inspect('--method', 'tools/call', '--tool-name', 'search_docs', '--tool-arg', 'query=pool');
  expect(called).toContain('The pool keeps connections');
});

for (const version of ['2025-11-25', '2026-07-28']) {
  test(`the provided features pass the conformance runner for ${version}`, async () => {
    const fixture = await serveFixture();
    const text = await inTools(
      'npx',
      'conformance',
      'server',
      '--url',
      `${fixture.url}/mcp`,
      '--spec-version',
      version,
    );
    await fixture.close();
    const verdicts = [...text.matchAll(/^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed/gm)];
    const provided = verdicts.filter(([, , name = '']) => !NOT_PROVIDED.test(name));
    const failed = provided.filter(([, mark]) => mark === '✗').map(([line]) => line);
    results[`conformance ${version}`] = {
      scenarios: provided.length,
      failed,
      left: verdicts.map(([, , name = '']) => name).filter((name) => NOT_PROVIDED.test(name)),
    };
    expect(provided.length).toBeGreaterThan(10);
    expect(failed).toEqual([]);
  });
}

/** How a resource server answers is tested with a real issuer, in `oidc-provider.test.ts`. A scenario for one would fail this test. */
test('the authorization scenarios of the runner are for clients and issuers, none for a resource server', async () => {
  const text = await inTools('npx', 'conformance', 'list');
  const [ofServers = '', others = ''] = text.split(/^Client scenarios.*$/m);
  const names = (part: string): string[] => [...part.matchAll(/^ +- (\S*auth\S*)/gm)].map(([, name = '']) => name);
  results['conformance authorization'] = { ofClientsAndIssuers: names(others).length, ofServers: names(ofServers) };
  expect(names(others).length).toBeGreaterThan(20);
  expect(names(ofServers)).toEqual([]);
});

test('the list of tools has fewer than 1,500 model tokens', async () => {
  const script = `import { encode } from 'gpt-tokenizer'; import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
const client = new Client({ name: 'count', version: '1' }); await client.connect(new StreamableHTTPClientTransport(new URL('${url}/mcp')));
const text = JSON.stringify((await client.listTools()).tools); console.log(encode(text).length); process.exit(0);`;
  writeFileSync(join(TOOLS, 'count.mjs'), script);
  const tokens = Number(await inTools(process.execPath, 'count.mjs'));
  results['toolListTokens'] = tokens;
  expect(tokens).toBeGreaterThan(100);
  expect(tokens).toBeLessThan(1500);
});
