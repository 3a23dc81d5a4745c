// Every fault of the list that concerns a crawl, many times, on real processes. Leaves bench/results/faults.json.

import { availableParallelism, loadavg } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ELSEWHERE } from '../faults/not-tested.table.ts';
import { FAULTS } from '../faults/faults.ts';
import { figuresOf, nameOf, type FaultFigures } from '../faults/fault-stats.ts';
import { LEASE_MS, type TrialResult } from '../faults/trial.ts';
import { openStage, type Fault, type Stage } from '../faults/fault-fixture.ts';
import { writeResult } from './write-result.ts';

/** What is promised: nothing stands still longer. */
const RESUMED_WITHIN_S = 35;
/** A part of the trials, for a machine that has no half hour. */
const SHARE = Number(process.env['FAULT_TRIALS_SHARE'] ?? 1);
const trialsOf = (fault: Fault): number => Math.max(1, Math.round(fault.long * SHARE));
const began = Date.now();
const figures: FaultFigures[] = [];
let stage: Stage;

beforeAll(async () => {
  stage = await openStage(40, 20);
});

afterAll(() => stage.close());

function keepFigures(): void {
  const trials = figures.reduce((total, fault) => total + fault.trials, 0);
  const minutes = Math.round((Date.now() - began) / 6000) / 10;
  writeResult('faults', {
    leaseMs: LEASE_MS,
    defaultLeaseMs: 30_000,
    trials,
    share: SHARE,
    minutes,
    /** Over a minute, for each core: above 1 the times below are the machine's as well. */
    load: Math.round((loadavg()[0]! / availableParallelism()) * 10) / 10,
    faults: figures,
    elsewhere: ELSEWHERE,
  });
}

for (const fault of FAULTS) {
  test(`[${fault.id}] ${nameOf(fault)}: nothing lost, doubled or broken in ${trialsOf(fault)} trials`, async (context) => {
    const reason = fault.cannot?.() ?? null;
    if (reason !== null) {
      figures.push({ ...figuresOf(fault, []), notRun: reason });
      context.skip(reason);
    }
    const results: TrialResult[] = [];
    try {
      for (let trial = 1; trial <= trialsOf(fault); trial += 1) results.push(await fault.play(stage, 100 + trial));
    } finally {
      figures.push(figuresOf(fault, results));
      keepFigures();
    }
    const found = figures.at(-1)!;
    expect(found).toMatchObject({ violations: 0, lost: 0, different: 0, doubled: 0, unmet: [] });
    expect(found.worstResume?.secondsAtDefaultLease ?? 0).toBeLessThan(RESUMED_WITHIN_S);
  });
}
