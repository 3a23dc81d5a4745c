// Each planted fault alone, in up to 500 seeds, or as many as SIMULATION_PLANTED_SEEDS says: how many of them the simulation finds, and with
// which seed.

import { afterAll, expect, test } from 'vitest';
import { PLANTED_FAULTS } from '../robustness/simulation/planted-faults.table.ts';
import { runSeeds } from '../robustness/simulation/seed-process.ts';
import { writeResult } from '../support/write-result.ts';

const SEEDS = Number(process.env['SIMULATION_PLANTED_SEEDS'] ?? 500);
const HOURS = 3;

interface Search {
  readonly fault: string;
  /** Null if no seed found it. */
  readonly foundBySeed: number | null;
  readonly problem: string | null;
  readonly cpuMs: number;
  readonly unseen?: string;
}

const searches: Search[] = [];

test.each(PLANTED_FAULTS.map(({ name, unseen }) => ({ name, unseen })))(
  'finds that $name',
  async ({ name, unseen }) => {
    const results = await runSeeds({ first: 1, count: SEEDS, untilFound: true, plantedFault: name });
    const found = results.find(({ problems }) => problems.length > 0);
    searches.push({
      fault: name,
      foundBySeed: found?.seed ?? null,
      problem: found?.problems[0]?.split('\n')[0] ?? null,
      cpuMs: results.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
      ...(unseen === undefined ? {} : { unseen }),
    });
    // An explanation of a fault that is found is wrong.
    expect(found === undefined, JSON.stringify(found?.problems)).toBe(unseen !== undefined);
  },
  HOURS * 3_600_000,
);

afterAll(() => {
  const found = searches.filter(({ foundBySeed }) => foundBySeed !== null).length;
  writeResult('simulation-mutation', { seedsPerFault: SEEDS, faults: searches.length, found, searches });
});
