import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createShortLog } from './open-sqlite-store.ts';

test('removals that overlap leave the write-ahead log at its usual length (finding D11)', async () => {
  const database = new DatabaseSync(':memory:');
  const pagesOfLog = (): unknown => database.prepare('pragma wal_autocheckpoint').get();
  database.exec('pragma wal_autocheckpoint = 64000');
  const withShortLog = createShortLog({ writer: { database } });
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const removals = [withShortLog(() => first.promise), withShortLog(() => second.promise)];
  expect(pagesOfLog()).toEqual({ wal_autocheckpoint: 1000 });
  first.resolve();
  await removals[0];
  expect(pagesOfLog()).toEqual({ wal_autocheckpoint: 1000 });
  second.reject(new Error('it failed'));
  await expect(removals[1]).rejects.toThrow('it failed');
  expect(pagesOfLog()).toEqual({ wal_autocheckpoint: 64_000 });
  database.close();
});
