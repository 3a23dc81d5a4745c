// One process owns a data directory, and says which one it is in a file next to the lock.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pinakesError } from '../../core/model/errors.ts';
import { createDataDirectory } from '../../platform/data-directory.ts';
import { lockFile, type FileLock } from '../../platform/file-lock.ts';

export type OwnerLock = FileLock;

export interface Owner {
  readonly pid: number;
  readonly command: string;
  readonly since: string;
}

/** Creates the directory if it is missing. Raises `database.owned`, which names the first owner, within a second. */
export function lockDataDirectory(directory: string, owner: Owner): OwnerLock {
  createDataDirectory(directory);
  const lock = lockFile(join(directory, 'owner.lock'));
  if (lock === 'damaged')
    throw pinakesError('database.directory', { directory, reason: 'its file owner.lock is damaged; delete it' });
  if (lock === 'held') throw pinakesError('database.owned', { directory, ...readOwner(directory) });
  writeFileSync(join(directory, 'owner.json'), JSON.stringify(owner), { mode: 0o600 });
  return lock;
}

function readOwner(directory: string): { pid: number | string; command: string; since: string } {
  try {
    return JSON.parse(readFileSync(join(directory, 'owner.json'), 'utf8')) as Owner;
  } catch {
    // The owner has the lock and has not written its name yet.
    return { pid: 'unknown', command: 'pinakes', since: 'just now' };
  }
}
