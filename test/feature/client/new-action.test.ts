// A new action is its own file and its entry in the list of actions: a copy of the project gets one, and nothing else.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROJECT } from '../../support/planted-tree.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const COPIED = ['src', 'scripts', 'migrations', 'docs', 'bench/results', 'test/data/quality', 'package.json'];
const TYPE_PROJECTS = ['tsconfig.base.json', 'tsconfig.core.json', 'tsconfig.server.json'];

const ACTION = `// Counts the sources of the library.

import { z } from 'zod';
import { action } from './action.ts';

export const countSources = action({
  name: 'count_sources',
  summary: 'Count the sources of the library',
  effect: 'read',
  input: z.strictObject({ prefix: z.string().default('').describe('Only names that start with this') }),
  output: z.object({
    totalSources: z.int().describe('How many there are'),
    sources: z.array(z.object({ name: z.string(), versions: z.int() })),
  }),
  bindings: {
    cli: { command: 'count', group: 'inspect', positional: [], example: 'pinakes count --prefix docs' },
    http: { method: 'GET', path: '/library/count' },
  },

  async run({ prefix }, { store }) {
    const found = (await store.sources.list()).filter(({ name }) => name.startsWith(prefix));
    const sources = found.map(({ name, versions }) => ({ name, versions: versions.length }));
    return { totalSources: sources.length, sources };
  },
});
`;

/** A program that uses the client; a wrong input or field would not compile. */
const CLIENT = `import { connect } from './client/index.ts';

const library = connect({ server: process.argv[2] ?? '' });
const { totalSources } = await library.call('count_sources', { prefix: 'no' });
const count: number = totalSources;
// @ts-expect-error -- no such input
if (count < 0) await library.call('count_sources', { prefx: 'no' });
console.log(count);
`;

const root = realpathSync(temporaryDirectory());
const env = { PATH: process.env['PATH'], PINAKES_DATA_DIR: join(root, 'library'), PINAKES_OWNER_MODE: 'in-process' };

function runNode(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env });
  expect(status, `${stdout}${stderr}`).toBe(0);
  return stdout;
}

beforeAll(() => {
  for (const path of [...COPIED, ...TYPE_PROJECTS])
    cpSync(join(PROJECT, path), join(root, path), {
      recursive: true,
      filter: (file) => !file.includes('node_modules'),
    });
  symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'));
  writeFileSync(join(root, 'src/actions/count-sources.ts'), ACTION);
  const list = join(root, 'src/actions/actions.ts');
  const text = readFileSync(list, 'utf8')
    .replace('\n\n/** By name.', "\nimport { countSources } from './count-sources.ts';\n\n/** By name.")
    .replace('checkNames({\n', 'checkNames({\n  count_sources: countSources,\n');
  writeFileSync(list, text);
  writeFileSync(join(root, 'src/use-client.ts'), CLIENT);
  runNode('scripts/write-reference.ts');
}, 60_000);

afterAll(() => rmSync(root, { recursive: true }));

test('it is a command with help, in its group, whose result is rendered without code for it', () => {
  expect(runNode('src/main.ts', '--help')).toMatch(
    /Inspect:\n(?: .*\n)* {2}count {2,}Count the sources of the library/,
  );
  expect(runNode('src/main.ts', 'count', '--help')).toContain('--prefix <prefix>');
  expect(runNode('src/main.ts', 'count')).toBe('total sources  0\n\nNo sources.\n');
  expect(JSON.parse(runNode('src/main.ts', 'count', '--json'))).toEqual({ totalSources: 0, sources: [] });
});

test('it is a route, and a call of the client', async () => {
  const server = spawn(process.execPath, ['src/main.ts', 'serve', '--port', '0'], { cwd: root, env });
  try {
    let output = '';
    for await (const part of server.stderr) {
      output += String(part);
      if (/listening on \S+\n/.test(output)) break;
    }
    const [, url = ''] = /listening on (\S+)\n/.exec(output) ?? [];
    expect(await (await fetch(`${url}/api/library/count`)).json()).toEqual({ totalSources: 0, sources: [] });
    expect(runNode('src/use-client.ts', url)).toBe('0\n');
  } finally {
    server.kill();
    await once(server, 'exit');
  }
}, 60_000);

test('the client has its types', () => {
  runNode('node_modules/typescript/bin/tsc', '-b', 'tsconfig.core.json', 'tsconfig.server.json');
}, 300_000);

test('it is in the reference, with its input, result, command and route', () => {
  const page = (name: string): string => readFileSync(join(root, 'docs/reference', name), 'utf8');
  const actions = page('actions.md');
  expect(actions).toContain('| Count the sources of the library | read | `pinakes count` | `GET /api/library/count` |');
  expect(actions).toContain('| `prefix` | string |  | Only names that start with this |');
  expect(actions).toContain('| `totalSources` | number | How many there are |');
  expect(page('cli.md')).toContain('pinakes count --prefix docs');
  expect(page('http.md')).toContain('## GET /api/library/count');
});
