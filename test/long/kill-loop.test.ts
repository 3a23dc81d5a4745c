// Three hundred kills of a crawl on each engine.

import { afterAll, test } from 'vitest';
import { killLoop, type KillLoopResult } from '../robustness/kills/kill-loop.ts';
import { writeResult } from '../support/write-result.ts';

const KILLS = 300;
const results: KillLoopResult[] = [];

for (const engine of ['sqlite', 'postgres'] as const) {
  test.concurrent(`${engine}: a crawl killed ${KILLS} times keeps every invariant and ends with the site's pages`, async ({
    expect,
  }) => {
    const result = await killLoop({ engine, kills: KILLS, size: 300, hosts: 10 });
    results.push(result);
    expect(result).toMatchObject({ violations: [], wrongPages: 0 });
    expect(result.runs).toBeGreaterThan(1);
  });
}

afterAll(() => writeResult('kill-loop', { results }));
