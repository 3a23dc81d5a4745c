// Local content: decides what a path is, and whether it lies where the operator allows.

import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve, sep } from 'node:path';
import { isInsideRoot } from '../../core/local/inside-root.ts';
import type { LocalLimits } from '../../core/files/file-limits.ts';
import { fileUrl, pathOfFileUrl, shownPath } from '../../core/files/file-url.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { ARCHIVE_NAME, openArchive } from './archive-source.ts';
import { isBundle, openBundle, readBundleFile } from '../file-bundle.ts';
import { errorCodeOf } from '../file-error.ts';
import { openFolder } from './folder-source.ts';
import { readFileInside } from './read-file-inside.ts';
import type { LocalFiles, LocalSource } from '../port.ts';

export interface LocalFilesOptions extends LocalLimits {
  /** Folders that may be read; none means any that the user of the command line names. */
  readonly roots: readonly string[];
  readonly refuseHardLinks: boolean;
}

export function createLocalFiles(options: LocalFilesOptions): LocalFiles {
  const { maxFileBytes, refuseHardLinks } = options;

  /** Links are resolved once, here; what happens to them later changes nothing. */
  async function resolved(given: string): Promise<{ path: string; isFolder: boolean }> {
    const path = await realOrRaise(given);
    const roots = await Promise.all(options.roots.map((root) => realpath(root).catch(() => resolve(root))));
    if (roots.length > 0 && !roots.some((root) => isInsideRoot(path, root, sep))) {
      throw pinakesError('local.refused', { path: shownPath(given), why: 'it is outside the allowed folders' });
    }
    if (isSystemPath(path)) {
      throw pinakesError('local.refused', { path: shownPath(given), why: 'it belongs to the system' });
    }
    const found = await stat(path);
    if (!found.isDirectory() && !found.isFile()) {
      throw pinakesError('local.refused', { path: shownPath(given), why: 'it is neither a folder nor a file' });
    }
    return { path, isFolder: found.isDirectory() };
  }

  async function archiveBytes(path: string): Promise<Uint8Array> {
    const rules = { root: dirname(path), maxFileBytes: options.maxBatchBytes, refuseHardLinks };
    const outcome = await readFileInside([basename(path)], rules);
    if (outcome.kind === 'read') return outcome.body;
    throw pinakesError('local.unreadable', { path: shownPath(path), why: outcome.reason });
  }

  return {
    async look(given) {
      const { path, isFolder } = await resolved(given);
      if (isFolder) return { path, kind: 'folder', about: null };
      if (!ARCHIVE_NAME.test(path)) return { path, kind: 'file', about: null };
      const archive = await archiveBytes(path);
      if (!isBundle(archive, path)) return { path, kind: 'archive', about: null };
      return { path, kind: 'bundle', about: readBundleFile(archive, basename(path), options).about };
    },
    async open(given) {
      const { path, isFolder } = await resolved(given);
      if (isFolder) return openFolder({ root: path, maxFileBytes, refuseHardLinks, limits: options });
      if (!ARCHIVE_NAME.test(path)) return openFile(path, options);
      const archive = await archiveBytes(path);
      return isBundle(archive, path)
        ? openBundle(readBundleFile(archive, basename(path), options))
        : openArchive(archive, basename(path), options);
    },
  };
}

function openFile(path: string, { maxFileBytes, refuseHardLinks }: LocalFilesOptions): LocalSource {
  const name = basename(path);
  const url = fileUrl(shownPath(name));
  return {
    async *list() {
      yield { kind: 'file', url };
    },
    async read(asked) {
      if (pathOfFileUrl(asked) !== shownPath(name)) return { kind: 'gone', reason: 'not this file' };
      return readFileInside([name], { root: dirname(path), maxFileBytes, refuseHardLinks });
    },
  };
}

async function realOrRaise(given: string): Promise<string> {
  try {
    return await realpath(resolve(given));
  } catch (error) {
    const why = errorCodeOf(error) === 'ENOENT' ? 'there is no such file or folder' : errorCodeOf(error);
    throw pinakesError('local.unreadable', { path: shownPath(given), why }, error);
  }
}

/** What the kernel shows as files is about the machine and its processes, never documentation. */
function isSystemPath(path: string): boolean {
  return process.platform !== 'win32' && ['/proc', '/sys', '/dev'].some((root) => isInsideRoot(path, root, '/'));
}
