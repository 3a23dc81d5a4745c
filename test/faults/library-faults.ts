// Local owners that are killed again and again, schemas that are cut short, and libraries that are restored from a copy.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { EngineName } from '../e2e/library.ts';
import { until } from '../support/until.ts';
import { temporaryDirectory } from '../support/stores.ts';
import { createRandom } from '../support/site-server-pages.ts';
import { differences, fingerprintOf } from './fault-site.ts';
import { postgresPlace, sqlitePlace, type FaultPlace } from './fault-library.ts';
import { startUnderFault } from './program-under-fault.ts';
import { newPlace, playAt, playOn, type Fault, type Stage } from './fault-fixture.ts';

const CYCLES = 6;

/** What a commit had answered before the kill is there after it. */
const killedOwner: Fault = {
  id: 'F28',
  engine: 'sqlite',
  waitsForLease: false,
  short: 0,
  long: 4,
  play: (stage, seed) =>
    playOn(stage, { engine: 'sqlite', seed }, async (scene) => {
      const acknowledged = join(temporaryDirectory(), 'acknowledged');
      for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
        const owner = scene.worker({ preload: ['note-commits'], env: { FAULT_ACKNOWLEDGED: acknowledged } });
        scene.forgive(owner);
        await scene.untilAsked(cycle * Math.floor(scene.site.size / (CYCLES + 2)));
        await wait(scene.random() * 60);
        owner.kill('SIGKILL');
        await owner.ended;
        const lines = readFileSync(acknowledged);
        const owed = lines.length < 8 ? 0 : Number(lines.readBigUInt64LE(lines.length - 8));
        const last = await scene.place.read((store) => store.journal.lastSeq());
        scene.expect(`cycle ${cycle}: ${last} of ${owed} acknowledged events`, last >= owed);
      }
      const mark = await scene.mark();
      const at = performance.now();
      scene.worker();
      await scene.resumed(mark, at);
    }),
};

/** A schema has some sixty statements; on SQLite they are one script in one transaction. */
const killedMigration = (engine: EngineName): Fault => ({
  id: 'F32',
  engine,
  waitsForLease: false,
  short: 1,
  long: engine === 'postgres' ? 8 : 4,
  async play(stage, seed) {
    const place = await newPlace(stage, engine);
    const random = createRandom(seed);
    const statement =
      engine === 'postgres' ? 'create |insert into migrations|^commit' : 'begin|create |migrations|^commit';
    const env = {
      FAULT_STATEMENT: statement,
      FAULT_NTH: String(1 + Math.floor(random() * (engine === 'postgres' ? 55 : 4))),
      FAULT_WHEN: random() < 0.5 ? 'before' : 'after',
    };
    const first = await startUnderFault(place.settings, ['list'], { preload: ['kill-at-statement'], env }).ended;
    const again = await startUnderFault(place.settings, ['list']).ended;
    return playAt(stage, place, { seed }, async (scene) => {
      scene.expect(`the first was killed (${first.code})`, first.signal === 'SIGKILL' || first.code === 0);
      scene.expect(`the next start completes it: ${again.stderr}`, again.code === 0);
      scene.worker();
    });
  },
});

/** A copy, restored into an empty system, answers as the original does. */
const restored = (engine: EngineName): Fault => ({
  id: 'F38',
  engine,
  waitsForLease: false,
  short: 0,
  long: 1,
  play: (stage, seed) =>
    playOn(stage, { engine, seed }, async (scene) => {
      scene.worker();
      await scene.untilEnded();
      await until('search rows follow', () => scene.place.read(async (store) => (await store.searchRows.lag()) === 0));
      const copy = await (engine === 'sqlite' ? copySqlite(scene.place) : copyPostgres(stage, scene.place));
      const { found, broken } = await copy.read(async (store) => ({
        found: await fingerprintOf(store),
        broken: await store.verify(),
      }));
      const { lost, other } = differences(found, stage.twin);
      scene.expect('the copy has the same pages', lost.length + other.length === 0);
      scene.expect('the copy is sound', broken.length === 0);
      const ask = ['search', 'almanac documentation', '--json'];
      const [one, two] = await Promise.all([scene.run(ask), startUnderFault(copy.settings, ask).ended]);
      scene.expect('a search answers the same', one.stdout === two.stdout && one.code === 0);
      await copy.remove();
    }),
});

async function copySqlite({ at }: FaultPlace): Promise<FaultPlace> {
  const directory = temporaryDirectory();
  const database = new DatabaseSync(join(at, 'pinakes.db'), { readOnly: true });
  database.exec(`vacuum into '${join(directory, 'pinakes.db')}'`);
  database.close();
  return sqlitePlace(directory);
}

async function copyPostgres(stage: Stage, { at }: FaultPlace): Promise<FaultPlace> {
  const server = await stage.postgres();
  const url = await server.createDatabase();
  await promisify(execFile)('sh', [
    '-c',
    'pg_dump --no-owner "$1" | psql --quiet -v ON_ERROR_STOP=1 "$2"',
    'sh',
    at,
    url,
  ]);
  return postgresPlace(server, url);
}

export const LIBRARY_FAULTS: readonly Fault[] = [
  killedOwner,
  ...(['sqlite', 'postgres'] as const).map(killedMigration),
  ...(['sqlite', 'postgres'] as const).map(restored),
];
