// The short form: one trial of the faults that a change breaks most easily. How fast a crawl goes on is judged by the long
// form only, which has the machine for itself.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EngineName } from '../e2e/library.ts';
import { FAULTS } from './faults.ts';
import { nameOf } from './fault-stats.ts';
import { openStage, type Stage } from './fault-fixture.ts';

export function playShortForm(engine: EngineName): void {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(30, 20);
  });
  afterAll(() => stage.close());

  for (const fault of FAULTS.filter((candidate) => candidate.engine === engine && candidate.short > 0)) {
    test(`[${fault.id}] ${nameOf(fault)}: nothing lost, doubled or broken`, { timeout: 120_000 }, async (context) => {
      const reason = fault.cannot?.() ?? null;
      if (reason !== null) context.skip(reason);
      for (let trial = 1; trial <= fault.short; trial += 1) {
        const result = await fault.play(stage, trial);
        expect(result).toMatchObject({ violations: [], lost: 0, different: 0, doubled: 0, unmet: [] });
      }
    });
  }
}
