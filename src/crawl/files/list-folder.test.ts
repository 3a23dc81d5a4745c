import { expect, test } from 'vitest';
import { pinakesError, type PinakesError } from '../../core/model/errors.ts';
import type { RunLease } from '../../store/port/runs.ts';
import { listFolder } from './list-folder.ts';

const lease = { run: { id: 1 } } as RunLease;

async function listWith(error: PinakesError) {
  const openLocalSource = async (): Promise<never> => {
    throw error;
  };
  const deps = { ports: { store: {} }, openLocalSource };
  return listFolder(lease, deps as unknown as Parameters<typeof listFolder>[1], new AbortController().signal);
}

test('a database that cannot be reached is not a folder that cannot be read (finding V17)', async () => {
  const gone = pinakesError('database.unreachable', { reason: 'gone' });
  await expect(listWith(gone)).rejects.toBe(gone);
});

test('a folder that cannot be read is the reason of the run, without its path on this machine', async () => {
  const missing = pinakesError('files.refused', { path: '/home/ada/docs', reason: 'it is not readable' });
  expect(await listWith(missing)).toMatchObject({ kind: 'nothing', reason: expect.not.stringContaining('/home') });
});
