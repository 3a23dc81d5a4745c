// Workers that stall past their lease or die lose no page and write none twice; without the fencing check they do.

import { expect, test } from 'vitest';
import { zombieRun, type ZombieSettings } from '../../support/zombie-run.ts';

const SHORT: Omit<ZombieSettings, 'engine' | 'fenced'> = {
  seed: 1,
  size: 600,
  hosts: 40,
  leaseMs: 500,
  ownerKills: 3,
};

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`${engine}: stalled and crashed workers lose nothing and duplicate nothing`, { timeout: 120_000 }, async () => {
    const result = await zombieRun({ ...SHORT, engine, fenced: true });
    expect(result).toMatchObject({ lost: 0, doubled: 0, violations: [], completed: true });
    expect(result.refused).toBeGreaterThan(0);
    expect(result.processesKilled).toBeGreaterThan(0);
  });

  test(
    `${engine}: the same workers duplicate pages if the fencing token is not checked`,
    { timeout: 120_000 },
    async () => {
      const result = await zombieRun({ ...SHORT, engine, fenced: false, ownerKills: 0 });
      expect(result.refused).toBe(0);
      expect(result.doubled).toBeGreaterThan(0);
      expect(result.violations.length).toBeGreaterThan(0);
    },
  );
}
