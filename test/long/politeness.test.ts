// Two minutes of four processes with sixteen URLs in flight each: by the servers' logs, no request is too early.

import { expect, test } from 'vitest';
import { measurePoliteness } from '../robustness/politeness/politeness.ts';
import { writeResult } from '../support/write-result.ts';

test('no request is sent earlier than its host allows', async () => {
  const result = await measurePoliteness({ processes: 4, concurrency: 16, seconds: 120 });
  writeResult('politeness', result);
  expect(result.hosts.map(({ violations }) => violations)).toEqual([0, 0]);
  expect(result.hosts.map(({ askers }) => askers)).toEqual([4, 4]);
  expect(result.hosts[0]!.ratePerSecond.lastFiveSeconds).toBeGreaterThan(2);
});
