// Statements that take PostgreSQL too long: they are cancelled, and no work repeats them forever.

import { expect, test } from 'vitest';
import { createPgDriver } from '../../../src/store/postgres/pg-driver.ts';
import { createCrawler } from '../../support/crawl.ts';
import { openTestPostgresWith, postgresUrl } from '../../support/stores.ts';

const TIMEOUT_MS = 1000;

test('a statement is cancelled at its time limit, without a start-up parameter', async () => {
  const driver = createPgDriver({ url: postgresUrl(), poolSize: 2, timeoutMs: TIMEOUT_MS, onError: () => undefined });
  const session = await driver.connect();
  const began = performance.now();
  await expect(session.query('select pg_sleep(60)', [])).rejects.toMatchObject({ code: 'database.timeout' });
  expect(performance.now() - began).toBeLessThan(5 * TIMEOUT_MS);
  session.release(true);
  const other = await driver.connect();
  const sleeping = `select pid from pg_stat_activity where state = 'active' and query like 'select pg_sleep(60)%'`;
  expect(await other.query(sleeping, [])).toEqual([]);
  other.release(false);
  await driver.close();
});

test('a run whose steps always take the database too long ends, and says why (finding B2)', async () => {
  const open = openTestPostgresWith.bind(null, { timeoutMs: TIMEOUT_MS });
  const crawler = await createCrawler({ open });
  await crawler.sql(`create function take_long() returns trigger language plpgsql as $$ begin perform pg_sleep(30); return new; end $$;
    create trigger take_long before insert on milestones for each row execute function take_long()`);
  const run = await crawler.ended(await crawler.start('https://docs.example.dev/'), 60_000);
  expect(run).toMatchObject({ state: 'failed', reason: expect.stringContaining('the database took too long') });
  expect(await crawler.problems(run.id)).toMatchObject([
    { kind: 'database-timeout', message: expect.stringContaining('PINAKES_DATABASE_TIMEOUT_MS') },
  ]);
  await crawler.sql('drop trigger take_long on milestones; drop function take_long()');
  await crawler.close();
});
