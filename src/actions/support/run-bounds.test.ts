import { expect, test } from 'vitest';
import { requireWithinBounds } from './run-bounds.ts';

const bounds = { concurrency: 16, requestTimeoutMs: 60_000, stopGraceMs: 5000 };

test('a run may use what the operator allows, and no more', () => {
  const atBounds = { concurrency: 16, requestTimeoutMs: 60_000, pacerJitterMinMs: 5, pacerJitterMaxMs: 5 };
  expect(() => requireWithinBounds(atBounds, bounds)).not.toThrow();
  expect(() => requireWithinBounds({ concurrency: null }, bounds)).not.toThrow();
  expect(() => requireWithinBounds({ concurrency: 17 }, bounds)).toThrow(
    'concurrency is 17, and the operator allows at most 16 (crawl.concurrency)',
  );
  expect(() => requireWithinBounds({ requestTimeoutMs: 60_001 }, bounds)).toThrow('at most 60000 (fetch.timeoutMs)');
  expect(() => requireWithinBounds({ pacerJitterMinMs: 6, pacerJitterMaxMs: 5 }, bounds)).toThrow(
    'pacerJitterMinMs (6) is above pacerJitterMaxMs (5)',
  );
});
