// Every fault of the list that concerns a crawl, many times, on real processes. Leaves bench/results/faults.json.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { ELSEWHERE } from '../faults/elsewhere.table.ts';
import { FAULTS } from '../faults/faults.ts';
import { figuresOf, nameOf, type FaultFigures } from '../faults/figures.ts';
import { LEASE_MS, type TrialResult } from '../faults/scene.ts';
import { openStage, type Stage } from '../faults/stage.ts';
import { writeResult } from './write-result.ts';

const RESUMED_WITHIN_S = 35;
const began = Date.now();
const figures: FaultFigures[] = [];
let stage: Stage;

beforeAll(async () => {
  stage = await openStage(40, 20);
});

afterAll(async () => {
  await stage.close();
  const trials = figures.reduce((total, fault) => total + fault.trials, 0);
  const minutes = Math.round((Date.now() - began) / 6000) / 10;
  writeResult('faults', {
    leaseMs: LEASE_MS,
    defaultLeaseMs: 30_000,
    trials,
    minutes,
    faults: figures,
    elsewhere: ELSEWHERE,
  });
});

for (const fault of FAULTS) {
  test(`[${fault.id}] ${nameOf(fault)}: nothing lost, doubled or broken in ${fault.long} trials`, async (context) => {
    const reason = fault.cannot?.() ?? null;
    if (reason !== null) {
      figures.push({ ...figuresOf(fault, []), notRun: reason });
      context.skip(reason);
    }
    const results: TrialResult[] = [];
    try {
      for (let trial = 1; trial <= fault.long; trial += 1) results.push(await fault.play(stage, 100 + trial));
    } finally {
      figures.push(figuresOf(fault, results));
    }
    const found = figures.at(-1)!;
    expect(found).toMatchObject({ violations: 0, lost: 0, different: 0, doubled: 0, unmet: [] });
    expect(found.worstResume?.secondsAtDefaultLease ?? 0).toBeLessThan(RESUMED_WITHIN_S);
  });
}
