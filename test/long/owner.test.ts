// Fifty trials of the owner lock.

import { afterAll, expect, test } from 'vitest';
import { ownerTrial, type OwnerTrial } from '../feature/owner/owner-trials.ts';
import { writeResult } from '../support/write-result.ts';

const TRIALS = 50;
const trials: OwnerTrial[] = [];

test(`${TRIALS} second owners are rejected, ${TRIALS} killed owners release their directory`, async () => {
  for (let trial = 1; trial <= TRIALS; trial += 1) {
    const result = await ownerTrial(`pinakes serve --trial ${trial}`);
    trials.push(result);
    expect(result.rejection).toContain(`process ${result.firstPid} (pinakes serve --trial ${trial}`);
    expect(result.refusedInMs).toBeLessThan(2000);
    expect(result.freeInMs).toBeLessThan(2000);
  }
});

afterAll(() => {
  const worst = (metric: 'refusedInMs' | 'freeInMs') => Math.round(Math.max(...trials.map((trial) => trial[metric])));
  writeResult('owner', {
    trials: trials.length,
    rejected: trials.filter(({ rejection }) => rejection !== null).length,
    refusedInMsAtMost: worst('refusedInMs'),
    freeInMsAtMost: worst('freeInMs'),
  });
});
