// Two hundred kills of an indexer on each engine.

import { afterAll, expect, test } from 'vitest';
import { killIndex, type KillIndexResult } from '../robustness/kills/kill-index.ts';
import { writeResult } from '../support/write-result.ts';

const KILLS = Number(process.env['PINAKES_KILLS'] ?? 100);
const results: KillIndexResult[] = [];

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`${engine}: an indexer killed ${KILLS * 2} times gives the same results`, async () => {
    const result = await killIndex({ engine, kills: KILLS, pages: 6000 });
    results.push(result);
    expect(result).toMatchObject({ violations: [], differences: [] });
    expect(result.waited[0]).toBeGreaterThan(0);
    expect(result.mergesCut).toBeGreaterThan(0);
  });
}

afterAll(() =>
  writeResult('kill-index', {
    results: results.map(({ waited, ...rest }) => ({ ...rest, waitedFirst: waited[0], waitedLast: waited.at(-1) })),
  }),
);
