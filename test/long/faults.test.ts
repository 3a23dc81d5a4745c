// Every listed fault that concerns a crawl, many times, on real processes. Writes bench/results/faults.json.

import { availableParallelism, loadavg } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NOT_TESTED } from '../robustness/faults/not-tested.table.ts';
import { FAULTS } from '../robustness/faults/faults.ts';
import { faultStats, nameOf, type FaultStats } from '../robustness/faults/fault-stats.ts';
import { LEASE_MS, type TrialResult } from '../robustness/faults/trial.ts';
import { openFixture, type Fault, type FaultFixture } from '../robustness/faults/fault-fixture.ts';
import { writeResult } from '../support/write-result.ts';

/** The guarantee: work resumes within this time. */
const RESUMED_WITHIN_S = 35;
/** Runs a share of the trials, for a shorter run. */
const SHARE = Number(process.env['FAULT_TRIALS_SHARE'] ?? 1);
const trialsOf = (fault: Fault): number => Math.max(1, Math.round(fault.long * SHARE));
const startedAt = Date.now();
const summaries: FaultStats[] = [];
let stage: FaultFixture;

beforeAll(async () => {
  stage = await openFixture(40, 20, false);
});

afterAll(() => stage.close());

function saveResults(): void {
  const trials = summaries.reduce((total, fault) => total + fault.trials, 0);
  const minutes = Math.round((Date.now() - startedAt) / 6000) / 10;
  writeResult('faults', {
    leaseMs: LEASE_MS,
    defaultLeaseMs: 30_000,
    trials,
    share: SHARE,
    minutes,
    /** Load average of a minute per core: above 1 the times below also depend on other processes. */
    load: Math.round((loadavg()[0]! / availableParallelism()) * 10) / 10,
    faults: summaries,
    notTested: NOT_TESTED,
  });
}

for (const fault of FAULTS) {
  test(`[${fault.id}] ${nameOf(fault)}: nothing lost, duplicated or broken in ${trialsOf(fault)} trials`, async (context) => {
    const reason = fault.cannot?.() ?? null;
    if (reason !== null) {
      summaries.push({ ...faultStats(fault, []), notRun: reason });
      context.skip(reason);
    }
    const results: TrialResult[] = [];
    try {
      for (let trial = 1; trial <= trialsOf(fault); trial += 1) results.push(await fault.run(stage, 100 + trial));
    } finally {
      summaries.push(faultStats(fault, results));
      saveResults();
    }
    const found = summaries.at(-1)!;
    expect(found).toMatchObject({ violations: 0, lost: 0, different: 0, doubled: 0, unmet: [] });
    expect(found.worstResume?.secondsAtDefaultLease ?? 0).toBeLessThan(RESUMED_WITHIN_S);
  });
}
