// Long upgrades in virtual time, as many as SIMULATION_UPGRADES says: six hours each, with the previous build and this one side by side, a
// downgrade before and after a migration, and an index that is built again while both run.

import { expect, test } from 'vitest';
import { describeFailure, runSeeds } from '../robustness/simulation/seed-process.ts';
import { writeResult } from '../support/write-result.ts';

const UPGRADES = Number(process.env['SIMULATION_UPGRADES'] ?? 20);
const FIRST = Number(process.env['SIMULATION_FIRST_SEED'] ?? 1);
const HOURS = 24;
const HOUR_MS = 3_600_000;

test(
  `${UPGRADES} upgrades over hours lose nothing, and nothing of the previous build is left`,
  async () => {
    const totals = { upgrades: 0, cpuMs: 0, virtualHours: 0, calls: 0 };
    const results = await runSeeds({ first: FIRST, count: UPGRADES, course: 'upgrades' }, (result) => {
      totals.upgrades += 1;
      totals.cpuMs += result.cpuMs;
      totals.virtualHours += Math.round(result.virtualMs / HOUR_MS);
      totals.calls += result.calls;
      writeResult('simulation-upgrades', { firstSeed: FIRST, ...totals });
    });
    const failed = results.filter(({ problems }) => problems.length > 0);
    writeResult('simulation-upgrades', { firstSeed: FIRST, ...totals, failedSeeds: failed.map(({ seed }) => seed) });
    expect(failed.map(describeFailure)).toEqual([]);
  },
  HOURS * HOUR_MS,
);
