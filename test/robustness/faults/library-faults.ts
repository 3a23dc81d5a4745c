// SQLite owners that are killed repeatedly, migrations that are cut short, and libraries that are restored from a copy.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { EngineName } from '../../support/library.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { createRandom } from '../../support/random.ts';
import { differences, fingerprintOf } from './fault-site.ts';
import { postgresLibrary, sqliteLibrary, type FaultLibrary } from './fault-library.ts';
import { startUnderFault } from './program-under-fault.ts';
import { emptyLibrary, runInLibrary, runInNewLibrary, type Fault, type FaultFixture } from './fault-fixture.ts';

const CYCLES = 6;

/** What a commit acknowledged before the kill is there after it. */
const killedOwner: Fault = {
  id: 'F28',
  engine: 'sqlite',
  waitsForLease: false,
  short: 0,
  long: 4,
  run: (fixture, seed) =>
    runInNewLibrary(fixture, { engine: 'sqlite', seed }, async (trial) => {
      const acknowledged = join(temporaryDirectory(), 'acknowledged');
      for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
        const owner = trial.worker({ preload: ['record-commits'], env: { FAULT_ACKNOWLEDGED: acknowledged } });
        trial.forgive(owner);
        await trial.untilRequested(cycle * Math.floor(trial.site.size / (CYCLES + 2)));
        await wait(trial.random() * 60);
        owner.kill('SIGKILL');
        await owner.ended;
        const lines = readFileSync(acknowledged);
        const owed = lines.length < 8 ? 0 : Number(lines.readBigUInt64LE(lines.length - 8));
        const last = await trial.library.read((store) => store.journal.lastSeq());
        trial.expect(`cycle ${cycle}: ${last} of ${owed} acknowledged events`, last >= owed);
      }
      const checkpoint = await trial.checkpoint();
      const at = performance.now();
      trial.worker();
      await trial.resumed(checkpoint, at);
    }),
};

/** A schema has some 110 statements; on SQLite they are one script in one transaction. */
const killedMigration = (engine: EngineName): Fault => ({
  id: 'F32',
  engine,
  waitsForLease: false,
  short: 1,
  long: engine === 'postgres' ? 8 : 4,
  async run(fixture, seed) {
    const library = await emptyLibrary(fixture, engine);
    const random = createRandom(seed);
    const statement =
      engine === 'postgres' ? 'create |insert into migrations|^commit' : 'begin|create |migrations|^commit';
    const env = {
      FAULT_STATEMENT: statement,
      FAULT_NTH: String(1 + Math.floor(random() * (engine === 'postgres' ? 110 : 4))),
      FAULT_WHEN: random() < 0.5 ? 'before' : 'after',
    };
    const first = await startUnderFault(library.settings, ['list'], { preload: ['kill-at-statement'], env }).ended;
    const again = await startUnderFault(library.settings, ['list']).ended;
    return runInLibrary(fixture, library, { seed }, async (trial) => {
      trial.expect(`the first was killed (${first.code})`, first.signal === 'SIGKILL' || first.code === 0);
      trial.expect(`the next start completes it: ${again.stderr}`, again.code === 0);
      trial.worker();
    });
  },
});

/** A copy restored into an empty system gives the same results as the original. */
const restored = (engine: EngineName): Fault => ({
  id: 'F38',
  engine,
  waitsForLease: false,
  short: 0,
  long: 1,
  run: (fixture, seed) =>
    runInNewLibrary(fixture, { engine, seed }, async (trial) => {
      trial.worker();
      await trial.untilEnded();
      await waitUntil('the search index is up to date', () =>
        trial.library.read(async (store) => (await store.segments.queueLength()) === 0),
      );
      const copy = await (engine === 'sqlite' ? copySqlite(trial.library) : copyPostgres(fixture, trial.library));
      const { found, broken } = await copy.read(async (store) => ({
        found: await fingerprintOf(store),
        broken: await store.verify(),
      }));
      const { lost, other } = differences(found, fixture.control);
      trial.expect('the copy has the same pages', lost.length + other.length === 0);
      trial.expect('the copy is intact', broken.length === 0);
      const send = ['search', 'almanac documentation', '--json'];
      const [one, two] = await Promise.all([trial.run(send), startUnderFault(copy.settings, send).ended]);
      trial.expect('a search gives the same result', one.stdout === two.stdout && one.code === 0);
      await copy.remove();
    }),
});

async function copySqlite({ at }: FaultLibrary): Promise<FaultLibrary> {
  const directory = temporaryDirectory();
  const database = new DatabaseSync(join(at, 'pinakes.db'), { readOnly: true });
  database.exec(`vacuum into '${join(directory, 'pinakes.db')}'`);
  database.close();
  return sqliteLibrary(directory);
}

async function copyPostgres(fixture: FaultFixture, { at }: FaultLibrary): Promise<FaultLibrary> {
  const server = await fixture.postgres();
  const url = await server.createDatabase();
  await promisify(execFile)('sh', [
    '-c',
    'pg_dump --no-owner "$1" | psql --quiet -v ON_ERROR_STOP=1 "$2"',
    'sh',
    at,
    url,
  ]);
  return postgresLibrary(server, url);
}

export const LIBRARY_FAULTS: readonly Fault[] = [
  killedOwner,
  ...(['sqlite', 'postgres'] as const).map(killedMigration),
  ...(['sqlite', 'postgres'] as const).map(restored),
];
