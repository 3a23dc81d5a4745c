// The short form: one trial of each fault. The long form is test/long/faults.test.ts.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAULTS } from './faults.ts';
import { LEASE_MS } from './scene.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage(30, 20);
});
afterAll(() => stage.close());

for (const fault of FAULTS) {
  const name = `[${fault.id}] ${fault.engine}${fault.variant === undefined ? '' : `, ${fault.variant}`}`;
  test(`${name}: nothing lost, nothing doubled, no invariant broken`, { timeout: 120_000 }, async (context) => {
    const reason = fault.cannot?.() ?? null;
    if (reason !== null) context.skip(reason);
    for (let trial = 1; trial <= fault.short; trial += 1) {
      const result = await fault.play(stage, trial);
      expect(result).toMatchObject({ violations: [], lost: 0, different: 0, doubled: 0, unmet: [] });
      if (result.resumedInMs !== null) expect(result.resumedInMs).toBeLessThan(LEASE_MS + 5000);
    }
  });
}
