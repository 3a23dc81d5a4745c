// A database that is unavailable while the threads of a process start: they wait for it, and the process survives.

import { expect, test } from 'vitest';
import { startQueryThread } from '../../../src/compose/start-query-thread.ts';
import { startCrawlThread } from '../../../src/compose/start-crawl-thread.ts';
import { loadConfig } from '../../../src/platform/config/load-config.ts';
import { createLog } from '../../../src/platform/log.ts';
import { createWriteLock } from '../../../src/store/sqlite/write-lock.ts';
import { createDatabase } from '../../support/stores.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startDatabaseProxy } from './database-proxy.ts';

test('threads that start while the database is unavailable wait for it', async () => {
  const database = await createDatabase();
  const proxy = await startDatabaseProxy(database.url);
  proxy.blackhole(['to-server', 'to-client']);
  const env = { HOME: '/nowhere', PINAKES_DATABASE_URL: proxy.url, PINAKES_DATABASE_TIMEOUT_MS: '500' };
  const { config, origins } = loadConfig({ env, cwd: '/', readFile: () => null });
  const stop = new AbortController();
  const log = createLog({ level: 'silent', now: () => new Date(), write: () => undefined });
  const context = { config, origins, log, command: 'test', version: '0', signal: stop.signal };

  const reader = startQueryThread(context, 2);
  const worker = startCrawlThread(context, { writeLock: createWriteLock(), connections: 4 }, stop.signal);
  const listed = reader.createCall(false)('list_sources', {});
  const ends = [reader.ended, worker.ended].map((ended) => ended.then(() => 'ended', String));
  // Each fails at least once, and retries.
  const tried = waitUntil('threads retry', () => proxy.connections() > 3).then(() => 'tries again');
  expect(await Promise.race([...ends, tried])).toBe('tries again');
  proxy.open();
  expect(await listed).toMatchObject({ sources: [] });

  stop.abort();
  await reader.close();
  await worker.ended;
  await proxy.close();
  await database.drop();
});
