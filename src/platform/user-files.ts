// Writes a file whole or not at all: into a new file beside the target, flushed, then renamed over it. A target that is a
// link is refused: it would lead the bytes to where nobody looked.

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pinakesError } from '../core/model/errors.ts';
import { gatherBytes } from './gather-bytes.ts';

export interface FileSink {
  /** Absolute. */
  readonly path: string;
  write(bytes: Uint8Array): Promise<void>;
  /** The file is complete and has its name. */
  commit(): Promise<void>;
  /** Leaves nothing behind. Does nothing after a commit. */
  discard(): Promise<void>;
}

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const GATHER_BYTES = 1024 * 1024;

/** Raises `export.refused`. */
export async function openFileSink(given: string): Promise<FileSink> {
  const path = resolve(given);
  await checkTarget(path);
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}.part`);
  const handle = await create(temporary, given);
  const { add, flush } = gatherBytes(GATHER_BYTES, (gathered) => handle.writeFile(gathered));
  let isOpen = true;
  let isThere = true;

  async function close(): Promise<void> {
    if (isOpen) await handle.close();
    isOpen = false;
  }

  return {
    path,
    write: add,
    async commit() {
      await flush();
      await handle.sync();
      await close();
      await checkTarget(path);
      await rename(temporary, path);
      isThere = false;
    },
    async discard() {
      await close();
      if (isThere) await unlink(temporary);
      isThere = false;
    },
  };
}

async function checkTarget(path: string): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw pinakesError('export.refused', { path, why: 'its folder cannot be read' }, error);
  });
  if (found === null || found.isFile()) return;
  const why = found.isSymbolicLink() ? 'it is a link' : found.isDirectory() ? 'it is a folder' : 'it is not a file';
  throw pinakesError('export.refused', { path, why });
}

async function create(temporary: string, given: string): Promise<FileHandle> {
  try {
    return await open(temporary, NEW_FILE, 0o644);
  } catch (error) {
    throw pinakesError('export.refused', { path: given, why: 'its folder is not there or not writable' }, error);
  }
}
