import { mkdirSync, readdirSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { settlePages } from '../../../test/support/qdrant-library.ts';
import { indexAll } from '../../../test/support/run-fixture.ts';
import { openTestSqlite, TEST_SETTINGS, thisOwner } from '../../../test/support/stores.ts';
import { temporaryDirectory } from '../../../test/support/temporary-folder.ts';
import { makePages } from '../../../test/support/zipf-pages.ts';
import { sha256Hex } from '../../core/model/hash.ts';
import type { Store } from '../port.ts';
import type { NewToken } from '../port/tokens.ts';
import { restoreSqlite } from './backup-restore.ts';
import { openSqliteStore } from './open-sqlite-store.ts';

const folder = temporaryDirectory();
afterAll(() => rmSync(folder, { recursive: true }));

const open = (name: string): Store =>
  openSqliteStore({ ...TEST_SETTINGS, directory: join(folder, name), owner: thisOwner });

async function tokensOf(name: string): Promise<readonly string[]> {
  const store = open(name);
  const tokens = await store.tokens.list({ after: null, limit: 100 });
  await store.close();
  return tokens.map((token) => token.name);
}

const tokenNamed = (name: string, hash: string, role: NewToken['role']): NewToken => ({
  name,
  role,
  hash,
  sources: null,
  expiresInMs: null,
  requestsPerMinute: null,
});

test('a restore keeps the tokens of the present library and revives none of the backup (finding N18)', async () => {
  const file = join(folder, 'backup.db');
  const store = open('present');
  await store.tokens.add(tokenNamed('kept', 'a', 'read'));
  await store.tokens.add(tokenNamed('revoked', 'b', 'admin'));
  await store.backup(file);
  await store.tokens.revoke('revoked');
  await store.tokens.add(tokenNamed('later', 'c', 'read'));
  await store.close();

  expect(restoreSqlite(join(folder, 'present'), file, thisOwner)).toMatchObject({ droppedTokens: ['revoked'] });
  expect(await tokensOf('present')).toEqual(['kept', 'later']);
  expect(restoreSqlite(join(folder, 'empty'), file, thisOwner)).toEqual({
    previous: null,
    droppedTokens: ['kept', 'revoked'],
    disabledWebhooks: [],
  });
  expect(await tokensOf('empty')).toEqual([]);
});

test('a restored library is for its user alone, as any other (finding V36)', async () => {
  const file = join(folder, 'private.db');
  const store = open('private');
  await store.backup(file);
  await store.close();
  const umask = process.umask(0);
  try {
    const { previous } = restoreSqlite(join(folder, 'private'), file, thisOwner);
    restoreSqlite(join(folder, 'private-new'), file, thisOwner);
    const written = [join(folder, 'private', 'pinakes.db'), join(folder, 'private-new', 'pinakes.db'), file];
    expect(previous).not.toBeNull();
    for (const path of written) expect(statSync(path).mode & 0o077, path).toBe(0);
  } finally {
    process.umask(umask);
  }
});

/** Writes to a backup as an attacker would. */
function tamper(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

test('a restore executes nothing of the backup (finding V13)', async () => {
  const file = join(folder, 'planted.db');
  const store = open('attacked');
  await store.backup(file);
  await store.tokens.add(tokenNamed('kept', 'a', 'read'));
  await store.close();
  const plant = `insert into tokens (name, role, hash, created_at) values ('planted', 'admin', 'b', 0)`;
  tamper(
    file,
    `create trigger planted after insert on tokens when new.name <> 'planted' begin ${plant}; end;
     create trigger waiting after update on change_log begin ${plant}; end;
     create view spare as select 1; create table more (a); create index more_a on more (a)`,
  );
  restoreSqlite(join(folder, 'attacked'), file, thisOwner);
  expect(await tokensOf('attacked')).toEqual(['kept']);
  expect(objectsOf('attacked')).toEqual(objectsOf('present'));

  tamper(file, `alter table webhooks rename to w; create view webhooks as select * from w`);
  expect(() => restoreSqlite(join(folder, 'attacked'), file, thisOwner)).toThrow('its table webhooks is not that of');
  expect(await tokensOf('attacked')).toEqual(['kept']);
  expect(readdirSync(join(folder, 'attacked')).filter((name) => name.includes('incoming'))).toEqual([]);
});

function objectsOf(name: string): readonly unknown[] {
  const database = new DatabaseSync(join(folder, name, 'pinakes.db'), { readOnly: true });
  const rows = database.prepare('select type, name, sql from sqlite_master order by type, name').all();
  database.close();
  return rows.map((row) => Object.values(row));
}

test('a restore brings every row back, and webhooks as disabled (finding V13)', async () => {
  const file = join(folder, 'rows.db');
  const store = open('rows');
  await settlePages(store, makePages(20));
  await indexAll(store);
  const hook = { name: 'hook', url: 'https://hooks.example', source: null, secret: 's', position: 0 };
  await store.webhooks.add(hook);
  await store.backup(file);
  await store.webhooks.remove('hook');
  await store.close();
  const before = rowsOf(file);
  expect(restoreSqlite(join(folder, 'rows'), file, thisOwner)).toMatchObject({ disabledWebhooks: ['hook'] });
  const after = rowsOf(join(folder, 'rows', 'pinakes.db'));
  expect(after.filter((row, at) => row !== before[at])).toEqual([
    expect.stringContaining('change_log'),
    expect.stringContaining('webhooks'),
  ]);
  const restored = open('rows');
  expect(await restored.verify()).toEqual([]);
  expect(await restored.webhooks.list()).toEqual([expect.objectContaining({ name: 'hook', state: 'disabled' })]);
  expect(await restored.webhooks.lease('worker', 1000)).toBeNull();
  await restored.close();
});

/** One line for each table, with a digest of its rows. */
function rowsOf(file: string): readonly string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare(`select name from sqlite_master where type = 'table' order by name`).all();
  const lines = tables.map(({ name }) => {
    const rows = database.prepare(`select * from "${String(name)}"`).all();
    return `${String(name)} ${rows.length} ${sha256Hex(JSON.stringify(rows))}`;
  });
  database.close();
  return lines;
}

test('a damaged library is restored, without its tokens', async () => {
  const file = join(folder, 'good.db');
  const store = open('good');
  await store.tokens.add(tokenNamed('one', 'a', 'read'));
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
