// Ten thousand seeds, or as many as SIMULATION_SEEDS says, and up to 500 for each planted fault.

import { afterAll, expect, test } from 'vitest';
import { PLANTED_FAULTS } from '../robustness/simulation/planted-faults.table.ts';
import { describeFailure, runSeeds, type SeedResult } from '../robustness/simulation/seed-process.ts';
import { writeResult } from '../support/write-result.ts';

const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? 10_000);
const PLANTED_SEEDS = Number(process.env['SIMULATION_PLANTED_SEEDS'] ?? 500);
const HOURS = 12;

const totals = { seeds: 0, failed: 0, cpuMs: 0, virtualMs: 0, calls: 0 };
const planted: Array<{ readonly fault: string; readonly foundBySeed: number | null }> = [];

function add({ problems, cpuMs, virtualMs, calls }: SeedResult): void {
  totals.seeds += 1;
  totals.failed += Number(problems.length > 0);
  totals.cpuMs += cpuMs;
  totals.virtualMs += virtualMs;
  totals.calls += calls;
}

test(
  `${SEEDS} simulations find no fault`,
  async () => {
    const failures: string[] = [];
    await runSeeds({ first: 1, count: SEEDS }, (result) => {
      add(result);
      if (result.problems.length > 0) failures.push(describeFailure(result));
    });
    expect(failures).toEqual([]);
  },
  HOURS * 3_600_000,
);

test.each(PLANTED_FAULTS.map(({ name, unseen }) => ({ name, unseen })))(
  'finds that $name',
  async ({ name, unseen }) => {
    const last = (await runSeeds({ first: 1, count: PLANTED_SEEDS, untilFound: true, plantedFault: name })).at(-1);
    const foundBySeed = last !== undefined && last.problems.length > 0 ? last.seed : null;
    planted.push({ fault: name, foundBySeed });
    if (unseen === undefined) expect(foundBySeed).not.toBeNull();
  },
  3_600_000,
);

afterAll(() => {
  const { seeds, cpuMs } = totals;
  writeResult('simulation', {
    ...totals,
    seedsPerMinuteOfCpu: cpuMs === 0 ? null : Math.round((seeds / cpuMs) * 60_000),
    plantedSeeds: PLANTED_SEEDS,
    found: planted.filter(({ foundBySeed }) => foundBySeed !== null).length,
    planted,
  });
});
