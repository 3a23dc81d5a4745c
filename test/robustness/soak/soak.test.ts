// The short form of the soak test. `npm run test:soak` has an hour.

import { expect, test } from 'vitest';
import { growth, soak } from './soak.ts';

test('fifteen seconds of everything at once loses and leaves nothing', { timeout: 3_600_000 }, async () => {
  const result = await soak({ seconds: 15, killEverySeconds: 5, restoreEverySeconds: 10 });
  expect(result).toMatchObject({ acknowledgedLost: 0, problems: [] });
  for (const metric of [
    'kills',
    'searches',
    'acknowledged',
    'restores',
    'hostileRequests',
    'scriptedRequests',
  ] as const)
    expect(result[metric], metric).toBeGreaterThan(0);
  expect(growth(result.samples, 'temporaryFiles').last).toBeLessThan(20);
});
