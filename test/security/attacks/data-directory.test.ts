// The data directory is the folder of another user, or one that others use too.

import { chmodSync, chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { checkDirectory } from '../../../src/platform/check-machine.ts';
import { TEST_SETTINGS, thisOwner } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { LINUX, ROOT } from '../../support/needs.ts';

const rights = (path: string): number => statSync(path).mode & 0o7777;

test('an existing folder keeps its rights, and its library is private (finding T2.2)', async () => {
  const root = temporaryDirectory();
  for (const mode of [0o1777, 0o755]) {
    const directory = join(root, mode.toString(8));
    mkdirSync(directory);
    chmodSync(directory, mode);
    await openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner }).close();
    expect(rights(directory)).toBe(mode);
    for (const name of ['pinakes.db', 'owner.lock', 'owner.json'])
      expect(rights(join(directory, name)), name).toBe(0o600);
    expect(checkDirectory(directory)).toMatchObject({
      state: 'ok',
      hint: expect.stringContaining('chmod 700') as string,
    });
  }
  const directory = join(root, 'new', 'library');
  await openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner }).close();
  expect(rights(directory)).toBe(0o700);
  expect(checkDirectory(directory).hint).toBeNull();
  rmSync(root, { recursive: true });
});

test('a data directory that cannot be created is an error, even below /proc (finding T28)', LINUX, () => {
  expect(checkDirectory('/proc/pinakes/library')).toMatchObject({ state: 'failed' });
});

test('folders above a new data directory are created, and a file in its place is named (finding T28)', () => {
  const root = temporaryDirectory();
  const directory = join(root, 'a', 'b');
  expect(checkDirectory(directory)).toMatchObject({ state: 'ok', hint: null });
  writeFileSync(join(root, 'file'), '');
  expect(checkDirectory(join(root, 'file')).detail).toContain('it is a file');
  expect(checkDirectory(join(root, 'file', 'below')).detail).toContain('part of its path is a file');
  rmSync(root, { recursive: true });
});

const UID = 10_001;

test('a volume that belongs to root and the group of the user works (finding N19)', ROOT, async () => {
  const root = temporaryDirectory();
  chmodSync(root, 0o755);
  const directory = join(root, 'volume');
  mkdirSync(directory);
  chownSync(directory, 0, UID);
  chmodSync(directory, 0o2775);
  process.setegid!(UID);
  process.seteuid!(UID);
  try {
    await openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner }).close();
  } finally {
    process.seteuid!(0);
    process.setegid!(0);
  }
  expect(statSync(join(directory, 'pinakes.db'))).toMatchObject({ uid: UID });
  expect(rights(directory)).toBe(0o2775);
  rmSync(root, { recursive: true });
});
