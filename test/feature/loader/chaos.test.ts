// The short form of test/long/loader.test.ts.

import { expect, test } from 'vitest';
import { runChaosBatch } from './chaos-batch.ts';

test('a batch keeps its order, with a reason for each failure, through faults', async () => {
  const report = await runChaosBatch({
    count: 120,
    pageBytes: 100_000,
    maxDelayMs: 20,
    downMs: 300,
    retryDelays: [0.1, 0.2, 0.4],
    seed: 7,
  });
  expect(report.faults).toEqual([]);
  expect(report.restarts).toBe(1);
  expect(report.maxConcurrent).toBeLessThanOrEqual(5);
  expect(report.failed).toMatchObject({
    'crawl4ai.malformed': expect.any(Number),
    'crawl4ai.failed': expect.any(Number),
  });
  // Of 120 pages 18 can never be loaded.
  expect(report.loaded).toBeGreaterThan(90);
  // All pages together have 10 MB.
  expect(report.grownMb).toBeLessThan(5);
});
