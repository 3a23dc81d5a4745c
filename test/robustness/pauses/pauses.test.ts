// The short form of `npm run test:pauses`.

import { expect, test } from 'vitest';
import { crawlWithPauses } from './crawl-with-pauses.ts';

test('runs end and the library is right although statements pause between their start and their locks', async () => {
  const result = await crawlWithPauses({
    folders: 1,
    sites: 3,
    rounds: 2,
    runsPerRound: 4,
    seed: 1,
    chance: 0.2,
    maxMs: 60,
  });
  expect(result.problems).toEqual([]);
  expect(result.pauses).toBeGreaterThan(100);
}, 300_000);
