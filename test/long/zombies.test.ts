// Twenty seeds on each engine with a lease of one second, and one seed on each without the fence check.

import { afterAll, expect, test } from 'vitest';
import { zombieRun, type ZombieResult, type ZombieSettings } from '../support/zombie-run.ts';
import { writeResult } from '../support/write-result.ts';

const SEEDS = Array.from({ length: 20 }, (_, i) => i + 1);
const LONG: Omit<ZombieSettings, 'engine' | 'seed' | 'fenced'> = {
  size: 1200,
  hosts: 40,
  leaseMs: 1000,
  ownerKills: 3,
};
const fenced: ZombieResult[] = [];
const unfenced: ZombieResult[] = [];

for (const engine of ['sqlite', 'postgres'] as const) {
  for (const seed of SEEDS) {
    test(`${engine}, seed ${seed}: no page is lost or stored twice`, async () => {
      const result = await zombieRun({ ...LONG, engine, seed, fenced: true });
      fenced.push(result);
      expect(result).toMatchObject({ lost: 0, doubled: 0, violations: [], completed: true });
      expect(result.refused).toBeGreaterThan(0);
    });
  }

  test(`${engine}: pages are stored twice without the fence check`, async () => {
    const result = await zombieRun({ ...LONG, engine, seed: 1, fenced: false, ownerKills: 0 });
    unfenced.push(result);
    expect(result.doubled).toBeGreaterThan(0);
  });
}

afterAll(() => {
  const sum = (engine: string, field: 'lost' | 'doubled' | 'refused' | 'stalls' | 'abandoned' | 'processesKilled') =>
    fenced.filter((run) => run.engine === engine).reduce((total, run) => total + run[field], 0);
  const totals = (['sqlite', 'postgres'] as const).map((engine) => ({
    engine,
    seeds: fenced.filter((run) => run.engine === engine).length,
    lost: sum(engine, 'lost'),
    doubled: sum(engine, 'doubled'),
    refusedCommits: sum(engine, 'refused'),
    stalls: sum(engine, 'stalls'),
    abandonedClaims: sum(engine, 'abandoned'),
    processesKilled: sum(engine, 'processesKilled'),
    violations: fenced.filter((run) => run.engine === engine).flatMap((run) => run.violations).length,
  }));
  const withoutFence = unfenced.map(({ violations, ...run }) => ({ ...run, violations: violations.length }));
  writeResult('zombies', { settings: { workers: 8, ...LONG }, totals, withoutFence, runs: fenced });
});
