import { expect, test } from 'vitest';
import { requireWithinBounds } from './run-bounds.ts';

const bounds = { concurrency: 16, requestTimeoutMs: 60_000, stopGraceMs: 5000 };

test('a run may use what the operator allows, and no more', () => {
  const atBounds = { concurrency: 16, requestTimeoutMs: 60_000, requestJitterMinMs: 5, requestJitterMaxMs: 5 };
  expect(() => requireWithinBounds(atBounds, bounds)).not.toThrow();
  expect(() => requireWithinBounds({ concurrency: null }, bounds)).not.toThrow();
  expect(() => requireWithinBounds({ concurrency: 17 }, bounds)).toThrow(
    'concurrency is 17, and the operator allows at most 16 (crawl.concurrency)',
  );
  expect(() => requireWithinBounds({ requestTimeoutMs: 60_001 }, bounds)).toThrow('at most 60000 (fetch.timeoutMs)');
  expect(() => requireWithinBounds({ requestJitterMinMs: 6, requestJitterMaxMs: 5 }, bounds)).toThrow(
    'requestJitterMinMs (6) is above requestJitterMaxMs (5)',
  );
});
