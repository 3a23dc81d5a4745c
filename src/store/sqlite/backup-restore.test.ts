import { mkdirSync, readdirSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { openTestSqlite, TEST_SETTINGS, thisOwner } from '../../../test/support/stores.ts';
import { temporaryDirectory } from '../../../test/support/temporary-folder.ts';
import type { Store } from '../port.ts';
import { restoreSqlite } from './backup-restore.ts';
import { openSqliteStore } from './open-sqlite-store.ts';

const folder = temporaryDirectory();
afterAll(() => rmSync(folder, { recursive: true }));

const open = (name: string): Store =>
  openSqliteStore({ ...TEST_SETTINGS, directory: join(folder, name), owner: thisOwner });

async function tokensOf(name: string): Promise<readonly string[]> {
  const store = open(name);
  const tokens = await store.tokens.list();
  await store.close();
  return tokens.map((token) => token.name);
}

test('a restore keeps the tokens of the present library and revives none of the backup (finding N18)', async () => {
  const file = join(folder, 'backup.db');
  const store = open('present');
  await store.tokens.add({ name: 'kept', role: 'read', hash: 'a' });
  await store.tokens.add({ name: 'revoked', role: 'admin', hash: 'b' });
  await store.backup(file);
  await store.tokens.revoke('revoked');
  await store.tokens.add({ name: 'later', role: 'read', hash: 'c' });
  await store.close();

  expect(restoreSqlite(join(folder, 'present'), file, thisOwner)).toMatchObject({ droppedTokens: ['revoked'] });
  expect(await tokensOf('present')).toEqual(['kept', 'later']);
  expect(restoreSqlite(join(folder, 'empty'), file, thisOwner)).toEqual({
    previous: null,
    droppedTokens: ['kept', 'revoked'],
  });
  expect(await tokensOf('empty')).toEqual([]);
});

test('a damaged library is restored, without its tokens', async () => {
  const file = join(folder, 'good.db');
  const store = open('good');
  await store.tokens.add({ name: 'one', role: 'read', hash: 'a' });
  await store.backup(file);
  await store.close();
  mkdirSync(join(folder, 'damaged'));
  writeFileSync(join(folder, 'damaged', 'pinakes.db'), 'not a database, but longer than its header'.repeat(50));
  expect(restoreSqlite(join(folder, 'damaged'), file, thisOwner)).toMatchObject({ droppedTokens: ['one'] });
  expect(await tokensOf('damaged')).toEqual([]);
});

test('a backup is closed to others from the first byte, under a name that nobody knows (finding N25)', async () => {
  const target = join(folder, 'inner');
  mkdirSync(target);
  const umask = process.umask(0o022);
  const { store, close } = await openTestSqlite();
  const seen = new Set<string>();
  const watcher = watch(target, (_, name) => void seen.add(name ?? ''));
  try {
    // Someone else guessed the name of the unfinished file.
    mkdirSync(join(target, 'library.db.part'));
    await store.backup(join(target, 'library.db'));
    await wait(100);
  } finally {
    watcher.close();
    process.umask(umask);
    await close();
  }
  expect(statSync(join(target, 'library.db')).mode & 0o777).toBe(0o600);
  expect(readdirSync(target).toSorted()).toEqual(['library.db', 'library.db.part']);
  expect([...seen].filter((name) => /^library\.db\.[\da-f-]{36}\.part$/.test(name))).toHaveLength(1);
});
