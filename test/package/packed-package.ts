// The package as a user gets it: built from a clean copy of the project, packed, installed in an empty folder.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PROJECT, projectFiles } from './project-files.ts';

export interface PackedPackage {
  readonly tarball: string;
  readonly integrity: string;
  readonly files: readonly string[];
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'pinakes-package-'));
}

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
export function installPackage(tarball: string, into: string): string {
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
