// `pinakes sync`: the packages of a project at exactly the versions of its lockfile.

import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLibrary, type Library } from '../../support/library.ts';
import { createLocalFolder } from '../../support/local-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createProject, installPackages, lockfileOf, type InstalledPackage } from '../../support/project-folder.ts';

let library: Library;

beforeEach(async () => {
  library = await createLibrary('sqlite');
});

afterEach(() => library.remove());

interface Found {
  readonly searched: readonly string[];
  readonly passages: ReadonlyArray<{ source: string; version: string; text: string; url: string; chunkId: string }>;
}

const shared = '## Shared\n\nThe license of schemas is explained in this unchanged section about licensing.\n';

function schemas(version: string, word: string): InstalledPackage {
  return {
    name: 'schemas',
    version,
    files: {
      'README.md': `# Schemas\n\nStrict objects of ${word} reject unknown keys with strictObject in version ${word}.\n`,
      'docs/license.md': shared,
      'index.d.ts': `/** Rejects unknown keys in ${word}. */\nexport declare function strict${word}(shape: object): object;\n`,
      'test/readme.md': '# Strict objects of tests\n\nStrict objects strict objects strict objects.\n',
    },
  };
}

const projectFile = (root: string): string => readFileSync(join(root, '.pinakes/project.json'), 'utf8');

test('two projects with two versions of a package never see passages of each other', async () => {
  const [three, four] = [createProject([schemas('3.25.0', 'Three')]), createProject([schemas('4.1.0', 'Four')])];
  for (const root of [three, four]) expect(await library.run('sync', root)).toMatchObject({ code: 0 });
  const queries = [
    'strict objects',
    'strictObject',
    'reject unknown keys',
    'license of schemas',
    'strictThree',
    'strictFour',
  ];
  for (const [root, version, other] of [
    [three, '3.25.0', 'Four'],
    [four, '4.1.0', 'Three'],
  ] as const) {
    for (const query of queries) {
      const { passages }: Found = await library.json('search', '--project', root, query);
      for (const passage of passages) {
        expect(passage).toMatchObject({ source: 'npm:schemas', version });
        expect(passage.text).not.toContain(other);
      }
    }
    const outline: { pages: readonly { path: string }[] } = await library.json('outline', 'schemas', '--project', root);
    expect(outline.pages.map(({ path }) => path)).not.toContain('test/readme.md');
  }
  const refused = await library.run('search', '--project', three, '--source', 'schemas@4.1.0', 'strict');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('uses npm:schemas 3.25.0, not 4.1.0') });
  const unknown = await library.run('search', '--project', three, '--source', 'npm:lodash', 'strict');
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining(`pinakes sync ${three}`) });
}, 120_000);

test('after a change of the lockfile old answers are gone, new ones present, and ids of unchanged chunks kept', async () => {
  const root = createProject([schemas('3.25.0', 'Three')]);
  await library.run('sync', root);
  const before: Found = await library.json('search', '--project', root, 'license of schemas');
  installPackages(root, [schemas('4.1.0', 'Four')]);
  expect(await library.run('sync', root, '--check')).toMatchObject({ code: 1 });
  const { stdout } = await library.run('sync', root);
  expect(stdout).toContain('npm:schemas@3.25.0');
  expect(await library.run('sync', root, '--check')).toMatchObject({ code: 0 });
  const after: Found = await library.json('search', '--project', root, 'license of schemas');
  const idOf = ({ passages }: Found) => passages.find(({ url }) => url.includes('license.md'))?.chunkId;
  expect(idOf(before)).toBeDefined();
  expect(idOf(after)).toBe(idOf(before));
  const strict: Found = await library.json('search', 'strict objects reject unknown keys');
  expect(strict.passages.map(({ version }) => version)).not.toContain('3.25.0');
  expect(strict.passages.some(({ text }) => text.includes('Four'))).toBe(true);
}, 120_000);

test('a second sync writes nothing, and a version that another project uses stays', async () => {
  const [one, two] = [createProject([schemas('3.25.0', 'Three')]), createProject([schemas('3.25.0', 'Three')])];
  await library.run('sync', one);
  await library.run('sync', two);
  const [text, { mtimeMs }] = [projectFile(one), statSync(join(one, '.pinakes/project.json'))];
  const rows = () => library.sql<object>('select * from runs order by id');
  const runs = await rows();
  expect(await library.run('sync', one)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('matches the lockfile'),
  });
  expect(await rows()).toEqual(runs);
  expect(projectFile(one)).toBe(text);
  expect(statSync(join(one, '.pinakes/project.json')).mtimeMs).toBe(mtimeMs);
  expect(projectFile(two)).toBe(text);
  installPackages(one, [schemas('4.1.0', 'Four')]);
  await library.run('sync', one);
  const found: Found = await library.json('search', '--project', two, 'strict objects');
  expect(found.passages[0]).toMatchObject({ version: '3.25.0' });
}, 120_000);

