// A damaged library is named with its remedy, and a data directory that cannot be used with the reason: no stack traces.

import { existsSync, openSync, rmSync, writeFileSync, writeSync, closeSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { fillStore } from '../../support/fill-store.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { TEST_SETTINGS, thisOwner } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { run, type ProgramResult } from '../../support/program.ts';

const folder = temporaryDirectory();
afterAll(() => rmSync(folder, { recursive: true }));

const isClean = ({ stdout, stderr }: ProgramResult): boolean => !`${stdout}${stderr}`.includes('    at ');

const PAGE_BYTES = 4096;

interface Root {
  readonly rootpage: number;
}

/** Overwrites a page in the middle of the file, as a bad disk would; opening the library does not read it. */
async function createDamagedLibrary(): Promise<string> {
  const directory = join(folder, 'damaged');
  const store = openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner });
  await fillStore(store);
  await store.close();
  const path = join(directory, 'pinakes.db');
  const database = new DatabaseSync(path, { readOnly: true });
  const { rootpage } = database
    .prepare(`select rootpage from sqlite_master where name = 'documents'`)
    .get() as unknown as Root;
  database.close();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, (rootpage - 1) * PAGE_BYTES);
  closeSync(file);
  return directory;
}

test('a file that is not a database is named with its remedy (finding T2.4)', async () => {
  const directory = join(folder, 'text');
  mkdirSync(directory);
  writeFileSync(join(directory, 'pinakes.db'), 'hello\n');
  const listed = await run({ PINAKES_DATA_DIR: directory }, ['list']);
  // This one starts a process in the background, which fails; its error is the error of the command.
  const added = await run({ PINAKES_DATA_DIR: directory }, ['add', 'https://docs.example.dev']);
  for (const ended of [listed, added]) {
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^The database is damaged: file is not a database\.\n.*pinakes restore FILE/);
    expect(ended.stderr.split('\n')).toHaveLength(3);
  }
});

test('verify, doctor and backup name damaged pages of the file (finding N16)', async () => {
  const PINAKES_DATA_DIR = await createDamagedLibrary();
  const backup = join(folder, 'backup.db');
  const verified = await run({ PINAKES_DATA_DIR }, ['verify']);
  expect(verified).toMatchObject({ code: 1, stdout: expect.stringMatching(/^files .*\n/) });
  expect(verified.stdout).toContain('Restore a backup: pinakes restore FILE');
  const examined = await run({ PINAKES_DATA_DIR }, ['doctor']);
  expect(examined).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/!! database .*damaged.*\n.*pinakes verify/),
  });
  const backedUp = await run({ PINAKES_DATA_DIR }, ['backup', backup]);
  expect(backedUp).toMatchObject({ code: 1, stderr: expect.stringContaining('The database is damaged') });
  expect(existsSync(backup)).toBe(false);
  expect([verified, examined, backedUp].every(isClean)).toBe(true);
});

test('a library is restored over a damaged one', async () => {
  const directory = join(folder, 'restored');
  await openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner }).close();
  const settings = { PINAKES_DATA_DIR: directory };
  const backup = join(folder, 'good.db');
  expect(await run(settings, ['backup', backup])).toMatchObject({ code: 0 });
  writeFileSync(join(directory, 'pinakes.db'), 'hello\n');
  expect(await run(settings, ['restore', backup])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('before-'),
  });
  expect(await run(settings, ['list'])).toMatchObject({ code: 0 });
});

test('a data directory that is a file is named (finding T2.4)', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  for (const args of [['list'], ['add', 'https://docs.example.dev']]) {
    const ended = await run({ PINAKES_DATA_DIR: file }, args);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^Cannot use the data directory .*: it is a file\.\n.*PINAKES_DATA_DIR/);
  }
});
