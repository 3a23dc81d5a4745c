// Kills of the real program while it analyses a library and while it crawls by a plan, 50 of each on each engine; KILLS sets another number.
// Writes bench/results/kill-analysis.json.

import { afterAll, expect, test } from 'vitest';
import { writeResult } from '../../bench/support/write-result.ts';
import { killAnalysis, type KillAnalysisResult } from '../robustness/kills/kill-analysis.ts';
import { killCrawl, type KillCrawlResult } from '../robustness/kills/kill-crawl.ts';
import { ENGINES } from '../support/library.ts';

const KILLS = Number(process.env['KILLS'] ?? 50);
const [analyses, planned]: [KillAnalysisResult[], KillCrawlResult[]] = [[], []];

afterAll(() => {
  if (process.env['KILLS'] === undefined)
    writeResult('kill-analysis', { command: 'npm run test:kill-analysis', analyses, planned });
});

for (const engine of ENGINES) {
  test(`${engine}: ${KILLS} kills of an analysis repeat no page`, async () => {
    const result = await killAnalysis({ engine, kills: KILLS, seed: 2 });
    analyses.push(result);
    expect(result).toMatchObject({ kills: KILLS, wrongCounts: [], notCompleted: [], violations: [] });
  });

  test(`${engine}: ${KILLS} kills of planned crawls lose no page`, async () => {
    const result = await killCrawl({ engine, kills: KILLS, seed: 3, preset: 'intelligent' });
    planned.push(result);
    expect(result).toMatchObject({ kills: KILLS, wrongPages: 0, doubled: 0, violations: [], notCompleted: [] });
  });
}
