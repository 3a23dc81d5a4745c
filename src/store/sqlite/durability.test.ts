// What must be on the disk before the program goes on.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TEST_SETTINGS, thisOwner } from '../../../test/support/stores.ts';
import { temporaryDirectory } from '../../../test/support/temporary-folder.ts';
import { backupSqlite, restoreSqlite } from './backup-restore.ts';
import { openSqliteReader, openSqliteStore } from './open-sqlite-store.ts';
import { openSqliteEngine } from './sqlite-engine.ts';
import { createWriteLock } from './write-lock.ts';

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => fs.rmSync(directory, { recursive: true }));

const options = () => ({ ...TEST_SETTINGS, directory, owner: thisOwner });

test('a commit reaches the disk itself on macOS (finding N30)', async () => {
  await openSqliteStore(options()).close();
  const file = join(directory, 'pinakes.db');
  const engine = openSqliteEngine(file, { now: Date.now, writeLock: createWriteLock(), servesRequests: false });
  const pragma = (name: string) => Object.values(engine.writer.database.prepare(`pragma ${name}`).get() ?? {});
  expect([pragma('synchronous'), pragma('fullfsync'), pragma('checkpoint_fullfsync')]).toEqual([[2], [1], [1]]);
  await engine.close();
});

/** Records flushes and renames by the name of the file or folder. */
async function recorded(work: () => unknown): Promise<readonly string[]> {
  const { openSync, fsyncSync, renameSync } = fs;
  const steps: string[] = [];
  const paths = new Map<number, string>();
  const short = (path: fs.PathLike): string =>
    String(path)
      .replace(directory, '.')
      .replace(/before-.*/, 'before');
  fs.openSync = (path, ...rest) => {
    const file = openSync(path, ...rest);
    paths.set(file, short(path));
    return file;
  };
  fs.fsyncSync = (file) => {
    steps.push(`flush ${paths.get(file)}`);
    fsyncSync(file);
  };
  fs.renameSync = (from, to) => {
    steps.push(`rename to ${short(to)}`);
    renameSync(from, to);
  };
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    Object.assign(fs, { openSync, fsyncSync, renameSync });
    syncBuiltinESMExports();
  }
  return steps;
}

test('a restore has both libraries on the disk before it replaces one by the other (finding N31)', async () => {
  await openSqliteStore(options()).close();
  const backup = join(directory, 'backup.db');
  const backupSteps = await recorded(() => backupSqlite(join(directory, 'pinakes.db'), backup));
  expect(backupSteps.map((step) => step.replace(/\.[0-9a-f-]{36}\.part$/, '.part'))).toEqual([
    'flush ./backup.db.part',
    'rename to ./backup.db',
    'flush .',
  ]);
  expect(await recorded(() => restoreSqlite(directory, backup, thisOwner))).toEqual([
    'flush ./pinakes.db.incoming',
    'flush ./pinakes.db.before',
    'flush .',
    'rename to ./pinakes.db',
    'flush .',
  ]);
});

test('a reader that has created the library has left it to other processes (finding B26)', async () => {
  const reader = await openSqliteReader(options());
  const settings = JSON.stringify({ ...TEST_SETTINGS, directory });
  const module = JSON.stringify(new URL('./open-sqlite-store.ts', import.meta.url).href);
  execFileSync(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { openSqliteStore } from ${module};
     const owner = { pid: process.pid, command: 'another process', since: new Date().toISOString() };
     const store = openSqliteStore({ ...${settings}, owner });
     await store.hosts.adjust('x.dev', (state) => ({ ...state, delayMs: 4321 }));
     await store.close();`,
  ]);
  expect(await reader.hosts.get('x.dev')).toMatchObject({ delayMs: 4321 });
  await reader.close();
});