test('what has no documentation is named with the reason, and is not in the library', async () => {
  const bare: InstalledPackage = { name: 'bare', version: '1.0.0', files: { 'dist/index.js': 'exports.a = 1;\n' } };
  const root = createProject([bare, schemas('3.25.0', 'Three')]);
  const absent = [bare, schemas('3.25.0', 'Three'), { name: 'absent', version: '2.0.0', files: {} }];
  writeFileSync(join(root, 'package-lock.json'), lockfileOf(absent));
  mkdirSync(join(root, 'node_modules/other'), { recursive: true });
  const { stdout, stderr } = await library.run('sync', root);
  expect(stdout).toContain('npm:bare 1.0.0: it has neither Markdown nor declarations');
  expect(stdout).toContain('npm:absent 2.0.0: it is not installed');
  expect(stderr).toMatch(/\[\d\/3\] npm:schemas 3\.25\.0: synced, \d pages/);
  const { sources }: { sources: readonly { source: string }[] } = await library.json('list');
  expect(sources.map(({ source }) => source)).toEqual(['npm:schemas']);
  expect(JSON.parse(projectFile(root))).toMatchObject({
    packages: [
      { source: 'npm:bare', index: null },
      { source: 'npm:schemas', version: '3.25.0' },
    ],
  });
}, 60_000);

test('[project-03] links out of the project are not followed, and hostile names read nothing', async () => {
  const outside = createLocalFolder({
    'secret/package.json': JSON.stringify({ name: 'secret', version: '1.0.0' }),
    'secret/README.md': '# Secret\n\nThe password of the secret folder is hunter2.\n',
  });
  const root = createProject([schemas('3.25.0', 'Three')]);
  symlinkSync(join(outside, 'secret'), join(root, 'node_modules/secret'));
  symlinkSync(join(outside, 'secret/README.md'), join(root, 'node_modules/schemas/docs/leak.md'));
  const hostile = [
    schemas('3.25.0', 'Three'),
    { name: 'secret', version: '1.0.0', files: {} },
    { name: `../../${outside}/secret`, version: '1.0.0', files: {} },
  ];
  writeFileSync(join(root, 'package-lock.json'), lockfileOf(hostile));
  const { stdout } = await library.run('sync', root);
  expect(stdout).toContain('npm:secret 1.0.0: it is not installed');
  const found: Found = await library.json('search', 'password of the secret folder hunter2');
  expect(found.passages.filter(({ text }) => text.includes('hunter2'))).toEqual([]);
}, 60_000);

test('[project-10] a project file is never written through a link, and a folder without a lockfile is an error', async () => {
  const root = createProject([schemas('3.25.0', 'Three')]);
  const other = createLocalFolder({ 'keep.txt': '' });
  symlinkSync(other, join(root, '.pinakes'));
  expect(await library.run('sync', root)).toMatchObject({ code: 1 });
  expect(existsSync(join(other, 'project.json'))).toBe(false);
  rmSync(join(root, '.pinakes'));
  const empty = createLocalFolder({ 'a.md': '# A' });
  expect(await library.run('sync', empty)).toMatchObject({ code: 1, stderr: expect.stringContaining('no lockfile') });
}, 60_000);

test('with --watch a change of the lockfile is synced', async () => {
  const root = createProject([schemas('3.25.0', 'Three')]);
  const running = library.start('sync', root, '--watch');
  await waitUntil(
    'the first sync',
    () => existsSync(join(root, '.pinakes/project.json')) && projectFile(root).includes('3.25.0'),
  );
  installPackages(root, [schemas('4.1.0', 'Four')]);
  await waitUntil('the second sync', () => projectFile(root).includes('4.1.0'));
  running.kill('SIGTERM');
  await running.ended;
  expect(await library.run('sync', root, '--check')).toMatchObject({ code: 0 });
}, 60_000);

test('a README of a package keeps its sections together, and one of a folder does not', async () => {
  const readme = `# Widgets\n\nReads widgets.\n\n## Install\n\nRun the installer.\n\n## Use\n\nCall the reader.\n`;
  const root = createProject([{ name: 'widgets', version: '1.0.0', files: { 'README.md': readme } }]);
  expect(await library.run('sync', root)).toMatchObject({ code: 0 });
  const folder = createLocalFolder({ 'README.md': readme });
  expect(await library.run('add', folder, '--name', 'copy', '--wait')).toMatchObject({ code: 0 });
  const rows = await library.sql(
    `select s.name, p.n_chunks from pages p join versions v on v.id = p.version_id join sources s on s.id = v.source_id order by s.name`,
  );
  expect(rows).toEqual([
    { name: 'copy', n_chunks: 3 },
    { name: 'npm:widgets', n_chunks: 1 },
  ]);
});
