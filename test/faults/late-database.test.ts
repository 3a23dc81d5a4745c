// A database that is away while the threads of a process begin: they wait for it, and the process lives.

import { expect, test } from 'vitest';
import { startReadThread } from '../../src/compose/start-query-thread.ts';
import { startWorkThread } from '../../src/compose/start-crawl-thread.ts';
import { loadConfig } from '../../src/platform/config/load-config.ts';
import { createLog } from '../../src/platform/log.ts';
import { createWriteTurns } from '../../src/store/sqlite/write-lock.ts';
import { createDatabase } from '../support/stores.ts';
import { until } from '../support/until.ts';
import { startDatabaseProxy } from './database-proxy.ts';

test('threads that begin while the database is away wait for it', { timeout: 60_000 }, async () => {
  const database = await createDatabase();
  const proxy = await startDatabaseProxy(database.url);
  proxy.blackhole(['to-server', 'to-client']);
  const env = { HOME: '/nowhere', PINAKES_DATABASE_URL: proxy.url, PINAKES_DATABASE_TIMEOUT_MS: '500' };
  const { config, origins } = loadConfig({ env, cwd: '/', readFile: () => null });
  const stop = new AbortController();
  const log = createLog({ level: 'silent', now: () => new Date(), write: () => undefined });
  const around = { config, origins, log, command: 'test', version: '0', signal: stop.signal };

  const reader = startReadThread(around);
  const worker = startWorkThread(around, createWriteTurns(), stop.signal);
  const listed = reader.callWith(false)('list_sources', {});
  const ends = [reader.ended, worker.ended].map((ended) => ended.then(() => 'ended', String));
  // Each gives up once at least, and tries again.
  const tried = until('threads try again', () => proxy.connections() > 3).then(() => 'tries again');
  expect(await Promise.race([...ends, tried])).toBe('tries again');
  proxy.open();
  expect(await listed).toMatchObject({ sources: [] });

  stop.abort();
  await reader.close();
  await worker.ended;
  await proxy.close();
  await database.drop();
});
