// npm run test:loader: a large batch through faults, and how fast one is without any. PINAKES_LOADER_URLS and PINAKES_LOADER_TIMED_URLS set
// their sizes.

import { afterAll, expect, test } from 'vitest';
import { loadPages } from '../../src/loader.ts';
import { runChaosBatch } from '../feature/loader/chaos-batch.ts';
import { startCrawl4AiServer } from '../support/crawl4ai-server.ts';
import { writeResult } from '../support/write-result.ts';

const CHAOS_URLS = Number(process.env['PINAKES_LOADER_URLS'] ?? 1000);
const TIMED_URLS = Number(process.env['PINAKES_LOADER_TIMED_URLS'] ?? 300);
const RESPONSE_MS = 2000;
const AT_ONCE = 5;

const results: Record<string, unknown> = {};
afterAll(() => writeResult('loader', results, true));

test(`${CHAOS_URLS} URLs through failures, delays, resets and a restart`, async () => {
  const report = await runChaosBatch({
    count: CHAOS_URLS,
    pageBytes: 50_000,
    maxDelayMs: 300,
    downMs: 3000,
    retryDelays: [1, 2, 4],
    seed: 21,
  });
  results['chaos'] = { urls: CHAOS_URLS, ...report, faults: report.faults.length };
  expect(report.faults).toEqual([]);
  expect(report).toMatchObject({ restarts: 1, maxConcurrent: AT_ONCE });
  expect(report.loaded).toBeGreaterThan(CHAOS_URLS * 0.8);
  // All pages together have 50 kB each.
  expect(report.grownMb).toBeLessThan((CHAOS_URLS * 50_000) / 5e6);
});

test(`${TIMED_URLS} URLs, ${AT_ONCE} at once, against responses of ${RESPONSE_MS} ms`, async () => {
  const server = await startCrawl4AiServer({ format: 'urls', delayMs: RESPONSE_MS });
  try {
    const urls = Array.from({ length: TIMED_URLS }, (_, at) => `https://8.8.8.8/docs/${at}`);
    const started = performance.now();
    const pages = await loadPages(urls, { endpointUrl: server.url, maxConcurrentRequests: AT_ONCE });
    const perMinute = TIMED_URLS / ((performance.now() - started) / 60_000);
    const possible = (AT_ONCE * 60_000) / RESPONSE_MS;
    results['throughput'] = { urls: TIMED_URLS, perMinute, possible, share: perMinute / possible };
    expect(pages.filter((page) => page === null)).toEqual([]);
    expect(perMinute / possible).toBeGreaterThanOrEqual(0.9);
  } finally {
    await server.close();
  }
});
