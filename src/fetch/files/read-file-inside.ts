// Opens one file inside a root, even while the folder changes. The file is opened first and checked afterwards: what is
// checked is what is read, so a link swapped in between gains nothing.

import type { Reason } from '../../core/outcome/reasons.table.ts';
import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isInsideRoot } from '../../core/files/path-verdict.ts';
import type { Sha256 } from '../../core/model/hash.ts';
import { requireErrorCode } from '../system-error-code.ts';

export interface FileRules {
  /** Resolved once, when the source was opened. */
  readonly root: string;
  readonly maxFileBytes: number;
  /** Refuse a file with more than one hard link: it may be a file from outside the root. */
  readonly refuseHardLinks: boolean;
}

export type FileOutcome =
  | { readonly kind: 'read'; readonly body: Uint8Array; readonly hash: Sha256 }
  | { readonly kind: 'not-found'; readonly reason: Reason }
  | { readonly kind: 'refused'; readonly reason: Reason }
  | { readonly kind: 'failed'; readonly reason: Reason };

/** A pipe must not block, and a link must not be followed. */
export const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Error codes that reveal what kind of entry it is. */
const NOT_A_FILE: Readonly<Record<string, Reason>> = {
  ELOOP: 'link',
  EMLINK: 'link',
  ENXIO: 'special-file',
  EISDIR: 'folder',
};

export async function readFileInside(segments: readonly string[], rules: FileRules): Promise<FileOutcome> {
  const path = join(rules.root, ...segments);
  let handle: FileHandle;
  try {
    handle = await open(path, READ_FLAGS);
  } catch (error) {
    return outcomeOfError(error);
  }
  try {
    return await readOpened(handle, path, rules);
  } catch (error) {
    return outcomeOfError(error);
  } finally {
    await handle.close();
  }
}

async function readOpened(handle: FileHandle, path: string, rules: FileRules): Promise<FileOutcome> {
  const stat = await handle.stat();
  if (!stat.isFile()) return { kind: 'refused', reason: stat.isDirectory() ? 'folder' : 'special-file' };
  if (rules.refuseHardLinks && stat.nlink > 1) return { kind: 'refused', reason: 'hard-link' };
  const real = await realName(handle, path);
  if (!isInsideRoot(real, rules.root, sep)) return { kind: 'refused', reason: 'outside-root' };
  if (!isSameName(real, path)) return { kind: 'refused', reason: 'link' };
  if (stat.size > rules.maxFileBytes) return tooLarge(rules);
  const body = await readUpTo(handle, stat.size, rules.maxFileBytes);
  return body === null ? tooLarge(rules) : { kind: 'read', body, hash: hash('sha256', body) as Sha256 };
}

/** Where the opened file really is. Linux reports it for the handle itself; elsewhere the path is resolved again. */
async function realName(handle: FileHandle, path: string): Promise<string> {
  if (process.platform === 'linux') return readlink(`/proc/self/fd/${handle.fd}`);
  const real = await realpath(path);
  const there = await open(real, READ_FLAGS);
  try {
    const [opened, found] = await Promise.all([handle.stat(), there.stat()]);
    return opened.dev === found.dev && opened.ino === found.ino ? real : '';
  } finally {
    await there.close();
  }
}

/** Some file systems ignore case or normalise accents differently. */
function isSameName(real: string, path: string): boolean {
  if (real === path) return true;
  return process.platform !== 'linux' && real.normalize().toLowerCase() === path.normalize().toLowerCase();
}

/** The current content, even when the file grows or shrinks while it is read. Null above the cap. */
async function readUpTo(handle: FileHandle, size: number, maxBytes: number): Promise<Uint8Array | null> {
  let buffer = new Uint8Array(size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.byteLength - length, length);
    if (bytesRead === 0) return buffer.slice(0, length);
    length += bytesRead;
    if (length > maxBytes) return null;
    if (length < buffer.byteLength) continue;
    const larger = new Uint8Array(Math.min(buffer.byteLength * 2, maxBytes + 1));
    larger.set(buffer);
    buffer = larger;
  }
}

function tooLarge({ maxFileBytes }: FileRules): FileOutcome {
  return { kind: 'refused', reason: `too-large: more than ${maxFileBytes} bytes` };
}

function outcomeOfError(error: unknown): FileOutcome {
  const code = requireErrorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'not-found', reason: 'no-such-file' };
  const reason = NOT_A_FILE[code];
  return reason === undefined ? { kind: 'failed', reason: `unreadable-file: ${code}` } : { kind: 'refused', reason };
}
