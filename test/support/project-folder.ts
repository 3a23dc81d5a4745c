// A project with installed npm packages, for tests of sync.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createLocalFolder } from './local-folder.ts';

export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** Paths in the package with their texts. */
  readonly files: Readonly<Record<string, string>>;
  readonly homepage?: string;
}

export function createProject(packages: readonly InstalledPackage[]): string {
  const root = createLocalFolder({ 'index.js': '' });
  installPackages(root, packages);
  return root;
}

/** Replaces what is installed, and the lockfile, as a package manager does. */
export function installPackages(root: string, packages: readonly InstalledPackage[]): void {
  rmSync(join(root, 'node_modules'), { recursive: true, force: true });
  for (const { name, version, files, homepage } of packages) {
    const manifest = JSON.stringify({ name, version, types: 'index.d.ts', homepage });
    for (const [path, text] of Object.entries({ ...files, 'package.json': manifest })) {
      const file = join(root, 'node_modules', name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
  writeFileSync(join(root, 'package-lock.json'), lockfileOf(packages));
}

export function lockfileOf(packages: readonly InstalledPackage[]): string {
  const dependencies = Object.fromEntries(packages.map(({ name, version }) => [name, version]));
  const installed = packages.map(({ name, version }) => [`node_modules/${name}`, { version }]);
  return JSON.stringify({ lockfileVersion: 3, packages: { '': { dependencies }, ...Object.fromEntries(installed) } });
}
