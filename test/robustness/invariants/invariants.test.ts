// `verify` finds each planted violation and nothing else, and finds nothing in a healthy store.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresCopies, sqliteCopies, type FilledCopies } from './filled-copies.ts';
import { PLANTED_VIOLATIONS, POSTGRES, SQLITE } from './planted-violations.table.ts';

const cases = JSON.parse(readFileSync(new URL('../../data/cases/invariants.json', import.meta.url), 'utf8')) as {
  readonly invariants: ReadonlyArray<{ readonly id: string; readonly what: string }>;
};
const IDS = cases.invariants.map(({ id }) => id);

test('each of the 32 invariants has a planted violation', () => {
  expect(IDS).toHaveLength(32);
  expect([...new Set(PLANTED_VIOLATIONS.map(({ id }) => id))].sort()).toEqual([...IDS].sort());
});

describe('SQLite', () => invariantsOf(sqliteCopies()));
describe('PostgreSQL', () => invariantsOf(postgresCopies()));

function invariantsOf(copies: FilledCopies): void {
  const dialect = copies.engine === 'sqlite' ? SQLITE : POSTGRES;
  beforeAll(() => copies.create());
  afterAll(() => copies.remove());

  test('a healthy store with every kind of row has no violation', async () => {
    const { store, close } = await copies.copy();
    expect(await store.verify()).toEqual([]);
    expect(await store.pages.list((await store.sources.byName('docs'))!.versions[0]!.id, null, 100)).toMatchObject({
      pages: { length: 6 },
    });
    await close();
  });

  for (const { id, what } of cases.invariants) {
    for (const planted of PLANTED_VIOLATIONS.filter((each) => each.id === id)) {
      test(`${id} ${what}: ${planted.label}`, async () => {
        const { store, sql, close } = await copies.copy();
        await sql(planted.sql(dialect));
        const broken = await store.verify();
        await close();
        expect([...new Set(broken.map(({ invariant }) => invariant))]).toEqual([id]);
      });
    }
  }
}
