// A project folder: its lockfiles and manifests, and where the packages that they name are installed.

import { open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fieldOf } from '../../core/extract/data/json-fields.ts';
import { isInsideRoot } from '../../core/files/path-verdict.ts';
import { PinakesError } from '../../core/model/errors.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import { isPackageVersion, tooLarge, type LockedPackage } from '../../core/project/locked-package.ts';
import { pythonName } from '../../core/project/python-locks.ts';
import { requireErrorCode } from '../system-error-code.ts';
import type { PackageLocation, ProjectFiles } from '../port.ts';
import { folderEntries } from './folder-source.ts';
import { READ_FLAGS } from './read-file-inside.ts';

/** Where managers keep packages outside a project. */
interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

const MAX_ENTRIES = 20_000;
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;

export function openProjectFiles(root: string, machine: Machine): ProjectFiles {
  return {
    root,
    readText: (path, maxBytes) => readTextInside(join(root, path), root, maxBytes),
    folders: (path) => namesIn('folder', join(root, path), root),
    files: (path) => namesIn('file', join(root, path), root),
    findPackage: (locked) => findPackage(root, locked, machine),
  };
}

/** Null for a file that is not there, or that a link leads to outside the root. */
async function readTextInside(path: string, root: string, maxBytes: number): Promise<string | null> {
  try {
    const real = await realpath(path);
    if (!isInsideRoot(real, root, sep)) return null;
    const handle = await open(real, READ_FLAGS);
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) return null;
      if (stat.size > maxBytes) throw tooLarge(path, `${maxBytes} bytes`);
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof PinakesError) throw error;
    requireErrorCode(error);
    return null;
  }
}

async function namesIn(wanted: 'file' | 'folder', path: string, root: string): Promise<readonly string[]> {
  const real = await realpath(path).catch(() => null);
  if (real === null || !isInsideRoot(real, root, sep)) return [];
  const names: string[] = [];
  for await (const { kind, name } of folderEntries(real, [], MAX_ENTRIES))
    if (kind === wanted && !name.startsWith('.')) names.push(name);
  return names;
}

const MISSING: PackageLocation = { kind: 'missing', installed: null };

async function findPackage(root: string, locked: LockedPackage, machine: Machine): Promise<PackageLocation> {
  switch (locked.ecosystem) {
    case 'npm':
      return findNpmPackage(root, locked);
    case 'pypi':
      return findPythonPackage(root, locked, machine);
    case 'cargo':
      return findInCaches(cargoCaches(root, machine), `${locked.name}-${locked.version}`);
    case 'go':
      return findInCaches(goCaches(root, machine), goFolder(locked));
    case 'gem':
    case 'composer':
      return MISSING;
  }
}

async function findNpmPackage(root: string, locked: LockedPackage): Promise<PackageLocation> {
  let installed: string | null = null;
  for await (const candidate of npmFolders(root, locked)) {
    const found = await resolveInside(join(root, candidate), root);
    const manifest = found && parseJson((await readManifest(join(found, 'package.json'), root)) ?? '');
    if (found === null || fieldOf(manifest, 'name') !== locked.name) continue;
    const version = fieldOf(manifest, 'version');
    if (version === locked.version) return { kind: 'found', folder: found, record: null };
    if (typeof version === 'string') installed = isPackageVersion(version) ? version : 'of another kind';
  }
  return { kind: 'missing', installed };
}

/** Null for one that is too large as well: a package must not end the sync of all others. */
async function readManifest(path: string, root: string): Promise<string | null> {
  try {
    return await readTextInside(path, root, MAX_MANIFEST_BYTES);
  } catch (error) {
    if (error instanceof PinakesError && error.code === 'lockfile.too-large') return null;
    throw error;
  }
}

