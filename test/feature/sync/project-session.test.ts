// A session that is limited to a project: what the assistant is told, and what it can reach.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLibrary, type Library } from '../../support/library.ts';
import { createProject, installPackages, type InstalledPackage } from '../../support/project-folder.ts';
import { startStdio, type RpcMessage } from '../../support/stdio-client.ts';

let library: Library;
let one: string;
let two: string;

function client(version: string): InstalledPackage {
  const readme = `# Client ${version}\n\nSet the timeout of a request of client ${version} with connectTimeout.\n`;
  return { name: 'client', version, files: { 'README.md': readme } };
}
const extra: InstalledPackage = {
  name: '@scope/extra',
  version: '0.3.0',
  files: { 'README.md': '# Extra\n\nAn extra package that retries a request after its timeout.\n' },
};

beforeAll(async () => {
  library = await createLibrary('sqlite');
  one = createProject([client('1.0.0'), extra]);
  two = createProject([client('2.0.0')]);
  for (const root of [one, two]) await library.run('sync', root);
}, 240_000);

afterAll(() => library.remove());

function textOf({ result }: RpcMessage): string {
  const { content } = result as { readonly content: readonly { readonly text: string }[] };
  return content.map(({ text }) => text).join('\n');
}

test('the instructions name the packages and their versions, and tools answer from no other', async () => {
  const session = startStdio(library.settings, '--project', one);
  const { result } = await session.begin();
  expect(result?.['instructions']).toContain('exactly these versions');
  expect(result?.['instructions']).toMatch(/npm:client 1\.0\.0/);
  expect(result?.['instructions']).toMatch(/npm:@scope\/extra 0\.3\.0/);
  expect(result?.['instructions']).not.toContain('2.0.0');
  const call = async (name: string, input: object): Promise<RpcMessage> =>
    session.request('tools/call', { name, arguments: input });
  const found = textOf(await call('search_docs', { query: 'timeout of a request' }));
  expect(found).toContain('client 1.0.0');
  expect(found).not.toContain('client 2.0.0');
  const other = await call('search_docs', { query: 'timeout', source: 'client', version: '2.0.0' });
  expect(textOf(other)).toContain('This project uses npm:client 1.0.0, not 2.0.0');
  const missing = await call('search_docs', { query: 'timeout', source: ['npm:lodash'] });
  expect(textOf(missing)).toContain(`ask the user to run: pinakes sync ${one}`);
  const read = await call('read_docs', { target: 'README.md', source: 'client' });
  expect(textOf(read)).toContain('client 1.0.0');
  expect(textOf(await call('list_sources', {}))).not.toContain('2.0.0');
  expect(await session.close()).toBe(0);
}, 240_000);

test('agents-md writes the versions of the project', async () => {
  const { stdout } = await library.run('agents-md', '--project', two);
  expect(stdout).toContain('npm:client 2.0.0 (1 page)');
  expect(stdout).not.toMatch(/extra|1\.0\.0/);
});

test('doctor lists the projects', async () => {
  const { stdout } = await library.run('doctor');
  expect(stdout).toContain(`${one} (2 packages)`);
  expect(stdout).toContain(`${two} (1 package)`);
}, 240_000);

test('[project-09] a server that starts in a folder with a lockfile syncs nothing', async () => {
  const root = createProject([client('3.0.0')]);
  const session = startStdio(library.settings);
  await session.begin();
  await session.close();
  const refused = await library.run('search', '--project', root, 'timeout');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`pinakes sync ${root}`) });
  expect(JSON.stringify(await library.json('list'))).not.toContain('3.0.0');
}, 240_000);

test('a project file that names what the library does not have says how to sync', async () => {
  const root = createProject([client('1.0.0')]);
  await library.run('sync', root);
  const file = join(root, '.pinakes/project.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"1.0.0"', '"9.9.9"'));
  const { code, stderr } = await library.run('search', '--project', root, 'timeout');
  expect([code, stderr]).toEqual([1, expect.stringContaining('pinakes sync')]);
}, 240_000);

test('remove --project removes what only that project uses', async () => {
  installPackages(one, [client('2.0.0'), extra]);
  await library.run('sync', one);
  const removed: { packages: readonly string[]; pages: number } = await library.json(
    'remove',
    '--project',
    one,
    '--yes',
  );
  expect(removed).toMatchObject({ packages: ['npm:@scope/extra@0.3.0'], pages: 1 });
  const { sources }: { sources: readonly { source: string }[] } = await library.json('list');
  expect(sources.map(({ source }) => source)).toEqual(['npm:client']);
  expect(await library.run('remove', '--yes')).toMatchObject({ code: 2 });
}, 240_000);
