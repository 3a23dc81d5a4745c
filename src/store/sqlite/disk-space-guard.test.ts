import { rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { Store } from '../port.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { temporaryDirectory } from '../../../test/support/temporary-folder.ts';

const definition = { name: 'docs', kind: 'web', startUrl: 'https://x.dev/', settings: {} } as const;
const MORE_THAN_FREE = Number.MAX_SAFE_INTEGER;

/** Opens the same folder with different limits, one after the other. */
function library(): (minFreeBytes: number) => Store {
  const directory = temporaryDirectory();
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const owner = { pid: process.pid, command: 'a test', since: '' };
  return (minFreeBytes) => openSqliteStore({ startDelayMs: 0, maxAttempts: 8, directory, owner, minFreeBytes });
}

test('below the reserved space no new work begins, and nothing partial is left', async () => {
  const store = library()(MORE_THAN_FREE);
  await expect(store.sources.add(definition, '')).rejects.toMatchObject({ code: 'database.full', retryable: true });
  expect(await store.sources.list()).toEqual([]);
  await store.close();
});

test('below the reserved space no URL is claimed and no run starts; what is stored can be read', async () => {
  const open = library();
  const before = open(0);
  const source = await before.sources.add(definition, '');
  await before.close();

  const store = open(MORE_THAN_FREE);
  const start = store.runs.start(source.versions[0]!.id, 'incremental', {});
  await expect(start).rejects.toThrow(/MiB are free in .*, and \d+ MiB are reserved/);
  const claim = store.frontier.claim({ worker: 'w', limit: 1, leaseMs: 1000, aheadMs: 0 });
  await expect(claim).rejects.toMatchObject({ code: 'database.full' });
  expect(await store.sources.list()).toHaveLength(1);
  await store.close();
});

test('with enough space work begins', async () => {
  const store = library()(1);
  const source = await store.sources.add(definition, '');
  expect(await store.runs.start(source.versions[0]!.id, 'incremental', {})).toMatchObject({ state: 'queued' });
  await store.close();
});
