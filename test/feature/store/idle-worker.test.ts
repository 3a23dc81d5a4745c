// What an idle worker asks of PostgreSQL, and how soon it notices work of another process.

import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { SpaceSettings } from '../../../src/core/vector/space.ts';
import { embedChunks } from '../../../src/crawl/loop/embed-loop.ts';
import type { Embedder } from '../../../src/embed/port.ts';
import { createLog } from '../../../src/platform/log.ts';
import type { Store } from '../../../src/store/port.ts';
import { createPgAnnouncer } from '../../../src/store/postgres/pg-announcer.ts';
import type { PostgresDriver } from '../../../src/store/postgres/driver.ts';
import { openPostgresStore, openStoreOver } from '../../../src/store/postgres/open-postgres-store.ts';
import { createPgDriver } from '../../../src/store/postgres/pg-driver.ts';
import { createCrawler } from '../../support/crawl.ts';
import { claimAll, createRunFixture, createSettlement, indexedOutcome } from '../../support/run-fixture.ts';
import { createDatabase, TEST_SETTINGS } from '../../support/stores.ts';
import { waitUntil } from '../../support/wait-until.ts';

const MEASURED_MS = 2000;
const SPACE: SpaceSettings = {
  model: 'test',
  revision: '',
  dtype: 'fp32',
  pooling: 'mean',
  queryPrefix: '',
  passagePrefix: '',
  textFormat: 1,
  maxTokens: 100,
  dimensions: 2,
};

function counted(driver: PostgresDriver): { readonly driver: PostgresDriver; readonly statements: () => number } {
  let statements = 0;
  return {
    statements: () => statements,
    driver: {
      ...driver,
      async connect(timeLimit) {
        const session = await driver.connect(timeLimit);
        return {
          ...session,
          query: (sql, values) => ((statements += 1), session.query(sql, values)),
          execute: (sql) => ((statements += 1), session.execute(sql)),
        };
      },
    },
  };
}

test('an idle worker is quiet, and wakes for runs of others (finding P6) (finding D30)', async () => {
  const database = await createDatabase();
  const options = { url: database.url, poolSize: 4, onError: () => undefined };
  const { driver, statements } = counted(createPgDriver(options));
  const announcer = createPgAnnouncer(driver, database.url, () => undefined);
  const store = await openStoreOver(driver, TEST_SETTINGS, announcer);
  const crawler = await createCrawler({
    open: async () => ({ store, sql: async () => undefined, close: () => store.close() }),
  });
  await waitUntil('the worker listens', () => store.wakeups.maxIdleMs() === 2000);
  await wait(4000);
  const before = statements();
  await wait(MEASURED_MS);
  const perSecond = ((statements() - before) / MEASURED_MS) * 1000;
  expect(perSecond).toBeLessThan(10);

  const other = await openPostgresStore({ ...TEST_SETTINGS, ...options });
  const source = await other.sources.add({ name: 'x', kind: 'web', startUrl: 'http://127.0.0.1:1/', settings: {} }, '');
  const heard = store.wakeups.next('runs', store.wakeups.count('runs'), 10_000, new AbortController().signal);
  const seen = store.wakeups.count('runs');
  const { id } = await other.runs.start(source.versions[0]!.id, 'incremental', {});
  expect(await heard).toBeGreaterThan(seen);
  await waitUntil('the run is taken', async () => (await other.runs.byId(id))?.startedAt !== null, 10_000);
  await waitUntil('the run has ended', async () => (await other.runs.live()).length === 0);

  // A source that is added with its first run announces it too (finding D30).
  await wait(1000);
  const announced = store.wakeups.count('runs');
  await other.sources.addWithRun({ name: 'y', kind: 'web', startUrl: 'http://127.0.0.1:1/', settings: {} }, '');
  const noLaterMs = 1000;
  expect(await store.wakeups.next('runs', announced, noLaterMs, new AbortController().signal)).toBeGreaterThan(
    announced,
  );
  await other.close();
  await crawler.close();
  await database.drop();
});

test('an idle embed loop wakes up for texts that another process settles (finding P6)', async () => {
  const database = await createDatabase();
  const options = { ...TEST_SETTINGS, url: database.url, poolSize: 4, onError: () => undefined };
  const [crawling, embedding] = await Promise.all([openPostgresStore(options), openPostgresStore(options)]);
  const stop = new AbortController();
  const slept = new Set<string>();
  const wakeups: Store['wakeups'] = {
    ...embedding.wakeups,
    next: (topic, ...rest) => {
      slept.add(topic);
      return embedding.wakeups.next(topic, ...rest);
    },
  };
  let maintained = 0;
  const vectors: Store['vectors'] = {
    ...embedding.vectors,
    maintainIndex: (space) => ((maintained += 1), embedding.vectors.maintainIndex(space)),
  };
  const embedder: Embedder = {
    space: SPACE,
    countTokens: (text) => text.length,
    embed: async (texts) => texts.map(() => ({ kind: 'embedded', vector: new Float32Array([1, 0]) })),
    health: () => ({ state: 'ready', reason: null }),
    close: async () => undefined,
  };
  const loop = embedChunks(
    {
      id: 'embedder',
      store: { ...embedding, wakeups, vectors },
      embedder,
      log: createLog({ level: 'silent', now: () => new Date() }),
      leaseMs: 60_000,
      now: Date.now,
      random: Math.random,
    },
    stop.signal,
  );
  await waitUntil('the loop listens', () => embedding.wakeups.maxIdleMs() === 2000);
  await waitUntil('the space is open', async () => (await crawling.vectors.spaces()).length === 1);
  const seen = embedding.wakeups.count('texts');
  await createRunFixture(crawling, ['https://x.dev/a']);
  const [claim] = await claimAll(crawling);
  await crawling.frontier.settle([createSettlement(claim!, indexedOutcome(claim!.url, 'a text'))]);
  expect(await embedding.wakeups.next('texts', seen, 10_000, stop.signal)).toBeGreaterThan(seen);
  expect([...slept]).toEqual(['texts']);
  expect(maintained).toBeGreaterThan(0);
  const [space] = await crawling.vectors.spaces();
  await waitUntil('it is embedded', async () => (await crawling.vectors.progress(space!.id)).embedded === 1);
  stop.abort();
  await loop;
  await Promise.all([crawling.close(), embedding.close()]);
  await database.drop();
});
