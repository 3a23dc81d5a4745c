// Ten thousand seeds, or as many as SIMULATION_SEEDS says. The result is written after every few hundred, so a suite that is ended early
// says how many it has simulated.

import { expect, test } from 'vitest';
import { describeFailure, runSeeds, type SeedResult } from '../robustness/simulation/seed-process.ts';
import { writeResult } from '../support/write-result.ts';

const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? 10_000);
const FIRST = Number(process.env['SIMULATION_FIRST_SEED'] ?? 1);
const SEEDS_PER_PROCESS = 250;
const HOURS = 24;

test(
  `${SEEDS} simulations find no fault`,
  async () => {
    const totals = { seeds: 0, cpuMs: 0, virtualMs: 0, calls: 0, steps: 0 };
    const failed: number[] = [];
    const failures: string[] = [];
    const add = (result: SeedResult): void => {
      totals.seeds += 1;
      for (const metric of ['cpuMs', 'virtualMs', 'calls', 'steps'] as const) totals[metric] += result[metric];
      if (result.problems.length === 0) return;
      failed.push(result.seed);
      failures.push(describeFailure(result));
      console.warn(describeFailure(result));
    };
    while (totals.seeds < SEEDS) {
      const first = FIRST + totals.seeds;
      await runSeeds({ first, count: Math.min(SEEDS_PER_PROCESS, SEEDS - totals.seeds) }, add);
      const seedsPerCpuMinute = Math.round((totals.seeds / totals.cpuMs) * 60_000);
      writeResult('simulation', { firstSeed: FIRST, ...totals, seedsPerCpuMinute, failedSeeds: failed });
    }
    expect(failures).toEqual([]);
  },
  HOURS * 3_600_000,
);
