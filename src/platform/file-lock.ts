// A lock between processes. It is SQLite's own lock on an empty file: the operating system holds it, so it is released with its process,
// however that ends, and a reused process id does no harm.

import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export interface FileLock {
  release(): void;
}

/** SQLITE_BUSY: another connection holds the lock. */
const BUSY = 5;
/** SQLITE_NOTADB */
const NOT_A_DATABASE = 26;

/** A connection that is not referenced would be closed by the garbage collector, and its lock released. */
const openLocks = new Set<DatabaseSync>();

/** SQLite creates a file that every user may read; its log and its index get the rights of the file. */
export function createPrivately(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
}

/** Creates the file if it is missing, and leaves it there. */
export function lockFile(file: string): FileLock | 'held' | 'damaged' {
  createPrivately(file);
  const database = new DatabaseSync(file, { timeout: 500 });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    const { errcode } = error as { errcode?: number };
    if (errcode === NOT_A_DATABASE) return 'damaged';
    if (errcode === BUSY) return 'held';
    throw error;
  }
  openLocks.add(database);
  return {
    release() {
      openLocks.delete(database);
      database.close();
    },
  };
}
