// Volumes without room, volumes that cannot be written, and disks that fail.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { postgresPlace, sqlitePlace, type FaultPlace } from './fault-library.ts';
import type { Scene, TrialResult } from './trial.ts';
import { cannotMount, mountSmallVolume, type SmallVolume } from './small-volume.ts';
import { playAt, type Fault, type Stage } from './fault-fixture.ts';
import { until } from '../support/until.ts';

const NO_WAIT = { waitsForLease: false, cannot: cannotMount } as const;

async function eventKinds(place: FaultPlace): Promise<readonly string[]> {
  const rows = await place.sql<{ kind: string }>('select distinct kind from events');
  return rows.map(({ kind }) => kind);
}

/** Each claim raises a fence. */
async function claimsOf(place: FaultPlace): Promise<number> {
  const [row] = await place.sql<{ n: number | string }>('select sum(fence) as n from frontier');
  return Number(row?.n);
}

function integrityOf(directory: string): string {
  const database = new DatabaseSync(join(directory, 'pinakes.db'), { readOnly: true });
  const [row] = database.prepare('pragma integrity_check').all() as Array<{ integrity_check: string }>;
  database.close();
  return row?.integrity_check ?? '';
}

/** A crawl in a data directory on a volume of its own. */
async function onVolume(
  stage: Stage,
  seed: number,
  settings: Readonly<Record<`PINAKES_${string}`, string>>,
  act: (scene: Scene, volume: SmallVolume) => Promise<void>,
): Promise<TrialResult> {
  const volume = mountSmallVolume(48);
  const directory = join(volume.path, 'data');
  mkdirSync(directory);
  try {
    return await playAt(stage, sqlitePlace(directory), { seed, settings }, async (scene) => {
      await act(scene, volume);
      await scene.untilEnded();
      scene.expect('the file is sound', integrityOf(directory) === 'ok');
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
  async play(stage, seed) {
    const server = await stage.postgres();
    const volume = mountSmallVolume(48, 'postgres');
    const name = `small_${Date.now()}`;
    try {
      await server.sql(`create tablespace ${name} location '${volume.path}'`);
      const place = postgresPlace(server, await server.createDatabase(`tablespace ${name}`));
      const result = await playAt(stage, place, { seed }, (scene) => fillTablespace(scene, volume));
      await server.sql(`drop tablespace ${name}`);
      return result;
    } finally {
      volume.unmount();
    }
  },
};

/** Two URLs at once, one of them held back: so most of the site is still to be written when there is no room any more. */
const SLOWLY = { PINAKES_CRAWL_CONCURRENCY: '2' } as const;

async function fillTablespace(scene: Scene, volume: SmallVolume): Promise<void> {
  const answer = scene.holdPage();
  const first = scene.worker({}, SLOWLY);
  // While the run is filled, or while its first pages are.
  await scene.untilAsked(3 + Math.floor(scene.random() * 20));
  volume.fill();
  await wait(2000);
  const mark = await scene.mark();
  await wait(2000);
  const after = await scene.mark();
  scene.expect('nothing is settled without room', after.settled === mark.settled);
  const read = await scene.run(['list', '--json']);
  scene.expect(`reads go on (${read.stderr.slice(0, 200)})`, read.code === 0);
  answer();
  volume.empty();
  await scene.resumed(mark, performance.now());
  await scene.untilEnded();
  scene.forgive(first);
  first.kill('SIGTERM');
  const { code, stderr } = await first.ended;
  scene.expect(`it says that there is no room: ${stderr.slice(0, 300)}`, stderr.includes('has no room'));
  scene.expect('it ends well', code === 0);
}

const KEPT = 20 * 1_048_576;

const belowReserve: Fault = {
  ...NO_WAIT,
  id: 'F18',
  engine: 'sqlite',
  variant: 'less than is kept free',
  short: 1,
  long: 2,
  play: (stage, seed) =>
    onVolume(stage, seed, { PINAKES_MIN_FREE_BYTES: String(KEPT) }, async (scene, volume) => {
      const answer = scene.holdPage();
      scene.worker();
      await scene.untilAsked(3 + Math.floor(scene.random() * 10));
      volume.fill(KEPT - 1_048_576);
      await until('the pause is told', async () => (await eventKinds(scene.place)).includes('out-of-room'));
      const claimed = await claimsOf(scene.place);
      const mark = await scene.mark();
      await wait(1000);
      scene.expect('no page is claimed', (await claimsOf(scene.place)) === claimed);
      const [problem] = await scene.place.sql<{ message: string }>('select message from problems');
      scene.expect('the problem names the room', problem?.message.includes('MiB are free') === true);
      const refused = await scene.run(['recrawl', 'site']);
      scene.expect(`new work is refused (${refused.code})`, refused.code !== 0);
      volume.empty();
      const at = performance.now();
      answer();
      await scene.resumed(mark, at);
      await until('the end is told', async () => (await eventKinds(scene.place)).includes('room-again'));
    }),
};

const localFull: Fault = {
  ...NO_WAIT,
  id: 'F18',
  engine: 'sqlite',
  variant: 'nothing left',
  short: 0,
  long: 3,
  play: (stage, seed) =>
    onVolume(stage, seed, { PINAKES_MIN_FREE_BYTES: '0' }, async (scene, volume) => {
      const answer = scene.holdPage();
      scene.worker();
      await scene.untilAsked(3 + Math.floor(scene.random() * 10));
      volume.fill();
      answer();
      await wait(2000);
      const mark = await scene.mark();
      scene.expect('reads go on', (await scene.run(['list', '--json'])).code === 0);
      volume.empty();
      await scene.resumed(mark, performance.now());
    }),
};

/** As root only a mount refuses; files that are open for writing keep a volume from becoming read-only, so it starts so. */
const readOnly: Fault = {
  ...NO_WAIT,
  id: 'F19',
  engine: 'sqlite',
  short: 1,
  long: 2,
  play: (stage, seed) =>
    onVolume(stage, seed, { PINAKES_MIN_FREE_BYTES: '0' }, async (scene, volume) => {
      volume.remount('ro');
      const refused = await scene.run(['worker']);
      scene.expect(`the error is clear: ${refused.stderr}`, refused.stderr.includes('cannot be written'));
      scene.expect('it ends with 1', refused.code === 1);
      scene.expect('it says no more than that', refused.stderr.split('\n').length <= 4);
      volume.remount('rw');
      scene.worker();
    }),
};

export const DISK_FAULTS: readonly Fault[] = [tablespaceFull, belowReserve, localFull, readOnly];
