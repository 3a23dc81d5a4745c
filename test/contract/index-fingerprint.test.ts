// An index built by another version of the program is rebuilt from the stored chunks, and stays searchable in the meantime.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { indexFingerprint } from '../../src/core/lexical/segment/index-fingerprint.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/store/port.ts';
import { createRunFixture, claimAll, indexAll, indexedOutcome, createSettlement } from '../support/run-fixture.ts';
import { createDatabase, TEST_SETTINGS, thisOwner } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-folder.ts';
import { findChunks } from './segments.contract.ts';

interface TestDatabase {
  readonly open: () => Promise<Store>;
  readonly query: (sql: string) => Promise<ReadonlyArray<Record<string, unknown>>>;
  readonly remove: () => Promise<void>;
}

async function openSqlite(): Promise<TestDatabase> {
  const directory = temporaryDirectory();
  return {
    open: async () => openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner }),
    query: async (sql) => {
      const database = new DatabaseSync(join(directory, 'pinakes.db'));
      const rows = database.prepare(sql).all();
      database.close();
      return rows;
    },
    remove: async () => rmSync(directory, { recursive: true }),
  };
}

async function openPostgres(): Promise<TestDatabase> {
  const { url, drop } = await createDatabase();
  return {
    open: () => openPostgresStore({ ...TEST_SETTINGS, url, poolSize: 4, onError: () => undefined }),
    query: async (sql) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<Record<string, unknown>>(sql);
      await client.end();
      return rows;
    },
    remove: drop,
  };
}

const LIVE_FINGERPRINTS = `select distinct g.index_fingerprint from search_segments g join search_pages s on s.segment_id = g.id`;

describe.each([
  ['sqlite', openSqlite],
  ['postgres', openPostgres],
])('%s', (_, openTestDatabase) => {
  test('pages of segments with another fingerprint are indexed again, and found in the meantime', async () => {
    const database = await openTestDatabase();
    const first = await database.open();
    const { run } = await createRunFixture(first, ['https://x.dev/a', 'https://x.dev/b']);
    const claims = await claimAll(first);
    await first.frontier.settle(claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, 'zebras'))));
    await indexAll(first);
    expect(await database.query(LIVE_FINGERPRINTS)).toEqual([{ index_fingerprint: indexFingerprint }]);
    await first.close();
    await database.query(`update search_segments set index_fingerprint = 'older'`);

    const second = await database.open();
    expect(await findChunks(second, run.version, ['zebra'])).toHaveLength(2);
    expect(await second.segments.index(1)).toBe(1);
    expect(await second.segments.queueLength()).toBe(1);
    expect(await findChunks(second, run.version, ['zebra'])).toHaveLength(2);
    await indexAll(second);
    expect(await database.query(LIVE_FINGERPRINTS)).toEqual([{ index_fingerprint: indexFingerprint }]);
    expect(await findChunks(second, run.version, ['zebra'])).toHaveLength(2);
    expect(await second.verify()).toEqual([]);
    await second.close();
    await database.remove();
  });
});
