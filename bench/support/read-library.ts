// Opens the library of a folder to read it, as a benchmark.

import type { Store } from '../../src/store/port.ts';
import { openSqliteReader } from '../../src/store/sqlite/open-sqlite-store.ts';

export function openLibraryReader(directory: string): Promise<Store> {
  const owner = { pid: process.pid, command: 'bench', since: new Date().toISOString() };
  return openSqliteReader({ directory, owner, startDelayMs: 1000, maxAttempts: 8 });
}
