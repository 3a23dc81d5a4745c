// A process that runs while another one migrates the database: it continues where it can, and takes no new work.

import { expect, test } from 'vitest';
import { createSegmentIndex } from '../../../src/index/segments/segment-index.ts';
import { createWorker } from '../../../src/crawl/worker.ts';
import { loadConfig } from '../../../src/platform/config/load-config.ts';
import { createLog } from '../../../src/platform/log.ts';
import { createRunFixture, claimAll } from '../../support/run-fixture.ts';
import { openTestPostgres } from '../../support/stores.ts';

test('statements prepared before a migration work after it (finding B27)', async () => {
  const { store, sql, close } = await openTestPostgres();
  const { run } = await createRunFixture(store, ['https://x.dev/a']);
  const read = async () => [await store.runs.byId(run.id), await store.runs.list(5)];
  // Enough to have the statements prepared on every connection that is used.
  for (let i = 0; i < 5; i += 1) await Promise.all([read(), read(), read()]);
  await sql(`alter table runs alter column version_id type bigint; alter table sources add column note text;
    alter table pages add column note text; alter table chunks add column note text; alter table frontier add column note text`);
  for (let i = 0; i < 5; i += 1) await Promise.all([read(), read(), read()]);
  expect(await claimAll(store)).toHaveLength(1);
  await close();
});

test('a process takes no work after another migrated the database (finding N15)', async () => {
  const { store, sql, close } = await openTestPostgres();
  const { run } = await createRunFixture(store, ['https://x.dev/a', 'https://x.dev/b']);
  const source = await store.sources.add({ name: 'y', kind: 'web', startUrl: 'https://y.dev/', settings: {} }, '');
  await store.runs.start(source.versions[0]!.id, 'incremental', {});
  await sql(`insert into migrations (number, name, hash, applied_at) values (9999, '9999-later.sql', '', 0)`);
  const newer = { code: 'database.newer', message: expect.stringContaining('schema version 9999') };
  await expect(claimAll(store)).rejects.toMatchObject(newer);
  await expect(store.frontier.dueInMs()).rejects.toMatchObject(newer);
  await expect(store.runs.lease('old', 1000)).rejects.toMatchObject(newer);
  expect((await store.runs.byId(run.id))?.state).toBe('running');
  await close();
});

test('an idle worker ends by itself once another process has migrated the database (finding N15)', async () => {
  const { store, sql, close } = await openTestPostgres();
  const { config } = loadConfig({ env: { HOME: '/nowhere' }, cwd: '/', readFile: () => null });
  const log = createLog({ level: 'silent', now: () => new Date() });
  const unused = {} as never;
  const ports = { store, log, fetcher: unused, parser: unused, local: unused, secretFor: unused };
  const limits = { ...config.crawl, maxRedirects: 0 };
  const worker = createWorker({
    id: 'old',
    ports,
    index: createSegmentIndex(store.segments),
    limits,
    now: Date.now,
    random: Math.random,
  });
  const working = worker.run(new AbortController().signal);
  await sql(`insert into migrations (number, name, hash, applied_at) values (9999, '9999-later.sql', '', 0)`);
  await expect(working).rejects.toMatchObject({ code: 'database.newer' });
  await close();
});
