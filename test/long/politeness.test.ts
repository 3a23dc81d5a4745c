// Two minutes of four processes with sixteen URLs in flight each: nobody comes too early, by the servers' own logs.

import { expect, test } from 'vitest';
import { measurePoliteness } from '../politeness/politeness.ts';
import { writeResult } from './write-result.ts';

test('no request comes earlier than its host allows', async () => {
  const figures = await measurePoliteness({ processes: 4, concurrency: 16, seconds: 120 });
  writeResult('politeness', figures);
  expect(figures.hosts.map(({ violations }) => violations)).toEqual([0, 0]);
  expect(figures.hosts.map(({ askers }) => askers)).toEqual([4, 4]);
  expect(figures.hosts[0]!.ratePerSecond.lastFiveSeconds).toBeGreaterThan(2);
});
