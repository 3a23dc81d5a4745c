// Any text is a valid query: no engine's query syntax causes an error, and nothing takes long.

import * as fc from 'fast-check';
import { createSegmentIndex } from '../../../src/index/segments/segment-index.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSearch } from '../../../src/search/search.ts';
import { createRunFixture, claimAll, indexAll, indexedOutcome, createSettlement } from '../../support/run-fixture.ts';
import { openTestPostgres, openTestSqlite, type TestStore } from '../../support/stores.ts';

const operators = ['"', "'", '*', '^', '(', ')', ':', '-', '+', '&', '|', '!', '<->', 'NEAR(a b, 2)', 'AND', 'OR', 'NOT', '\0', '\\', '%', '_', '🦓', '\u202e', '\ud800', 'title:', 'a:*', '{x}', ';--', '$1', '全文検索'];
const queryArbitrary = fc.oneof(
  fc.array(fc.oneof(fc.constantFrom(...operators), fc.string(), fc.constantFrom('zebra', 'common')), { maxLength: 12 }).map((parts) => parts.join(' ')),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.tuple(fc.constantFrom(...operators, 'zebra '), fc.integer({ min: 1, max: 20_000 })).map(([part, times]) => part.repeat(times).slice(0, 100_000)),
);
const runs = Number(process.env['PINAKES_FUZZ_QUERIES'] ?? 300);
const MAX_CPU_MS = 1000;

describe.each([
  ['sqlite', openTestSqlite],
  ['postgres', openTestPostgres],
])('on %s', (_, open) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await open({ startDelayMs: 1000 });
    const { store } = opened;
    await createRunFixture(store, ['https://x.dev/a', 'https://x.dev/b']);
    const claims = await claimAll(store);
    await store.frontier.settle(claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, 'a common zebra', 'AND NOT "OR"'))));
    await indexAll(store);
  });
  afterAll(() => opened.close());

  test('every query gets an answer in time', { timeout: 600_000 }, async () => {
    const search = createSearch(opened.store, createSegmentIndex(opened.store.segments));
    await fc.assert(
      fc.asyncProperty(queryArbitrary, async (query) => {
        const before = process.cpuUsage();
        const answer = await search({ query, limit: 8, budget: 2000, offset: 0, explain: false });
        const { user, system } = process.cpuUsage(before);
        expect(answer.tokens).toBeLessThanOrEqual(2000);
        expect((user + system) / 1000).toBeLessThan(MAX_CPU_MS);
      }),
      { numRuns: runs },
    );
  });
});
