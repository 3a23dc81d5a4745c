// A package without documentation that names a documentation site: the site is shown, and crawled only with --crawl.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLibrary, type Library } from '../../support/library.ts';
import { createProject, installPackages, type InstalledPackage } from '../../support/project-folder.ts';
import { docPage, startDocSite, type DocSite } from '../../support/scripted-site.ts';

let library: Library;
let site: DocSite;

beforeEach(async () => {
  library = await createLibrary('sqlite');
  site = await startDocSite({
    '/docs/': docPage('Kettle', ['/docs/timeouts']),
    '/docs/timeouts': docPage('Timeouts of a kettle'),
  });
});

afterEach(async () => {
  await site.close();
  await library.remove();
});

const bare = (version: string, homepage = `${site.origin}/docs/`): InstalledPackage => ({
  name: 'kettle',
  version,
  files: { 'index.js': 'exports.boil = 1;\n' },
  homepage,
});
const schemas: InstalledPackage = {
  name: 'schemas',
  version: '3.25.0',
  files: { 'README.md': '# Schemas\n\nStrict objects reject unknown keys.\n' },
};

const projectFile = (root: string): unknown => JSON.parse(readFileSync(join(root, '.pinakes/project.json'), 'utf8'));

interface Found {
  readonly passages: ReadonlyArray<{ readonly source: string; readonly version: string; readonly url: string }>;
}

test('a sync names the site of a package without documentation, and sends no request', async () => {
  const root = createProject([bare('1.0.0'), schemas]);
  const { code, stdout } = await library.run('sync', root);
  expect(code).toBe(0);
  expect(stdout).toContain(`it has neither Markdown nor declarations; its site is ${site.origin}/docs/`);
  expect(stdout).toContain('pinakes sync --crawl');
  expect(site.requests).toEqual([]);
  expect(projectFile(root)).toMatchObject({
    packages: [
      { source: 'npm:kettle', version: '1.0.0', index: null, site: `${site.origin}/docs/` },
      { source: 'npm:schemas' },
    ],
  });
  const { passages }: Found = await library.json('search', '--project', root, 'strict objects');
  expect(passages.map(({ source }) => source)).toEqual(['npm:schemas']);
}, 60_000);

test('with --crawl the site is the documentation of that version, until no project uses it', async () => {
  const root = createProject([bare('1.0.0'), schemas]);
  expect(await library.run('sync', root)).toMatchObject({ code: 0 });
  expect(await library.run('sync', root, '--crawl')).toMatchObject({ code: 0 });
  const { passages }: Found = await library.json('search', '--project', root, 'timeouts of a kettle');
  expect(passages[0]).toMatchObject({ source: 'npm:kettle', version: '1.0.0', url: `${site.origin}/docs/timeouts` });
  const [requests, file] = [site.requests.length, projectFile(root)];
  expect(await library.run('sync', root, '--crawl')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('matches the lockfile'),
  });
  const another = createProject([bare('1.0.0')]);
  expect(await library.run('sync', another)).toMatchObject({ code: 0 });
  const shared: Found = await library.json('search', '--project', another, 'timeouts of a kettle');
  expect(shared.passages[0]).toMatchObject({ source: 'npm:kettle', version: '1.0.0' });
  expect(site.requests).toHaveLength(requests);
  expect(projectFile(root)).toEqual(file);
  for (const folder of [root, another]) {
    installPackages(folder, [bare('2.0.0')]);
    await library.run('sync', folder);
  }
  expect(JSON.stringify(await library.json('list'))).not.toContain('npm:kettle');
  expect(site.requests).toHaveLength(requests);
}, 120_000);

test('a site that a request may not reach is not stored, and the reason is named', async () => {
  const root = createProject([bare('1.0.0', 'http://169.254.169.254/latest/'), schemas]);
  const { stdout } = await library.run('sync', root, '--crawl');
  expect(stdout).toMatch(/npm:kettle 1\.0\.0: http:\/\/169\.254\.169\.254\/latest\/ was not stored: /);
  const { sources }: { sources: readonly { source: string }[] } = await library.json('list');
  expect(sources.map(({ source }) => source)).toEqual(['npm:schemas']);
}, 60_000);

test('a project file that another author wrote does not choose the site of a package (finding V35)', async () => {
  const root = createProject([schemas]);
  await library.run('sync', root);
  const path = join(root, '.pinakes/project.json');
  const forged = readFileSync(path, 'utf8').replace(/"index":"[^"]+"/, `"index":null,"site":"${site.origin}/docs/"`);
  expect(forged).toContain(site.origin);
  writeFileSync(path, forged);
  const other = await createLibrary('sqlite');
  expect(await other.run('sync', root, '--crawl')).toMatchObject({ code: 0 });
  expect(site.requests).toEqual([]);
  const { passages }: Found = await other.json('search', 'strict objects');
  expect(passages[0]?.url).toMatch(/^file:/);
  await other.remove();
}, 60_000);

test('a source of the user with the name of a package is not replaced', async () => {
  await library.run('add', `${site.origin}/docs/`, '--name', 'npm:schemas', '--wait');
  const root = createProject([schemas]);
  const { code, stdout } = await library.run('sync', root);
  expect([code, stdout]).toEqual([1, expect.stringContaining('another source is called npm:schemas')]);
}, 60_000);
