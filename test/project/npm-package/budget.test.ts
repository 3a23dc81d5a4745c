// An installation: its budget of packages, bytes, scripts and time, and what a program gets from it.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDocSite } from '../../support/static-sites.ts';
import { startTestServer } from '../../support/test-server.ts';
import { compilePrograms, documentedPrograms, withAddresses, runProgram } from './documented-programs.ts';
import { bytesUnder, installOnce, packOnce, type PackedPackage } from '../../support/packed-package.ts';
import { startCpuSeconds } from '../../support/start-cpu.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { lock, manifest, PROJECT, readProject } from '../../support/project-files.ts';

const folder = temporaryDirectory();
let packed: PackedPackage;
let home: string;

beforeAll(() => {
  packed = packOnce();
  home = installOnce(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

function installedPackages(): string[] {
  return readdirSync(join(home, 'node_modules'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|node_modules\/)(@[^/]+\/)?[^/@]+\/package\.json$/.test(file))
    .map((file) => join(home, 'node_modules', file));
}

test('at most 60 packages are installed', () => {
  const names = installedPackages().map((file) => dirname(file).slice(home.length));
  expect(names.length, names.join('\n')).toBeGreaterThan(1);
  expect(names.length, names.join('\n')).toBeLessThanOrEqual(60);
});

test('at most 55 MB are installed', () => {
  expect(bytesUnder(join(home, 'node_modules')) / 1e6).toBeLessThanOrEqual(55);
});

// Half of it is the table of word vectors, which browser mode contains a second time; grammars and the dashboard follow. The
// code is there twice: bundled for the program, and as modules for those who import it.
test('the package itself is at most 8.6 MB to download and 22 MB on disk', () => {
  expect(statSync(packed.tarball).size / 1e6).toBeLessThanOrEqual(8.6);
  expect(bytesUnder(join(home, 'node_modules/pinakes')) / 1e6).toBeLessThanOrEqual(22);
});

test('help takes at most five times the CPU time of an empty Node process', () => {
  const { empty, help } = starts();
  expect(empty).toBeGreaterThan(0);
  expect(help / empty).toBeLessThan(5);
});

let measured: { readonly empty: number; readonly help: number } | null = null;

/** The least of fifteen starts: on a busy machine a program that loads much loses more than one that loads nothing. */
function starts(): { readonly empty: number; readonly help: number } {
  if (measured !== null) return measured;
  const command = join(home, 'node_modules/.bin/pinakes');
  const { empty = 0, help = 0 } = startCpuSeconds({ empty: ['-e', '0'], help: [command, '--help'] }, 15);
  return (measured = { empty, help });
}

test('installed dependencies are the production packages of the lock file', () => {
  const names = installedPackages().map((file) => nameOf(dirname(file)));
  const locked = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional,
  );
  expect(new Set(names)).toEqual(new Set([manifest.name, ...locked.map(([path]) => nameOf(path))]));
});

test('the package names the versions and hashes of the lock file for npm (finding N22)', () => {
  const shrinkwrap = JSON.parse(
    readFileSync(join(home, 'node_modules/pinakes/npm-shrinkwrap.json'), 'utf8'),
  ) as typeof lock;
  const { '': root, ...locked } = shrinkwrap.packages;
  expect(root).not.toHaveProperty('devDependencies');
  for (const [path, entry] of Object.entries(locked)) expect(entry, path).toEqual(lock.packages[path]);
  expect(Object.values(locked).filter(({ integrity }) => integrity === undefined)).toEqual([]);
  expect(Object.keys(locked).map(nameOf)).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
});

test('the folder cannot be published without them, and the packed file can (finding V26)', () => {
  const installed = JSON.parse(readFileSync(join(home, 'node_modules/pinakes/package.json'), 'utf8')) as object;
  const { private: isPrivate, ...published } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
    readonly private: unknown;
  };
  expect(isPrivate).toBe(true);
  expect(installed).toEqual(published);
});

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

test('[Z4] no installed package has an install script or a native build', () => {
  const faults = installedPackages().flatMap((file) => {
    const { scripts = {}, gypfile } = JSON.parse(readFileSync(file, 'utf8')) as {
      scripts?: Record<string, string>;
      gypfile?: boolean;
    };
    const native = gypfile === true || existsSync(join(dirname(file), 'binding.gyp'));
    const installs = ['preinstall', 'install', 'postinstall'].filter((name) => name in scripts);
    return native || installs.length > 0 ? [`${file} ${installs.join(' ')}`] : [];
  });
  expect(faults).toEqual([]);
  const files = readdirSync(join(home, 'node_modules'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => file.endsWith('.node'))).toEqual([]);
});

test('every link of the README leads to a file of the package (finding T6.2)', () => {
  const links = [...readProject('README.md').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) => target);
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((target) => !existsSync(join(home, 'node_modules/pinakes', target)))).toEqual([]);
});

