// The short form: one trial of the faults that a change breaks most easily. How fast a crawl resumes is measured by the
// long form only, which has the machine to itself.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EngineName } from '../../support/library.ts';
import { FAULTS } from './faults.ts';
import { nameOf } from './fault-stats.ts';
import { openFixture, type FaultFixture } from './fault-fixture.ts';

export function runShortTrials(engine: EngineName): void {
  let fixture: FaultFixture;
  beforeAll(async () => {
    fixture = await openFixture(30, 20, true);
  });
  afterAll(() => fixture.close());

  for (const fault of FAULTS.filter((candidate) => candidate.engine === engine && candidate.short > 0)) {
    test(
      `[${fault.id}] ${nameOf(fault)}: nothing lost, duplicated or broken`,
      { timeout: 120_000 },
      async (context) => {
        const reason = fault.cannot?.() ?? null;
        if (reason !== null) context.skip(reason);
        for (let trial = 1; trial <= fault.short; trial += 1) {
          const result = await fault.run(fixture, trial);
          expect(result).toMatchObject({ violations: [], lost: 0, different: 0, doubled: 0, unmet: [] });
        }
      },
    );
  }
}
