// 200 kills of a consumer of changes on each engine, and 40 more after its position has expired. Writes bench/results/changes.json.
// PINAKES_CHANGES_KILLS makes a short run.

import { afterEach, expect, test } from 'vitest';
import { writeResult } from '../../bench/support/write-result.ts';
import { killConsumer, type KillConsumerResult } from '../robustness/kills/kill-consumer.ts';

const KILLS = Number(process.env['PINAKES_CHANGES_KILLS'] ?? 200);
const results: KillConsumerResult[] = [];

// Each engine takes long: what is known is kept.
afterEach(() => writeResult('changes', { command: 'npm run test:changes', results }));

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`${engine}: a consumer killed ${KILLS} times sees every change once`, async () => {
    const killsAfterExpiry = Math.ceil(KILLS / 5);
    const result = await killConsumer({ engine, pages: 300, kills: KILLS, killsAfterExpiry });
    results.push(result);
    expect(result).toMatchObject({ doubled: 0, differences: [] });
    expect(result.killedAtWork).toBeGreaterThan(KILLS / 4);
  });
}
