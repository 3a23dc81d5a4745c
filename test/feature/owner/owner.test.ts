import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { TEST_SETTINGS, thisOwner } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { ownerTrial } from './owner-trials.ts';
import { wallSlowness } from '../../support/work-time.ts';

for (let trial = 1; trial <= 5; trial += 1) {
  test(`a second owner is refused; a killed owner frees the directory (${trial})`, async () => {
    const { rejection, firstPid, refusedInMs, freeInMs } = await ownerTrial(`pinakes serve --trial ${trial}`);
    expect(rejection).toContain(`process ${firstPid} (pinakes serve --trial ${trial}`);
    const limitMs = 2000 * wallSlowness();
    expect(refusedInMs).toBeLessThan(limitMs);
    expect(freeInMs).toBeLessThan(limitMs);
  });
}

test('a stale owner.json whose process id was reused by another program is ignored', async () => {
  const directory = temporaryDirectory();
  const stale = { pid: process.ppid, command: 'pinakes serve', since: '2020-01-01T00:00:00.000Z' };
  writeFileSync(join(directory, 'owner.json'), JSON.stringify(stale));
  writeFileSync(join(directory, 'owner.lock'), '');
  const store = openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner });
  expect(await store.sources.list()).toEqual([]);
  await store.close();
  rmSync(directory, { recursive: true });
});

test('a damaged owner.json does not hide that the directory is in use', async () => {
  const directory = temporaryDirectory();
  const store = openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner });
  writeFileSync(join(directory, 'owner.json'), '{"pid":');
  expect(() => openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner })).toThrowError(/is in use by process/);
  await store.close();
  rmSync(directory, { recursive: true });
});
