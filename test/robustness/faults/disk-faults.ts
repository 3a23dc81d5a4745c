// Full volumes, read-only volumes, and failing disks.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { postgresLibrary, sqliteLibrary, type FaultLibrary } from './fault-library.ts';
import type { Trial, TrialResult } from './trial.ts';
import { cannotMount, mountSmallVolume, type SmallVolume } from './small-volume.ts';
import { runInLibrary, type Fault, type FaultFixture } from './fault-fixture.ts';
import { waitUntil } from '../../support/wait-until.ts';

const NO_WAIT = { waitsForLease: false, cannot: cannotMount } as const;

async function eventKinds(library: FaultLibrary): Promise<readonly string[]> {
  const rows = await library.sql<{ kind: string }>('select distinct kind from events');
  return rows.map(({ kind }) => kind);
}

/** Each claim increments a fencing token. */
async function claimsOf(library: FaultLibrary): Promise<number> {
  const [row] = await library.sql<{ n: number | string }>('select sum(fence) as n from frontier');
  return Number(row?.n);
}

function integrityOf(directory: string): string {
  const database = new DatabaseSync(join(directory, 'pinakes.db'), { readOnly: true });
  const [row] = database.prepare('pragma integrity_check').all() as Array<{ integrity_check: string }>;
  database.close();
  return row?.integrity_check ?? '';
}

/** A crawl in a data directory on a separate volume. */
async function onVolume(
  fixture: FaultFixture,
  seed: number,
  settings: Readonly<Record<`PINAKES_${string}`, string>>,
  act: (trial: Trial, volume: SmallVolume) => Promise<void>,
): Promise<TrialResult> {
  const volume = mountSmallVolume(48);
  const directory = join(volume.path, 'data');
  mkdirSync(directory);
  try {
    return await runInLibrary(fixture, sqliteLibrary(directory), { seed, settings }, async (trial) => {
      await act(trial, volume);
      await trial.untilEnded();
      trial.expect('the file is intact', integrityOf(directory) === 'ok');
    });
  } finally {
    volume.unmount();
  }
}

const tablespaceFull: Fault = {
  ...NO_WAIT,
  id: 'F17',
  engine: 'postgres',
  short: 0,
  long: 3,
  async run(fixture, seed) {
    const server = await fixture.postgres();
    const volume = mountSmallVolume(48, 'postgres');
    const name = `small_${Date.now()}`;
    try {
      await server.sql(`create tablespace ${name} location '${volume.path}'`);
      const library = postgresLibrary(server, await server.createDatabase(`tablespace ${name}`));
      const fill = (trial: Trial): Promise<void> => fillTablespace(trial, volume).finally(() => volume.empty());
      return await runInLibrary(fixture, library, { seed }, fill).finally(() => library.remove());
    } finally {
      // Without it, the server has no checkpoint once the volume is gone.
      await server.sql(`drop tablespace if exists ${name}`);
      volume.unmount();
    }
  },
};

/** Two URLs in flight, one of them held back: so most of the site is still to be written when the disk is full. */
const LOW_CONCURRENCY = { PINAKES_CRAWL_CONCURRENCY: '2' } as const;

async function fillTablespace(trial: Trial, volume: SmallVolume): Promise<void> {
  const answer = trial.holdPage();
  const first = trial.worker({}, LOW_CONCURRENCY);
  // While the run is being seeded, or while its first pages are settled.
  await trial.untilRequested(3 + Math.floor(trial.random() * 20));
  // The first connection after a table was created writes a file (pg_internal.init); on a full disk it could not connect.
  await trial.checkpoint();
  volume.fill();
  await wait(2000);
  const checkpoint = await trial.checkpoint();
  await wait(2000);
  const after = await trial.checkpoint();
  trial.expect('nothing is settled on a full disk', after.settled === checkpoint.settled);
  const read = await trial.run(['list', '--json']);
  trial.expect(`reads still work (${read.stderr.slice(0, 200)})`, read.code === 0);
  answer();
  volume.empty();
  await trial.resumed(checkpoint, performance.now());
  await trial.untilEnded();
  trial.forgive(first);
  first.kill('SIGTERM');
  const { code, stderr } = await first.ended;
  trial.expect(`the log says that the disk is full: ${stderr.slice(0, 300)}`, /disk full|disk space/.test(stderr));
  trial.expect('it exits normally', code === 0);
}

const RESERVED_BYTES = 20 * 1_048_576;

const belowReserve: Fault = {
  ...NO_WAIT,
  id: 'F18',
  engine: 'sqlite',
  variant: 'less than is kept free',
  short: 1,
  long: 2,
  run: (fixture, seed) =>
    onVolume(fixture, seed, { PINAKES_MIN_FREE_BYTES: String(RESERVED_BYTES) }, async (trial, volume) => {
      const answer = trial.holdPage();
      trial.worker();
      await trial.untilRequested(3 + Math.floor(trial.random() * 10));
      volume.fill(RESERVED_BYTES - 1_048_576);
      await waitUntil('the pause is recorded', async () => (await eventKinds(trial.library)).includes('disk-full'));
      const claimed = await claimsOf(trial.library);
      const checkpoint = await trial.checkpoint();
      await wait(1000);
      trial.expect('no page is claimed', (await claimsOf(trial.library)) === claimed);
      // The pages before the pause may have other problems.
      const problems = await trial.library.sql<{ message: string }>(
        `select message from problems where kind = 'disk-full'`,
      );
      const named = problems.some(({ message }) => message.includes('MiB are free'));
      trial.expect(`the problem names the disk space: ${JSON.stringify(problems)}`, named);
      const refused = await trial.run(['recrawl', 'site']);
      trial.expect(`new work is refused (${refused.code})`, refused.code !== 0);
      volume.empty();
      const at = performance.now();
      answer();
      await trial.resumed(checkpoint, at);
      await waitUntil('the end of the pause is recorded', async () =>
        (await eventKinds(trial.library)).includes('disk-recovered'),
      );
    }),
};

const localFull: Fault = {
  ...NO_WAIT,
  id: 'F18',
  engine: 'sqlite',
  variant: 'nothing left',
  short: 0,
  long: 3,
  run: (fixture, seed) =>
    onVolume(fixture, seed, { PINAKES_MIN_FREE_BYTES: '0' }, async (trial, volume) => {
      const answer = trial.holdPage();
      trial.worker();
      await trial.untilRequested(3 + Math.floor(trial.random() * 10));
      volume.fill();
      answer();
      await wait(2000);
      const checkpoint = await trial.checkpoint();
      trial.expect('reads still work', (await trial.run(['list', '--json'])).code === 0);
      volume.empty();
      await trial.resumed(checkpoint, performance.now());
    }),
};

/**
 * For root only a mount can refuse writes; open files prevent remounting read-only, so it is mounted that way from the
 * start.
 */
const readOnly: Fault = {
  ...NO_WAIT,
  id: 'F19',
  engine: 'sqlite',
  short: 1,
  long: 2,
  run: (fixture, seed) =>
    onVolume(fixture, seed, { PINAKES_MIN_FREE_BYTES: '0' }, async (trial, volume) => {
      volume.remount('ro');
      const refused = await trial.run(['worker']);
      trial.expect(`the error is clear: ${refused.stderr}`, refused.stderr.includes('Cannot write to the database'));
      trial.expect('it exits with 1', refused.code === 1);
      trial.expect('it prints nothing else', refused.stderr.split('\n').length <= 4);
      volume.remount('rw');
      trial.worker();
    }),
};

export const DISK_FAULTS: readonly Fault[] = [tablespaceFull, belowReserve, localFull, readOnly];
