// A run that reaches its page limit excludes what is queued, while workers of other processes still claim URLs.

import { expect, test } from 'vitest';
import { createPgDriver } from '../../src/store/postgres/pg-driver.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { createPostgresEngine } from '../../src/store/postgres/postgres-engine.ts';
import type { Engine } from '../../src/store/sql/engine/engine.ts';
import { excludeOverflow } from '../../src/store/sql/frontier/page-limit.ts';
import { claimAll, createRunFixture, createSettlement } from '../support/run-fixture.ts';
import { createDatabase, TEST_SETTINGS } from '../support/stores.ts';

/** `in the meantime` happens in another process after the first step has read its rows and before it changes them. */
function interruptedEngine(engine: Engine, interrupt: () => Promise<void>): Engine {
  let isPending = true;
  return {
    ...engine,
    transaction: (work, flush) =>
      engine.transaction(
        (tx) =>
          work({
            ...tx,
            async all<Row>(sql: string, values: Parameters<typeof tx.all>[1] = []) {
              const rows = await tx.all<Row>(sql, values);
              if (isPending && sql.includes('from frontier')) {
                isPending = false;
                await interrupt();
              }
              return rows;
            },
          }),
        flush,
      ),
  };
}

test('a URL settled while the rest is excluded keeps its outcome (finding D1)', async () => {
  const database = await createDatabase();
  const options = { ...TEST_SETTINGS, url: database.url, poolSize: 4, onError: () => undefined };
  const store = await openPostgresStore(options);
  const driver = createPgDriver(options);
  const { run, lease } = await createRunFixture(store, ['https://x.dev/a', 'https://x.dev/b', 'https://x.dev/c']);
  const engine = interruptedEngine(createPostgresEngine(driver), async () => {
    const [claim] = await claimAll(store, 1);
    await store.frontier.settle([createSettlement(claim!, { kind: 'failed', reason: 'fetch.timeout' })]);
  });
  expect(await excludeOverflow(engine, lease, 'overflow: 1 page')).toBe(2);
  expect((await store.runs.byId(run.id))?.counts).toMatchObject({ found: 1, failed: 1, excluded: 2 });
  expect(await store.frontier.isDrained(run.id)).toBe(true);
  expect(await store.runs.finish(lease, 'completed', null)).toBe(true);
  expect(await store.verify()).toEqual([]);
  await driver.close();
  await store.close();
  await database.drop();
});