/** The folder in the lockfile, those that Node searches from each workspace, and pnpm's. */
async function* npmFolders(root: string, { name, version, folders, workspaces, aliases }: LockedPackage) {
  yield* folders;
  for (const workspace of new Set([...workspaces, ''])) {
    const parts = workspace === '' ? [] : workspace.split('/');
    for (let depth = parts.length; depth >= 0; depth -= 1)
      for (const own of [...aliases, name]) yield [...parts.slice(0, depth), 'node_modules', own].join('/');
  }
  const store = 'node_modules/.pnpm';
  const prefix = `${name.replace('/', '+')}@${version}`;
  for (const entry of await entriesOf(join(root, store)))
    if (entry === prefix || entry.startsWith(`${prefix}(`) || entry.startsWith(`${prefix}_`))
      yield `${store}/${entry}/node_modules/${name}`;
}

async function entriesOf(path: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { kind, name } of folderEntries(path, [], MAX_ENTRIES)) if (kind === 'folder') names.push(name);
  return names;
}

/** Links are resolved; null for what is not there, or outside the root. */
async function resolveInside(path: string, root: string): Promise<string | null> {
  const real = await realpath(path).catch(() => null);
  return real !== null && isInsideRoot(real, root, sep) ? real : null;
}

async function findPythonPackage(
  root: string,
  { name, version }: LockedPackage,
  { env }: Machine,
): Promise<PackageLocation> {
  const active = env['VIRTUAL_ENV'];
  const environments = ['.venv', 'venv', 'env'].map((folder) => join(root, folder));
  const folders = await Promise.all([...environments, ...(active ? [active] : [])].map(sitePackages));
  let installed: string | null = null;
  for (const folder of folders.flat()) {
    for (const entry of await entriesOf(folder)) {
      const [, project = '', found = ''] = /^(.+)-([^-]+)\.dist-info$/.exec(entry) ?? [];
      const isOwn = pythonName(project) === name;
      if (isOwn && found === version) return { kind: 'found', folder, record: `${entry}/RECORD` };
      if (isOwn) installed = isPackageVersion(found) ? found : 'of another kind';
    }
  }
  return { kind: 'missing', installed };
}

async function sitePackages(environment: string): Promise<readonly string[]> {
  const real = await realpath(environment).catch(() => null);
  if (real === null) return [];
  const pythons = (await entriesOf(join(real, 'lib'))).filter((name) => /^python3(?:\.\d+)?$/.test(name));
  const folders = [
    ...pythons.map((name) => join(real, 'lib', name, 'site-packages')),
    join(real, 'Lib', 'site-packages'),
  ];
  const found = await Promise.all(folders.map((folder) => resolveInside(folder, real)));
  return found.filter((folder) => folder !== null);
}

function cargoCaches(root: string, { env, home }: Machine): Promise<readonly string[]> {
  return registries([join(root, '.cargo'), env['CARGO_HOME'] ?? join(home, '.cargo')]);
}

async function registries(homes: readonly string[]): Promise<readonly string[]> {
  const found = homes.map(async (cargo) => {
    const sources = join(cargo, 'registry', 'src');
    return (await entriesOf(sources)).map((registry) => join(sources, registry));
  });
  return (await Promise.all(found)).flat();
}

async function goCaches(root: string, { env, home }: Machine): Promise<readonly string[]> {
  const own = env['GOMODCACHE'] ?? join(env['GOPATH'] ?? join(home, 'go'), 'pkg', 'mod');
  return [join(root, 'go', 'pkg', 'mod'), own];
}

/** Capital letters are written with an exclamation mark, for file systems that ignore case. */
function goFolder({ name, version }: LockedPackage): string {
  const escaped = name.replaceAll(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
  return `${escaped}@${version.startsWith('v') ? version : `v${version}`}`;
}

async function findInCaches(caches: Promise<readonly string[]>, name: string): Promise<PackageLocation> {
  for (const cache of await caches) {
    const real = await realpath(cache).catch(() => null);
    const folder = real === null ? null : await resolveInside(join(real, name), real);
    if (folder !== null) return { kind: 'found', folder, record: null };
  }
  return MISSING;
}
