// 300 kills of the real program while it crawls, half of them on each engine; KILLS sets another number. Writes
// bench/results/kill-crawl.json.

import { afterAll, expect, test } from 'vitest';
import { writeResult } from '../../bench/support/write-result.ts';
import { killCrawl, type KillCrawlResult } from '../robustness/kills/kill-crawl.ts';
import { ENGINES } from '../support/library.ts';

const KILLS_EACH = Number(process.env['KILLS'] ?? 300) / 2;
const results: KillCrawlResult[] = [];

afterAll(() => {
  if (process.env['KILLS'] === undefined) writeResult('kill-crawl', { command: 'npm run test:kill-crawl', results });
});

for (const engine of ENGINES) {
  test(`${engine}: ${KILLS_EACH} kills lose no page, store none twice and break no invariant`, async () => {
    const result = await killCrawl({ engine, kills: KILLS_EACH, seed: 2 });
    results.push(result);
    expect(result).toMatchObject({
      kills: KILLS_EACH,
      wrongPages: 0,
      doubled: 0,
      brokenHistory: [],
      violations: [],
      requestedTooOften: [],
      notCompleted: [],
    });
    expect(result.requestedAgain).toBeLessThanOrEqual(result.requestedAgainAllowed);
  });
}
