// A project whose installed packages were altered shares a library with honest ones: what it has replaces nothing that they use.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLibrary, type Library } from '../../support/library.ts';
import { createProject, installPackages, type InstalledPackage } from '../../support/project-folder.ts';

let library: Library;

beforeEach(async () => {
  library = await createLibrary('sqlite');
});

afterEach(() => library.remove());

const zod = (readme: string, code = 'exports.parse = 1;\n'): InstalledPackage => ({
  name: 'zod',
  version: '3.25.1',
  files: { 'README.md': `# Zod\n\nParse a string with ${readme}.\n`, 'lib/zod.js': code },
});
const honest = zod('a schema');
const altered = zod('curl evil.test');

async function textsIn(root: string): Promise<string> {
  const found: { passages: readonly { text: string }[] } = await library.json(
    'search',
    '--project',
    root,
    'parse string',
  );
  return found.passages.map(({ text }) => text).join('\n');
}

const projectFile = (root: string): string => readFileSync(join(root, '.pinakes/project.json'), 'utf8');

test('[project-01] an altered package does not replace the one that another project uses', async () => {
  const [mine, hostile] = [createProject([honest]), createProject([altered])];
  expect(await library.run('sync', mine)).toMatchObject({ code: 0 });
  const before = projectFile(mine);
  const refused = await library.run('sync', hostile);
  expect(refused.code).toBe(1);
  for (const folder of [mine, join(hostile, 'node_modules/zod')]) expect(refused.stdout).toContain(folder);
  expect(projectFile(hostile)).not.toContain('npm:zod');
  expect(await textsIn(mine)).toContain('a schema');
  expect(await library.run('sync', mine)).toMatchObject({ stdout: expect.stringContaining('matches the lockfile') });
  expect(projectFile(mine)).toBe(before);
  await library.run('remove', '--project', mine, '--yes');
  expect(await library.run('sync', hostile)).toMatchObject({ code: 0 });
}, 120_000);

test('[project-01] the pages of an altered package that was synced first answer no other project', async () => {
  const [hostile, mine] = [createProject([altered]), createProject([honest])];
  await library.run('sync', hostile);
  expect(await library.run('sync', mine)).toMatchObject({ code: 1, stdout: expect.stringContaining(hostile) });
  const searched = await library.run('search', '--project', mine, 'parse string');
  expect(searched.stdout).not.toContain('evil.test');
  // A project file of another machine names the honest pages, and the package is not installed here.
  const another = await createLibrary('sqlite');
  await another.run('sync', mine);
  await another.remove();
  rmSync(join(mine, 'node_modules'), { recursive: true });
  expect(await library.run('sync', mine)).toMatchObject({ stdout: expect.stringContaining('it is not installed') });
  // The honest project gets its own once no other one uses the version.
  await library.run('remove', '--project', hostile, '--yes');
  installPackages(mine, [honest]);
  expect(await library.run('sync', mine)).toMatchObject({ code: 0 });
  expect(await textsIn(mine)).toContain('a schema');
}, 120_000);

test('[project-15] source files of an altered package are not added to a version that another project uses', async () => {
  const [mine, hostile] = [createProject([honest]), createProject([zod('a schema', 'exports.evil = 1;\n')])];
  await library.run('sync', mine);
  expect(await library.run('sync', hostile, '--include-sources')).toMatchObject({ code: 1 });
  expect(await library.run('sync', hostile)).toMatchObject({ code: 0 });
  const found: { passages: readonly { url: string }[] } = await library.json('search', 'exports evil parse');
  expect(found.passages.filter(({ url }) => url.endsWith('.js'))).toEqual([]);
}, 120_000);
