// Positions of changes are assigned in commit order, whatever overlaps: a reader that follows them misses none.

import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { pageUrl } from '../../src/core/model/page-url.ts';
import type { Store } from '../../src/store/port.ts';
import type { Change } from '../../src/store/port/changes.ts';
import { keyBytes } from '../../src/store/sql/engine/codec.ts';
import { createTransactionTail } from '../../src/store/sql/runs/transaction-tail.ts';
import { createPgDriver } from '../../src/store/postgres/pg-driver.ts';
import { createPostgresEngine } from '../../src/store/postgres/postgres-engine.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { createRunFixture, createSettlement, indexedOutcome } from '../support/run-fixture.ts';
import { createDatabase, TEST_SETTINGS } from '../support/stores.ts';

const A = pageUrl('https://x.dev/a');

const onError = (): void => undefined;

async function claimPages(store: Store, pages: number) {
  const urls = Array.from({ length: pages }, (_, n) => `https://x.dev/${n}`);
  const { run } = await createRunFixture(store, urls);
  const claims = await store.frontier.claim({ worker: 'one', limit: pages, leaseMs: 60_000, aheadMs: 1000 });
  expect(claims).toHaveLength(pages);
  return { run, claims };
}

test('a later transaction on PostgreSQL does not overtake an uncommitted one', async () => {
  const database = await createDatabase();
  const store = await openPostgresStore({ ...TEST_SETTINGS, url: database.url, poolSize: 4, onError });
  const engine = createPostgresEngine(createPgDriver({ url: database.url, poolSize: 1, onError }));
  const { run, claims } = await claimPages(store, 1);

  const { promise: isWritten, resolve: written } = Promise.withResolvers<void>();
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
  const location = { version: run.version, source: run.source, key: keyBytes(A), url: A, hadChunks: true };
  const first = engine.transaction(async (tx) => {
    const tally = createTransactionTail();
    tally.announce([{ ...location, digest: null, added: new Uint8Array(), removed: new Uint8Array() }]);
    await tally.write(tx);
    written();
    await mayCommit;
  });
  await isWritten;
  let isSettled = false;
  const second = store.frontier
    .settle(claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, 'text'))))
    .then(() => (isSettled = true));
  await wait(500);
  expect([isSettled, await store.changes.latest(), await store.changes.after(0, 10)]).toEqual([false, 0, []]);
  commit();
  await Promise.all([first, second]);
  expect((await store.changes.after(0, 10)).map(({ position, kind }) => [position, kind])).toEqual([
    [1, 'removed'],
    [2, 'new'],
  ]);
  await engine.close();
  await store.close();
  await database.drop();
});

test('a reader of ten concurrent writers on PostgreSQL sees every change once, in order', async () => {
  const database = await createDatabase();
  const open = () => openPostgresStore({ ...TEST_SETTINGS, url: database.url, poolSize: 6, onError });
  const [one, other] = [await open(), await open()];
  const { claims } = await claimPages(one, 100);
  const seen: Change[] = [];
  let isWriting = true;
  const reading = (async () => {
    for (let last = false; ;) {
      const next = await other.changes.after(seen.at(-1)?.position ?? 0, 3);
      seen.push(...next);
      if (next.length === 0 && last) return;
      last = next.length === 0 && !isWriting;
    }
  })();
  const queue = [...claims];
  const write = async (store: Store): Promise<void> => {
    for (let claim = queue.pop(); claim !== undefined; claim = queue.pop())
      await store.frontier.settle([createSettlement(claim, indexedOutcome(claim.url, claim.url))]);
  };
  await Promise.all(Array.from({ length: 10 }, (_, n) => write(n % 2 === 0 ? one : other)));
  isWriting = false;
  await reading;
  expect(seen.map(({ position }) => position)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  expect(new Set(seen.map(({ url }) => url)).size).toBe(100);
  await Promise.all([one.close(), other.close()]);
  await database.drop();
});
