// One process owns a data directory. The lock is SQLite's own lock on a small file: the operating system holds it, so it is
// released with its process, however that ends, and a reused process id does no harm.

import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pinakesError } from '../../core/model/errors.ts';
import { createDataDirectory } from '../../platform/data-directory.ts';

export interface OwnerLock {
  release(): void;
}

export interface Owner {
  readonly pid: number;
  readonly command: string;
  readonly since: string;
}

/** SQLITE_BUSY: another connection holds the lock. */
const BUSY = 5;
/** SQLITE_NOTADB */
const NOT_A_DATABASE = 26;

/** Creates the directory if it is missing. Raises `database.owned`, which names the first owner, within a second. */
export function lockDataDirectory(directory: string, owner: Owner): OwnerLock {
  createDataDirectory(directory);
  const file = join(directory, 'owner.lock');
  createPrivately(file);
  const database = new DatabaseSync(file, { timeout: 500 });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    const { errcode } = error as { errcode?: number };
    if (errcode === NOT_A_DATABASE)
      throw pinakesError(
        'database.directory',
        { directory, reason: 'its file owner.lock is damaged; delete it' },
        error,
      );
    if (errcode !== BUSY) throw error;
    throw pinakesError('database.owned', { directory, ...readOwner(directory) }, error);
  }
  writeFileSync(join(directory, 'owner.json'), JSON.stringify(owner), { mode: 0o600 });
  openLocks.add(database);
  return {
    release() {
      openLocks.delete(database);
      database.close();
    },
  };
}

/** SQLite creates a file that every user may read; its log and its index get the rights of the file. */
export function createPrivately(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
}

/** A connection that is not referenced would be closed by the garbage collector, and its lock released. */
const openLocks = new Set<DatabaseSync>();

function readOwner(directory: string): { pid: number | string; command: string; since: string } {
  try {
    return JSON.parse(readFileSync(join(directory, 'owner.json'), 'utf8')) as Owner;
  } catch {
    // The owner has the lock and has not written its name yet.
    return { pid: 'unknown', command: 'pinakes', since: 'just now' };
  }
}
