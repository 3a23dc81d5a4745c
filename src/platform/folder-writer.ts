// A folder of files that a user names, written as a whole: complete or absent.

import type { Dirent } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pinakesError } from '../core/model/errors.ts';
import { systemReason } from './data-directory.ts';
import { temporaryFor, type WriteMode } from './user-files.ts';

export interface FolderWriter {
  /** Absolute. */
  readonly path: string;
  /** `name` is relative, with slashes, and stays inside the folder: the caller has made it safe. */
  write(name: string, text: string): Promise<void>;
  /** The folder is complete and has its name. */
  commit(): Promise<void>;
  /** Leaves nothing behind. Does nothing after a commit. */
  discard(): Promise<void>;
}

/** Says that a folder was written here. An export has no other hidden name, so a folder that has one is not ours. */
const MARKER = '.pinakes-export';
const MARKER_TEXT = 'Written by pinakes export, which replaces the whole folder with --force.\n';

/**
 * Writes to a temporary folder next to the target and renames it. A target that exists must be empty; with `replace` it may be a folder that was
 * written here before, and nothing else. Raises `export.refused`.
 */
export async function openFolderWriter(target: string, mode: WriteMode): Promise<FolderWriter> {
  const path = resolve(target);
  const refused = (reason: string, cause?: unknown): Error => pinakesError('export.refused', { path, reason }, cause);
  await checkFolder(path, mode, refused);
  const temporary = temporaryFor(path);
  await mkdir(temporary).catch((error: NodeJS.ErrnoException) => {
    throw refused(error.code === 'ENOENT' ? 'its folder does not exist' : systemReason(error), error);
  });
  const made = new Set<string>([temporary]);
  let exists = true;

  async function write(name: string, text: string): Promise<void> {
    const file = join(temporary, name);
    const folder = dirname(file);
    if (!made.has(folder)) await mkdir(folder, { recursive: true });
    made.add(folder);
    await writeFile(file, text, { flag: 'wx' });
  }

  return {
    path,
    write,
    async commit() {
      await write(MARKER, MARKER_TEXT);
      const isReplaced = await checkFolder(path, mode, refused);
      const previous = temporaryFor(path);
      if (isReplaced) await rename(path, previous);
      await rename(temporary, path);
      exists = false;
      if (isReplaced) await rm(previous, { recursive: true, force: true });
    },
    async discard() {
      if (exists) await rm(temporary, { recursive: true, force: true });
      exists = false;
    },
  };
}

/** Whether there is a folder that may be replaced. */
async function checkFolder(
  path: string,
  mode: WriteMode,
  refused: (why: string, cause?: unknown) => Error,
): Promise<boolean> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw refused(error.code === 'ENOTDIR' ? 'it is a file, and the pages need a folder' : systemReason(error), error);
  });
  if (entries === null) return false;
  if (entries.length === 0) return true;
  const isExport = entries.some(isMarker);
  if (!isExport) throw refused('the folder is not empty, and not an export');
  if (mode === 'create') throw refused('the folder has an earlier export; --force replaces it');
  const foreign = entries.find((entry) => entry.name.startsWith('.') && !isMarker(entry));
  if (foreign !== undefined) throw refused(`the folder also has ${foreign.name}, which an export would remove`);
  return true;
}

function isMarker(entry: Dirent): boolean {
  return entry.name === MARKER && entry.isFile();
}
