// The files of an installed package: those of its folder, or those that its manager recorded. Links are not followed.

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_FOLDER_DEPTH, pathVerdict } from '../../core/files/path-verdict.ts';
import { decodeUtf8 } from '../../core/text/decode-utf8.ts';
import type { PackageFile } from '../../core/packages/package-folder.ts';
import type { PackageFolderPath } from '../../core/project/package-run.ts';
import { folderEntries } from './folder-source.ts';
import { type FileRules, readFileInside } from './read-file-inside.ts';
import type { PackageFiles } from '../port.ts';

/** The largest packages of the registry have about 10,000. */
const MAX_PACKAGE_FILES = 30_000;

/** Folders that are not part of the package, or that no documentation is in. */
const OTHER_FOLDERS: ReadonlySet<string> = new Set(['node_modules', 'bower_components', '__pycache__', 'target']);

export async function openPackageFiles(at: PackageFolderPath, rules: FileRules): Promise<PackageFiles> {
  const { files, isTruncated } = at.record === null ? await walk(rules) : await recordedFiles(at.record, rules);
  const known = new Set(files.map(({ path }) => path));
  return {
    files: files.toSorted((left, right) => (left.path < right.path ? -1 : 1)),
    isTruncated,
    async read(path) {
      const verdict = pathVerdict(path, process.platform === 'win32' ? 'portable' : 'any');
      if (!verdict.admit) return { kind: 'refused', reason: verdict.reason };
      if (!known.has(path)) return { kind: 'not-found', reason: 'no-such-file' };
      return readFileInside(verdict.segments, rules);
    },
  };
}

type Listed = Pick<PackageFiles, 'files' | 'isTruncated'>;

async function walk({ root }: FileRules): Promise<Listed> {
  const files: PackageFile[] = [];
  const open: Array<readonly string[]> = [[]];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for await (const { kind, name, bytes } of folderEntries(root, folder, MAX_PACKAGE_FILES)) {
      const path = [...folder, name];
      if (kind === 'folder' && path.length < MAX_FOLDER_DEPTH && !OTHER_FOLDERS.has(name) && !name.startsWith('.'))
        open.push(path);
      if (kind === 'file') files.push({ path: path.join('/'), size: bytes });
      if (kind === 'too-many' || files.length > MAX_PACKAGE_FILES)
        return { files: files.slice(0, MAX_PACKAGE_FILES), isTruncated: true };
    }
  }
  return { files, isTruncated: false };
}

/** RECORD of a Python package: lines of `path,hash,size`. Paths with quotation marks or outside the folder are left out. */
async function recordedFiles(record: string, rules: FileRules): Promise<Listed> {
  const outcome = await readFileInside(record.split('/'), rules);
  if (outcome.kind !== 'read') return { files: [], isTruncated: false };
  const files: PackageFile[] = [];
  for (const line of decodeUtf8(outcome.body).split('\n')) {
    const [path = '', , size = ''] = line.trimEnd().split(',');
    if (path === '' || path.startsWith('"') || path.startsWith('../') || !pathVerdict(path, 'any').admit) continue;
    if (files.length === MAX_PACKAGE_FILES) return { files, isTruncated: true };
    files.push({ path, size: size === '' ? await sizeOf(join(rules.root, path)) : Number(size) || 0 });
  }
  return { files, isTruncated: false };
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
