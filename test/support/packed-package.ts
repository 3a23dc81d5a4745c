// The package as a user gets it: built from a clean copy of the project, packed, installed in an empty folder.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT, projectFiles } from './project-files.ts';

export interface PackedPackage {
  readonly tarball: string;
  readonly integrity: string;
  readonly files: readonly string[];
}

/** Built and packed once for all test files. */
export function packOnce(): PackedPackage {
  const folder = once('packed', (into) => {
    writeFileSync(join(into, 'packed.json'), JSON.stringify(packPackage(into)));
    rmSync(join(into, 'copy'), { recursive: true });
  });
  return JSON.parse(readFileSync(join(folder, 'packed.json'), 'utf8')) as PackedPackage;
}

/** A copy of its own of what was installed once. Returns the folder that contains `node_modules`. */
export function installOnce(into: string): string {
  const { tarball } = packOnce();
  const folder = once('installed', (location) => installPackage(tarball, location));
  const home = join(into, 'empty');
  cpSync(join(folder, 'empty'), home, { recursive: true, verbatimSymlinks: true });
  return home;
}

/** Next to the toolchain, by the contents of all files: a change means a new build. */
const CACHE_FOLDER = join(PROJECT, '.toolchain/packed');
/** A lock that is older was left by a run that was killed. */
const STALE_MS = 150_000;

/** Test files run in several processes: the first one makes it, and the others wait. */
function once(name: string, make: (folder: string) => void): string {
  const version = sourcesHash();
  const folder = join(CACHE_FOLDER, version, name);
  const [done, lock] = [`${folder}.done`, `${folder}.lock`];
  while (!existsSync(done)) {
    mkdirSync(join(CACHE_FOLDER, version), { recursive: true });
    if (!takeLock(lock)) continue;
    try {
      if (existsSync(done)) break;
      for (const other of readdirSync(CACHE_FOLDER))
        if (other !== version) rmSync(join(CACHE_FOLDER, other), { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      make(folder);
      writeFileSync(done, '');
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
  return folder;
}

/** False after a while if another process has it. */
function takeLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > STALE_MS) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

let sources: string | null = null;

function sourcesHash(): string {
  sources ??= hashSources();
  return sources;
}

function hashSources(): string {
  const hash = createHash('sha256');
  for (const file of projectFiles().toSorted()) hash.update(`${file}\0`).update(readFileSync(join(PROJECT, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Builds it from a clean copy, again at each call. */
export function packPackage(into: string): PackedPackage {
  const copy = join(into, 'copy');
  for (const file of projectFiles()) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(PROJECT, file), join(copy, file));
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'));
  npm(copy, 'run', 'build');
  const [packed] = JSON.parse(pack(copy, '--json', '--pack-destination', into)) as [
    { filename: string; integrity: string; files: Array<{ path: string }> },
  ];
  const files = packed.files.map(({ path }) => path);
  return { tarball: join(into, packed.filename), integrity: packed.integrity, files };
}

/** Returns the folder that contains `node_modules`. */
function installPackage(tarball: string, into: string): string {
  const home = join(into, 'empty');
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{"private":true}');
  npm(home, 'install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--prefer-offline', tarball);
  return home;
}

export function bytesUnder(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

function pack(cwd: string, ...args: string[]): string {
  return execFileSync(process.execPath, ['scripts/pack.ts', ...args], { cwd, encoding: 'utf8', maxBuffer: 1e8 });
}

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e8 });
}
