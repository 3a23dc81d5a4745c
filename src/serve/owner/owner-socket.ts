// Where the owner of a data directory listens: a socket in a folder that only this user may enter.
// Another user who could put a socket there would receive every call, and could forge every answer.

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pinakesError } from '../../core/model/errors.ts';
import { uuid } from '../../platform/clock.ts';

export interface OwnerSocket {
  readonly path: string;
  /** New clients no longer find it; connections stay. */
  readonly remove: () => void;
}

const SOCKET = 'owner.sock';
/** The longest socket path that every system accepts. */
const MAX_SOCKET_PATH_BYTES = 100;

const isWindows = process.platform === 'win32';

/** For a client. Null if there is none, or none that only this user could have put there. */
export function findOwnerSocket(dataDir: string): string | null {
  const recorded = readRecord(dataDir);
  if (isWindows) return recorded;
  const candidates = recorded === null ? socketsInside(dataDir) : [recorded];
  return candidates.find((path) => isPrivateFolder(dirname(path)) && isOwn(path)) ?? null;
}

/**
 * For the owner, which holds the lock of the directory, so an existing socket belongs to a process that died. The data
 * directory itself is used if it is private, otherwise a private folder in it; where neither can be, or the path is too long, a
 * new temporary folder, which a file in the data directory names. Raises `owner.untrusted`.
 */
export function prepareOwnerSocket(dataDir: string): OwnerSocket {
  if (isWindows) return recordSocket(dataDir, `\\\\.\\pipe\\pinakes-${uuid()}`);
  const inside = socketsInside(dataDir).find(
    (path) => Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES && makePrivate(dirname(path), dataDir),
  );
  if (inside === undefined) return recordSocket(dataDir, join(temporaryFolder(dataDir), SOCKET));
  rmSync(recordOf(dataDir), { force: true });
  return withoutLeftover(inside, () => undefined);
}

function socketsInside(dataDir: string): readonly string[] {
  const directory = resolve(dataDir);
  return [join(directory, SOCKET), join(directory, 'run', SOCKET)];
}

function withoutLeftover(path: string, release: () => void): OwnerSocket {
  const remove = (): void => {
    if (!isWindows) rmSync(path, { force: true });
    release();
  };
  if (!isWindows) rmSync(path, { force: true });
  return { path, remove };
}

/** The folder of an owner that was killed is used again. */
function temporaryFolder(dataDir: string): string {
  const recorded = readRecord(dataDir);
  if (recorded !== null && isPrivateFolder(dirname(recorded))) return dirname(recorded);
  const prefix = 'pinakes-';
  const isUsable = (folder: string): boolean =>
    existsSync(folder) && Buffer.byteLength(join(folder, `${prefix}XXXXXX`, SOCKET)) <= MAX_SOCKET_PATH_BYTES;
  const folder = [process.env['XDG_RUNTIME_DIR'] ?? '', tmpdir()].find(isUsable) ?? '/tmp';
  return mkdtempSync(join(folder, prefix));
}

function recordSocket(dataDir: string, path: string): OwnerSocket {
  const record = recordOf(dataDir);
  try {
    rmSync(record, { force: true });
    writeFileSync(record, path, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw pinakesError('owner.untrusted', { path: record }, error);
  }
  return withoutLeftover(path, () => {
    rmSync(record, { force: true });
    if (!isWindows) rmSync(dirname(path), { recursive: true, force: true });
  });
}

function recordOf(dataDir: string): string {
  return join(resolve(dataDir), 'owner.socket');
}

function readRecord(dataDir: string): string | null {
  const record = recordOf(dataDir);
  return isOwn(record) ? readFileSync(record, 'utf8') : null;
}

/** Only a folder that Pinakes makes gets its rights; the data directory may have been there before. */
function makePrivate(folder: string, dataDir: string): boolean {
  if (folder !== resolve(dataDir)) {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    if (isOwn(folder) && lstatSync(folder).isDirectory()) chmodSync(folder, 0o700);
  }
  return isPrivateFolder(folder);
}

function isPrivateFolder(folder: string): boolean {
  if (!isOwn(folder)) return false;
  const found = lstatSync(folder);
  return found.isDirectory() && (found.mode & 0o077) === 0;
}

/** Whether it exists and belongs to this user. A link is not followed: it has its own owner. */
function isOwn(path: string): boolean {
  const found = statOf(path);
  return found !== null && (isWindows || found.uid === process.geteuid?.());
}

/** Null if nothing is there. Where a part of the path is a file, the data directory is; opening it reports that. */
function statOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
