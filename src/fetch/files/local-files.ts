// Local content: decides what a path is, and whether the operator allows it to be read.

import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, resolve, sep } from 'node:path';
import { archiveKind, readBundleFile } from '../../core/export/bundle/bundle-archive.ts';
import type { FileSourceLimits } from '../../core/files/file-limits.ts';
import { displayPath, fileUrl, pathOfFileUrl } from '../../core/files/file-url.ts';
import { isInsideRoot } from '../../core/files/path-verdict.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { systemReason } from '../../platform/data-directory.ts';
import { ARCHIVE_NAME, openArchive, openBundle } from './archive-source.ts';
import { openFolder } from './folder-source.ts';
import { openPackageFiles } from './package-files.ts';
import { openProjectFiles } from './project-files.ts';
import { readFileInside } from './read-file-inside.ts';
import type { LocalFiles, LocalSource } from '../port.ts';

export interface LocalFilesOptions extends FileSourceLimits {
  /** Folders that may be read; empty allows any path given on the command line. */
  readonly roots: readonly string[];
  readonly refuseHardLinks: boolean;
}

export function createLocalFiles(options: LocalFilesOptions): LocalFiles {
  const { maxFileBytes, refuseHardLinks } = options;

  /** Links are resolved once, here; later changes to them have no effect. */
  async function resolvePath(input: string): Promise<{ path: string; isFolder: boolean }> {
    const path = await resolveRealPath(input);
    const roots = await Promise.all(options.roots.map((root) => realpath(root).catch(() => resolve(root))));
    if (roots.length > 0 && !roots.some((root) => isInsideRoot(path, root, sep))) {
      throw pinakesError('files.refused', { path: displayPath(input), reason: 'it is outside the allowed folders' });
    }
    if (isSystemPath(path)) {
      throw pinakesError('files.refused', { path: displayPath(input), reason: 'it belongs to the system' });
    }
    const found = await stat(path);
    if (!found.isDirectory() && !found.isFile()) {
      throw pinakesError('files.refused', { path: displayPath(input), reason: 'it is neither a folder nor a file' });
    }
    return { path, isFolder: found.isDirectory() };
  }

  async function archiveBytes(path: string): Promise<Uint8Array> {
    const rules = { root: dirname(path), maxFileBytes: options.maxSourceBytes, refuseHardLinks };
    const outcome = await readFileInside([basename(path)], rules);
    if (outcome.kind === 'read') return outcome.body;
    throw pinakesError('files.unreadable', { path: displayPath(path), reason: outcome.reason });
  }

  return {
    async stat(input) {
      const { path, isFolder } = await resolvePath(input);
      if (isFolder) return { path, kind: 'folder', about: null };
      if (!ARCHIVE_NAME.test(path)) return { path, kind: 'file', about: null };
      const archive = await archiveBytes(path);
      const kind = archiveKind(archive, path);
      if (kind !== 'bundle') return { path, kind: 'archive', about: null, isDamaged: kind === 'damaged' };
      return { path, kind: 'bundle', about: readBundleFile(archive, basename(path), options).meta };
    },
    async open(input) {
      const { path, isFolder } = await resolvePath(input);
      if (isFolder) return openFolder({ root: path, maxFileBytes, refuseHardLinks, limits: options });
      if (!ARCHIVE_NAME.test(path)) return openFile(path, options);
      const archive = await archiveBytes(path);
      return archiveKind(archive, path) === 'bundle'
        ? openBundle(readBundleFile(archive, basename(path), options))
        : openArchive(archive, basename(path), options);
    },
    async openBundle(archive, name) {
      return openBundle(readBundleFile(archive, name, options));
    },
    async openProject(input) {
      const { path, isFolder } = await resolvePath(input);
      if (!isFolder) throw pinakesError('files.unreadable', { path: displayPath(input), reason: 'it is not a folder' });
      return openProjectFiles(path, { env: process.env, home: homedir() });
    },
    async openPackage(at) {
      const { path } = await resolvePath(at.folder);
      return openPackageFiles({ ...at, folder: path }, { ...options, root: path });
    },
  };
}

function openFile(path: string, { maxFileBytes, refuseHardLinks }: LocalFilesOptions): LocalSource {
  const name = basename(path);
  const url = fileUrl(displayPath(name));
  return {
    async *list() {
      yield { kind: 'file', url };
    },
    async read(requested) {
      if (pathOfFileUrl(requested) !== displayPath(name))
        return { kind: 'not-found', reason: 'no-such-file: not this file' };
      return readFileInside([name], { root: dirname(path), maxFileBytes, refuseHardLinks });
    },
  };
}

async function resolveRealPath(input: string): Promise<string> {
  try {
    return await realpath(resolve(input));
  } catch (error) {
    throw pinakesError('files.unreadable', { path: displayPath(input), reason: systemReason(error) }, error);
  }
}

/** What the kernel exposes as files describes the machine and its processes, never documentation. */
function isSystemPath(path: string): boolean {
  return process.platform !== 'win32' && ['/proc', '/sys', '/dev'].some((root) => isInsideRoot(path, root, '/'));
}
