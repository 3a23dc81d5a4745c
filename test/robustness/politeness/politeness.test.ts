// The short form of `npm run test:politeness`.

import { expect, test } from 'vitest';
import { measurePoliteness } from './politeness.ts';

test('[F2] four processes share the rate limit of each host, and ramp up', { timeout: 120_000 }, async () => {
  const stats = await measurePoliteness({ processes: 4, concurrency: 16, seconds: 25 });
  // A machine that runs other tests as well may delay one request and not the next: by a few hundredths of the window.
  for (const { earlyBy } of stats.hosts) expect(earlyBy).toBeLessThan(0.05);
  const [fast, slow] = stats.hosts;
  expect(fast!.askers).toBeGreaterThan(1);
  expect(fast!.requests).toBeGreaterThan(20);
  expect(fast!.ratePerSecond.lastFiveSeconds).toBeGreaterThan(fast!.ratePerSecond.firstFiveSeconds);
  expect(slow!.requests).toBeGreaterThan(5);
  // From one a second to five: in three steps, and back after each slow response.
  expect(stats.rateEvents['faster']).toBeGreaterThanOrEqual(3);
});
