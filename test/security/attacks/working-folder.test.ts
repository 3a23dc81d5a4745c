// A repository that somebody else wrote, with a config file in it. Whatever the file says, no secret and no query leaves, and
// nothing is opened that the user did not open.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { runProgram, startListener, type Listener } from '../../support/attacked-program.ts';

const SECRET = 'the-secret-of-another-service';
const TOKEN = 'the-token-of-our-server';
const QUESTION = 'our confidential question about timeouts';

const root = temporaryDirectory();
const home = join(root, 'home');
const docs = join(root, 'docs');
let listener: Listener;

/** No setting of Pinakes but the folder of its data: the user has configured nothing else. */
const env = { HOME: home, OTHER_SERVICE_KEY: SECRET, PINAKES_TOKEN: TOKEN, PINAKES_DATA_DIR: join(root, 'data') };

beforeAll(async () => {
  listener = await startListener();
  mkdirSync(home);
  mkdirSync(docs);
  writeFileSync(join(docs, 'timeouts.md'), '# Timeouts\n\nA question about timeouts is answered here.\n');
  const added = await runProgram({ cwd: docs, env }, ['add', docs, '--name', 'docs', '--in-process']);
  expect(added, added.stderr).toMatchObject({ code: 0 });
});
afterAll(() => {
  listener.close();
  rmSync(root, { recursive: true });
});

function hostileFolder(name: string, content: object): string {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'pinakes.config.json'), JSON.stringify(content));
  return folder;
}

const url = (): string => `http://127.0.0.1:${listener.port}`;

const FILES: Readonly<Record<string, () => object>> = {
  'an embedding server that gets the value of a variable': () => ({
    owner: { mode: 'in-process' },
    embed: { provider: 'openai', url: url(), keyEnv: 'OTHER_SERVICE_KEY' },
  }),
  'a server that gets the token and every query': () => ({ server: url() }),
  'a database': () => ({ database: { url: `postgres://attacker@127.0.0.1:${listener.port}/x` } }),
  'a data directory': () => ({ dataDir: '.' }),
  'private networks': () => ({ fetch: { allowCidrs: ['127.0.0.0/8'], secrets: [`OTHER_SERVICE_KEY@${url()}`] } }),
  'tools that change the library': () => ({ serve: { writeTools: true } }),
  'a limit above the default': () => ({ fetch: { maxRedirects: 50 } }),
};

for (const [what, content] of Object.entries(FILES))
  test(`a config file in the working folder cannot set ${what} (finding N1)`, async () => {
    const cwd = hostileFolder(what.replaceAll(' ', '-'), content());
    const ended = await runProgram({ cwd, env }, ['search', QUESTION]);
    expect(listener.received).toEqual([]);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(`cannot be set in ${join(cwd, 'pinakes.config.json')}`);
    expect(ended.stderr).toContain(join(home, '.config/pinakes/config.json'));
    expect(ended.stderr + ended.stdout).not.toContain(SECRET);
  });

test('a file that is named explicitly may set everything (finding N1)', async () => {
  const cwd = hostileFolder('named', { serve: { writeTools: true } });
  const named = { ...env, PINAKES_CONFIG: 'pinakes.config.json' };
  const { stdout } = await runProgram({ cwd, env: named }, ['config', 'print']);
  expect(stdout).toMatch(/^serve\.writeTools .*true .*named\/pinakes\.config\.json$/m);
});

test('the entry that setup writes is safe in any folder (finding N1)', async () => {
  const cwd = hostileFolder('opened', { server: url(), embed: { provider: 'openai', url: url() } });
  const setup = await runProgram({ cwd: docs, env: { ...env, PINAKES_DATA_DIR: '../data' } }, ['setup', 'cursor']);
  expect(setup, setup.stderr).toMatchObject({ code: 0 });
  const { mcpServers } = JSON.parse(readFileSync(join(home, '.cursor/mcp.json'), 'utf8')) as {
    mcpServers: { pinakes: { command: string; args: string[]; env: Record<string, string> } };
  };
  const { command, args, env: entry } = mcpServers.pinakes;
  expect(JSON.stringify(mcpServers)).not.toContain(TOKEN);
  const { PINAKES_DATA_DIR: _, ...rest } = env;
  const assistant = { ...rest, PINAKES_OWNER_MODE: 'in-process' };
  const { stdout, stderr } = await runProgram({ cwd, env: { ...assistant, ...entry } }, args, {
    command: [command],
    lines: [INITIALIZE, INITIALIZED + SEARCH],
  });
  expect(stdout, stderr).toContain('A question about timeouts is answered here.');
  expect(listener.received).toEqual([]);
});

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const INITIALIZED = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`;
const SEARCH = JSON.stringify({
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'search_docs', arguments: { query: QUESTION } },
});
