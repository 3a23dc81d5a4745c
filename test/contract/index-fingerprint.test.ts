// An index that another version of the program made is made anew from the stored chunks, and answers meanwhile.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { indexForm } from '../../src/core/lexical/segment/index-fingerprint.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/store/port.ts';
import { aRun, claimAll, indexAll, indexed, settling } from '../support/run-fixture.ts';
import { createDatabase, temporaryDirectory, TEST_SETTINGS, thisOwner } from '../support/stores.ts';
import { found } from './search-index.contract.ts';

interface Place {
  readonly open: () => Promise<Store>;
  readonly ask: (sql: string) => Promise<ReadonlyArray<Record<string, unknown>>>;
  readonly remove: () => Promise<void>;
}

async function sqlitePlace(): Promise<Place> {
  const directory = temporaryDirectory();
  return {
    open: async () => openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner }),
    ask: async (sql) => {
      const database = new DatabaseSync(join(directory, 'pinakes.db'));
      const rows = database.prepare(sql).all();
      database.close();
      return rows;
    },
    remove: async () => rmSync(directory, { recursive: true }),
  };
}

async function postgresPlace(): Promise<Place> {
  const { url, drop } = await createDatabase();
  return {
    open: () => openPostgresStore({ ...TEST_SETTINGS, url, poolSize: 4, onError: () => undefined }),
    ask: async (sql) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<Record<string, unknown>>(sql);
      await client.end();
      return rows;
    },
    remove: drop,
  };
}

const LIVING_FORMS = `select distinct g.form from search_segments g join search_pages s on s.segment_id = g.id`;

describe.each([
  ['sqlite', sqlitePlace],
  ['postgres', postgresPlace],
])('%s', (_, openPlace) => {
  test('pages of segments of another form are indexed again, and found meanwhile', async () => {
    const place = await openPlace();
    const first = await place.open();
    const { run } = await aRun(first, ['https://x.dev/a', 'https://x.dev/b']);
    const claims = await claimAll(first);
    await first.frontier.settle(claims.map((claim) => settling(claim, indexed(claim.url, 'zebras'))));
    await indexAll(first);
    expect(await place.ask(LIVING_FORMS)).toEqual([{ form: indexForm }]);
    await first.close();
    await place.ask(`update search_segments set form = 'older'`);

    const second = await place.open();
    expect(await found(second, run.version, ['zebra'])).toHaveLength(2);
    expect(await second.searchRows.index(1)).toBe(1);
    expect(await second.searchRows.lag()).toBe(1);
    expect(await found(second, run.version, ['zebra'])).toHaveLength(2);
    await indexAll(second);
    expect(await place.ask(LIVING_FORMS)).toEqual([{ form: indexForm }]);
    expect(await found(second, run.version, ['zebra'])).toHaveLength(2);
    expect(await second.verify()).toEqual([]);
    await second.close();
    await place.remove();
  });
});
