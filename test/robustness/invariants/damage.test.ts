// Damage that no statement of the store could have caused: lost postings, rows that refer to nothing, an index of PostgreSQL that
// lacks a row.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresCopies, sqliteCopies, type FilledCopies } from './filled-copies.ts';

describe('SQLite', () => damageOf(sqliteCopies()));
describe('PostgreSQL', () => damageOf(postgresCopies()));

function damageOf(copies: FilledCopies): void {
  beforeAll(() => copies.create());
  afterAll(() => copies.remove());

  async function damageAfter(sql: string) {
    const { store, sql: plant, close } = await copies.copy();
    await plant(sql);
    const { violations } = await store.findDamage('full');
    await close();
    return violations.map(({ invariant, remedy }) => `${invariant}: ${remedy}`);
  }

  test('an intact store has none', async () => {
    expect(await damageAfter('select 1')).toEqual([]);
  });

  test('postings that were lost are found by the checksum of their segment (finding N16)', async () => {
    const lost = `delete from search_postings where term = (select max(term) from search_postings)`;
    expect(await damageAfter(lost)).toContain('checksum: reindex');
  });

  test('an index that does not match the chunks is found by a sample (finding N16)', async () => {
    const lost = `update search_segments set checksum = 0; delete from search_postings`;
    expect(new Set(await damageAfter(lost))).toEqual(new Set(['sample: reindex']));
  });

  if (copies.engine === 'sqlite')
    test('a row that refers to nothing is found (finding N16)', async () => {
      expect(await damageAfter('delete from sources')).toContain('files: restore');
    });
  else {
    test('without the extension amcheck the report says what was not checked', async () => {
      const { store, close } = await copies.copy();
      expect((await store.findDamage('full')).skipped).toMatchObject([
        expect.stringContaining('create extension amcheck'),
      ]);
      await close();
    });

    test('a row that its index lacks is found by amcheck (finding N16)', async () => {
      const switchIndex = (on: boolean): string =>
        `update pg_index set indisready = ${on}, indisvalid = ${on} where indexrelid = 'tokens_pkey'::regclass`;
      const insert = `insert into tokens (name, role, hash, created_at) values ('x', 'read', 'x', 0)`;
      const lost = `create extension amcheck; ${switchIndex(false)}; ${insert}; ${switchIndex(true)}`;
      expect(await damageAfter(lost)).toEqual(['files: restore']);
    });
  }
}
