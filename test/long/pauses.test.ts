// Hundreds of runs on a PostgreSQL whose statements pause, in several measures: many short pauses, and few long ones. PAUSED_ROUNDS sets
// another number of rounds.

import { afterAll, expect, test } from 'vitest';
import { crawlWithPauses, type PausedCrawlResult } from '../robustness/pauses/crawl-with-pauses.ts';
import { writeResult } from '../support/write-result.ts';

const ROUNDS = Number(process.env['PAUSED_ROUNDS'] ?? 6);
const MEASURES = [
  { chance: 0.5, maxMs: 20 },
  { chance: 0.2, maxMs: 100 },
  { chance: 0.02, maxMs: 3000 },
];
const results: object[] = [];

afterAll(() => writeResult('pauses', { rounds: ROUNDS, results }));

for (const measure of MEASURES)
  test(`${ROUNDS} rounds, ${measure.chance * 100} % of the statements pause for up to ${measure.maxMs} ms`, async () => {
    const result: PausedCrawlResult = await crawlWithPauses({
      ...measure,
      folders: 2,
      sites: 4,
      rounds: ROUNDS,
      runsPerRound: 6,
      seed: 7,
    });
    results.push({ ...measure, ...result });
    expect(result.problems).toEqual([]);
    expect(result.pauses).toBeGreaterThan(ROUNDS * 10);
  });
