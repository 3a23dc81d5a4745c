// Files that a user names: read up to a size limit, and written atomically.

import { randomUUID } from 'node:crypto';
import { constants, createReadStream, type Stats } from 'node:fs';
import { access, lstat, open, readFile, rename, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pinakesError } from '../core/model/errors.ts';
import { systemReason } from './data-directory.ts';

const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/** Raises `files.unreadable`. */
export async function readText(path: string): Promise<string> {
  try {
    const handle = await open(path, 'r');
    try {
      const { size } = await handle.stat();
      if (size > MAX_TEXT_BYTES) throw new Error('it is too large');
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw pinakesError('files.unreadable', { path, reason: systemReason(error) }, error);
  }
}

const MAX_LINE_CHARS = 64 * 1024;

/** A file of any size, line by line; what a line has beyond its limit is dropped. Raises `files.unreadable`. */
export async function* readLines(path: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const part of createReadStream(path, { encoding: 'utf8' })) {
      const lines = `${rest}${String(part)}`.split('\n');
      rest = (lines.pop() ?? '').slice(0, MAX_LINE_CHARS);
      for (const line of lines) yield line.replace(/\r$/, '').slice(0, MAX_LINE_CHARS);
    }
  } catch (error) {
    throw pinakesError('files.unreadable', { path, reason: systemReason(error) }, error);
  }
  if (rest !== '') yield rest.replace(/\r$/, '');
}

export interface BufferedWriter {
  readonly add: (bytes: Uint8Array) => Promise<void>;
  /** Writes what is buffered, even if that is nothing. */
  readonly flush: () => Promise<void>;
}

/** Combines small writes into larger ones: an archive consists of thousands of them. */
export function createBufferedWriter(
  bufferBytes: number,
  write: (batch: Uint8Array) => Promise<unknown>,
): BufferedWriter {
  let buffered: Uint8Array[] = [];
  let bufferedBytes = 0;

  async function flush(): Promise<void> {
    const batch = Buffer.concat(buffered);
    buffered = [];
    bufferedBytes = 0;
    await write(batch);
  }

  return {
    async add(bytes) {
      buffered.push(bytes);
      bufferedBytes += bytes.byteLength;
      if (bufferedBytes >= bufferBytes) await flush();
    },
    flush,
  };
}

export interface FileWriter {
  /** Absolute. */
  readonly path: string;
  write(bytes: Uint8Array): Promise<void>;
  /** The file is complete and has its name. */
  commit(): Promise<void>;
  /** Leaves nothing behind. Does nothing after a commit. */
  discard(): Promise<void>;
}

/** Whether a file that exists is refused. */
export type WriteMode = 'create' | 'replace';

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const BUFFER_BYTES = 1024 * 1024;

/**
 * Writes to a temporary file next to the target, flushes it and renames it over the target, so that the file is complete or
 * absent. A target that is a symbolic link is refused: the bytes would go somewhere the user did not name. Raises
 * `export.refused`.
 */
export async function openFileWriter(target: string, mode: WriteMode): Promise<FileWriter> {
  const path = resolve(target);
  await checkTarget(path, mode);
  const temporary = temporaryFor(path);
  const handle = await createTemporary(temporary, target);
  const { add, flush } = createBufferedWriter(BUFFER_BYTES, (batch) => handle.writeFile(batch));
  let isOpen = true;
  let exists = true;

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
      await checkTarget(path, mode);
      await rename(temporary, path);
      exists = false;
    },
    async discard() {
      await close();
      if (exists) await unlink(temporary);
      exists = false;
    },
  };
}

/**
 * Changes a text file, or creates it if `change` gets an empty text: read whole, written atomically, with the rights it had. A link, a
 * read-only file and a file that is not UTF-8 stay as they are. Raises `export.refused`.
 */
export async function updateTextFile(
  target: string,
  change: (before: string) => string,
): Promise<'created' | 'written' | 'unchanged'> {
  const path = resolve(target);
  const refused = (reason: string): Error => pinakesError('export.refused', { path, reason });
  const found = await checkTarget(path, 'replace');
  const before = found === null ? '' : await readUtf8(path, refused);
  const after = change(before);
  if (found === null) {
    await replaceFile(path, after, async () => undefined);
    return 'created';
  }
  if (after === before) return 'unchanged';
  if ((found.mode & 0o222) === 0 || !(await isWritable(path))) throw refused('it is read-only');
  await replaceFile(path, after, async (handle) => {
    await handle.chmod(found.mode & 0o7777);
    const now = await checkTarget(path, 'replace');
    if (now?.mtimeMs !== found.mtimeMs || now.ino !== found.ino)
      throw refused('another program changed it in the meantime');
  });
  return 'written';
}

/** `prepare` is called before the file gets its name. */
async function replaceFile(path: string, text: string, prepare: (handle: FileHandle) => Promise<void>): Promise<void> {
  const temporary = temporaryFor(path);
  const handle = await createTemporary(temporary, path);
  try {
    await handle.writeFile(text);
    await prepare(handle);
    await handle.sync();
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}

async function readUtf8(path: string, refused: (why: string) => Error): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw refused(systemReason(error));
  });
  if (bytes.byteLength > MAX_TEXT_BYTES) throw refused('it is too large');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refused('it is not UTF-8 text');
  }
}

async function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Next to the target, so that it can be renamed over it; hidden, and with a unique name. */
export function temporaryFor(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}.part`);
}

async function checkTarget(path: string, mode: WriteMode): Promise<Stats | null> {
  const found = await lstat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw pinakesError('export.refused', { path, reason: 'its folder cannot be read' }, error);
  });
  if (found === null || (found.isFile() && mode === 'replace')) return found;
  if (found.isFile())
    throw pinakesError('export.refused', { path, reason: 'the file already exists; --force replaces it' });
  const reason = found.isSymbolicLink() ? 'it is a link' : found.isDirectory() ? 'it is a folder' : 'it is not a file';
  throw pinakesError('export.refused', { path, reason });
}

async function createTemporary(temporary: string, target: string): Promise<FileHandle> {
  try {
    return await open(temporary, NEW_FILE, 0o644);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'its folder does not exist' : systemReason(error);
    throw pinakesError('export.refused', { path: target, reason }, error);
  }
}
