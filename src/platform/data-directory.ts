// The data directory: created when it is missing, with a sentence when it cannot be used.

import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pinakesError } from '../core/model/errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'it is a file',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'its disk is full',
  ENOTDIR: 'part of its path is a file',
  EPERM: 'permission denied',
  EROFS: 'its file system is read-only',
};

/** An error of the file system, in words. */
export function systemReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? message;
}

/** Only this user may enter a directory that it creates. Raises `database.directory`. */
export function createDataDirectory(directory: string): void {
  try {
    makePrivateFolder(directory);
  } catch (error) {
    throw pinakesError('database.directory', { directory, reason: systemReason(error) }, error);
  }
}

/** With the folders above it. Not `recursive`, which never returns below `/proc`, where nothing can be created. */
export function makePrivateFolder(directory: string): void {
  const missing: string[] = [];
  for (let path = resolve(directory); !existsSync(path); path = dirname(path)) missing.unshift(path);
  for (const path of missing.length === 0 ? [resolve(directory)] : missing) {
    try {
      mkdirSync(path, { mode: 0o700 });
    } catch (error) {
      // Another process may have created it.
      if (!existsSync(path) || !statSync(path).isDirectory()) throw error;
    }
  }
}