test('what the guides install from the package is in it (finding T14)', () => {
  const guides = ['install', 'operating', 'rendering'].map((name) => readProject(`docs/guides/${name}.md`)).join('');
  const named = new Set(Array.from(guides.matchAll(/packaging\/[\w./-]*\w/g), ([path]) => path));
  expect(named.size).toBeGreaterThan(5);
  expect([...named].filter((path) => !existsSync(join(home, 'node_modules/pinakes', path)))).toEqual([]);
});

test('the program of the package reads TypeScript by its grammar, without a problem for each file (finding Q5)', () => {
  const docs = join(folder, 'declarations');
  mkdirSync(docs);
  for (const name of ['a', 'b', 'c'])
    writeFileSync(
      join(docs, `${name}.d.ts`),
      `/** Opens ${name}. */\nexport declare function ${name}(n: number): void;\n`,
    );
  const env = { ...process.env, PINAKES_DATA_DIR: join(folder, 'library'), PINAKES_OWNER_MODE: 'in-process' };
  const pinakes = (...args: string[]): string =>
    execFileSync(process.execPath, [join(home, 'node_modules/pinakes/dist/program/main.js'), ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
  pinakes('add', docs);
  expect(pinakes('list')).toContain('declarations');
  expect(JSON.parse(pinakes('problems', '--json'))).toMatchObject({ problems: [] });
});

const programs = documentedPrograms();
const ENTRIES = `import * as root from 'pinakes';
import * as client from 'pinakes/client';
import * as core from 'pinakes/core';
import * as tools from 'pinakes/ai-sdk';
import * as loader from 'pinakes/loader';
import * as mcp from 'pinakes/mcp';
import type * as ports from 'pinakes/ports';
export const entries = [root.openLibrary, client.connect, core.pageUrl, mcp.createMcpServer, loader.loadPages, tools.createTools] as const;
export type Fetcher = ports.Fetcher;
`;

test.each(['node16', 'nodenext', 'bundler'] as const)(
  'the types of every entry compile with %s, those of packages included (finding T6.5)',
  (resolution) => {
    expect(compilePrograms(home, 'entries', [ENTRIES], { resolution })).toBe('');
  },
);

// The types of the packages that they import were checked with the entries.
test('[K5] the programs of docs/typescript.md compile', () => {
  const options = { resolution: 'nodenext', trustsPackages: true } as const;
  expect(compilePrograms(home, 'programs', [...programs.values()], options)).toBe('');
});

test('[K5] the programs of docs/typescript.md run, and end by themselves (finding T6.1)', async () => {
  const site = await createDocSite();
  const server = await startTestServer({ PINAKES_FETCH_ALLOW_PORTS: '1024-65535' });
  try {
    const said = new Map<string, string>();
    for (const [title, text] of programs) {
      const { code, stdout, stderr } = await runProgram(
        home,
        withAddresses(text, { site: site.url, server: server.url }),
      );
      expect(code, `${title}: ${stderr}`).toBe(0);
      said.set(title, stdout);
    }
    const here = said.get('A library in your process') ?? '';
    expect(here).toMatch(/^http.* /);
    expect(said.get('A library on a server')).toBe(here);
    expect(said.get('Runs, events and signals')).toMatch(
      /run-started[^]*run-ended[^]*completed[^]*page\.unknown false/,
    );
    expect(said.get('Any action')).toBe('true\n');
    expect(said.get('Bring your own parts')).toContain('never on a server');
    expect(said.get('Changes')).toMatch(/^listed http.* true\n/);
    expect([...said.keys()]).toHaveLength(7);
    const [load = ''] = documentedPrograms('docs/guides/loader.md').values();
    const loaded = await runProgram(home, withAddresses(load, { site: site.url, server: server.url }));
    expect(loaded).toMatchObject({ code: 0, stderr: `${site.url}nowhere fetch.status\n` });
    expect(loaded.stdout).toMatch(/^[\da-f-]{36} Pool http[^]* Retries http/);
  } finally {
    await server.stop();
    await site.close();
  }
});

test('both entries can be imported, and core in a place without Node', () => {
  const script = `
    const { PinakesError } = await import('pinakes');
    const core = await import('pinakes/core');
    console.log(core.PinakesError === PinakesError, typeof core.sha256Hex);`;
  const options = { cwd: home, encoding: 'utf8' } as const;
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], options).trim()).toBe('true function');
});

test('pinakes --help needs at most 0.3 s of CPU time, or twelve times that of Node', () => {
  const { empty, help } = starts();
  expect(help).toBeLessThanOrEqual(Math.max(0.3, 12 * empty));
});
