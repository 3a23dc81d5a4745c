// A long upgrade: the previous build and this one side by side for hours of virtual time, a downgrade before a migration, the migration under
// processes of both, and a downgrade after it. The index of this build is built from that of the previous one while both run.

import { sha256Hex } from '../../../src/core/model/hash.ts';
import type { Migration } from '../../../src/store/sql/engine/migrations.ts';
import { SEARCHED_STATES_SQL } from '../../../src/store/sql/engine/states.ts';
import { NO_FAULTS, type Faults } from './faults.ts';
import { PREVIOUS_BUILD } from './previous-build.table.ts';
import { thisBuild, type ProgramBuild } from './program-build.ts';
import { simulate, simulateRun, type Course, type SimulationResult, type World } from './simulate.ts';
import { trace } from './trace.ts';
import { chance, delay, integer, pick, virtualMs } from './virtual-time.ts';

const { thisBuild: earlier } = (await import(`./program-build.ts${PREVIOUS_BUILD}`)) as { thisBuild: ProgramBuild };
const previousBuild: ProgramBuild = { ...earlier, name: 'the previous build' };

const SQL = 'alter table pages add column note text; alter table runs add column note text';
const MIGRATION: Migration = { number: 9000, name: '9000-test.sql', sql: SQL, hash: sha256Hex(SQL) };
const newBuild: ProgramBuild = { ...thisBuild, migrations: [...thisBuild.migrations, MIGRATION] };

interface Phase {
  readonly name: string;
  readonly builds: readonly ProgramBuild[];
  readonly hours: number;
  readonly migrates?: true;
}

const PHASES: readonly Phase[] = [
  { name: 'the previous build', builds: [previousBuild], hours: 0.5 },
  { name: 'both builds', builds: [previousBuild, thisBuild], hours: 2 },
  { name: 'a downgrade before the migration', builds: [previousBuild], hours: 0.5 },
  { name: 'both builds again', builds: [previousBuild, newBuild], hours: 1 },
  {
    name: 'the migration, and a downgrade that is refused',
    builds: [previousBuild, newBuild],
    hours: 1,
    migrates: true,
  },
  { name: 'the new build', builds: [newBuild], hours: 0.5 },
];

const MIN_PROCESSES = 2;
const HOUR_MS = 3_600_000;
/** An older process that does nothing sees the schema when it next asks for work, or when it continues. */
const REFUSED_WITHIN_MS = 60_000;
/** The index is that of the new build so long after the last process of the previous one. */
const CONVERTED_WITHIN_MS = 15 * 60_000;
const UPGRADE: Course = {
  optionsOf: () => ({ ...OPTIONS, faults: upgradeFaults() }),
  run: simulatePhases,
  untilMs: 24 * HOUR_MS,
  maxSteps: 20_000_000,
};
const OPTIONS = { isMigrated: true, minDelayMs: 200, pages: 12, disturbMs: 60_000, limitedShare: 0 } as const;

export function simulateUpgrade(seed: number): Promise<SimulationResult> {
  return simulate(seed, UPGRADE);
}

function upgradeFaults(): Faults {
  return {
    ...NO_FAULTS,
    maxDelayMs: pick([4, 40]),
    lostAnswers: pick([0, 0.002]),
    deaths: chance(0.5),
    stops: chance(0.5),
    shutdowns: chance(0.5),
    slowIndexing: chance(0.3),
    failingReceiver: chance(0.3),
  };
}

async function simulatePhases(world: World): Promise<void> {
  const { workers, problems, database } = world;
  let nth = 0;
  for (const { name, builds, hours, migrates } of PHASES) {
    trace(name);
    const untilMs = virtualMs() + hours * HOUR_MS;
    if (migrates === true) database.migrate(MIGRATION);
    const migratedMs = virtualMs();
    const replaced = workers.use(builds);
    for (const build of builds) if (workers.runningOf(build) === 0) workers.start(build);
    while (workers.running().length < MIN_PROCESSES) workers.start();
    while (virtualMs() < untilMs && problems.length === 0) {
      if (nth > 0) for (const { site } of world.sources) site.edit();
      nth += 1;
      problems.push(...(await simulateRun(world, false)).map((problem) => `${name}, run ${nth}: ${problem}`));
      await world.checkConsumers();
      await delay(integer(1, 20) * 60_000);
      if (migrates === true && virtualMs() - migratedMs > REFUSED_WITHIN_MS && workers.runningOf(previousBuild) > 0)
        problems.push(`${name}: a process of ${previousBuild.name} goes on after the migration`);
    }
    await replaced;
    if (problems.length > 0) return;
  }
  await delay(CONVERTED_WITHIN_MS);
  // One that a process was filling when it ended is dropped when SQLite's file is opened, which happens once here.
  const [segment] = database.rows(
    `select id from search_segments where index_fingerprint <> '${newBuild.indexFingerprint}' and state in ${SEARCHED_STATES_SQL}`,
  );
  if (segment !== undefined) problems.push(`segment ${String(segment['id'])} is still of ${previousBuild.name}`);
  const stored = database.rows('select distinct pipeline_version as version from pages').map(({ version }) => version);
  if (stored.length !== 1) problems.push(`pages are of ${stored.length} builds: ${stored.join(', ')}`);
}
