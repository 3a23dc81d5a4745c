// An installed npm package as the package readers see it.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { PackageFile, PackageFolder } from '../../src/core/packages/package-folder.ts';

export function readNpmFolder(folder: string): PackageFolder {
  const fields = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  const { name, version } = fields as { readonly name: string; readonly version: string };
  return {
    manifest: { ecosystem: 'npm', name, version, fields },
    files: filesBelow(folder, folder).toSorted((left, right) => (left.path < right.path ? -1 : 1)),
    read: (path) => readFileSync(join(folder, path), 'utf8'),
  };
}

function filesBelow(root: string, folder: string): PackageFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(root, path);
    return entry.isFile() ? [{ path: relative(root, path), size: statSync(path).size }] : [];
  });
}
