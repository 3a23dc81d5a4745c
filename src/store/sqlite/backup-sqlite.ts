// Copies a database while others write to it: one snapshot, taken whole, without keeping anybody waiting.

import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pinakesError } from '../../core/model/errors.ts';

/** Raises `export.refused` for a file that is there. */
export function backupSqlite(database: string, file: string): void {
  if (existsSync(file)) throw pinakesError('export.refused', { path: file, why: 'there is a file already' });
  const temporary = `${file}.part`;
  rmSync(temporary, { force: true });
  const connection = new DatabaseSync(database, { readOnly: true, timeout: 5000 });
  try {
    connection.prepare('vacuum into ?').run(temporary);
    chmodSync(temporary, 0o600);
    renameSync(temporary, file);
  } finally {
    connection.close();
    rmSync(temporary, { force: true });
  }
}
