// Each process caches the links that it enqueued itself. Links of other processes are neither lost nor enqueued twice.

import { expect, test } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { createRunFixture, indexedOutcome, createSettlement } from '../support/run-fixture.ts';
import { createDatabase, TEST_SETTINGS } from '../support/stores.ts';

const SHARED = ['https://x.dev/shared', 'https://x.dev/also'];

test('two processes that find the same links on PostgreSQL enqueue each of them once', async () => {
  const database = await createDatabase();
  const open = () => openPostgresStore({ ...TEST_SETTINGS, url: database.url, poolSize: 4, onError: () => undefined });
  const [one, other] = [await open(), await open()];
  const pages = Array.from({ length: 20 }, (_, i) => `https://x.dev/${i}`);
  const { run } = await createRunFixture(one, pages);
  const claims = await one.frontier.claim({ worker: 'one', limit: 100, leaseMs: 60_000, aheadMs: 1000 });
  expect(claims).toHaveLength(pages.length);
  await Promise.all(
    claims.map((claim, i) =>
      (i % 2 === 0 ? one : other).frontier.settle([
        createSettlement(claim, indexedOutcome(claim.url, claim.url), SHARED),
      ]),
    ),
  );
  const due = await other.frontier.claim({ worker: 'other', limit: 100, leaseMs: 60_000, aheadMs: 1000 });
  expect(due.map(({ url }) => url).toSorted()).toEqual(SHARED.toSorted());
  expect((await one.runs.byId(run.id))?.counts).toMatchObject({ found: 22, new: 20 });
  expect(await one.verify()).toEqual([]);
  await Promise.all([one.close(), other.close()]);
  await database.drop();
});
