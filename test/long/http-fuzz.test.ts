// Many more odd requests to every route of the program than the gate sends, in rounds with a new library each. `HTTP_FUZZ_REQUESTS`
// says how many.

import { expect, test } from 'vitest';
import { fuzzServer } from '../security/hostile/fuzzed-server.ts';
import { writeResult } from '../support/write-result.ts';

const wanted = Number(process.env['HTTP_FUZZ_REQUESTS'] ?? 100_000);
const ROUND = 2000;
const FIRST_SEED = 2;
const MIN_FOR_ALL = 100_000;
/** Routes about what the library of a round does not have: pages of a crawled site, and a running analysis. */
const NEEDS_MORE: ReadonlySet<string> = new Set([
  'GET /sources/{source}/page/revisions list_revisions',
  'GET /analysis/{id} show_analysis',
]);

test('odd requests to every route end in a response below 500', async () => {
  const statuses: Record<string, number> = {};
  let requests = 0;
  let slowestMs = 0;
  let unreached: readonly string[] | null = null;
  for (let seed = FIRST_SEED; requests < wanted; seed += 1) {
    const round = await fuzzServer(Math.min(ROUND, wanted - requests), seed);
    expect(round.failures, `seed ${seed}`).toEqual([]);
    for (const [status, count] of Object.entries(round.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
    requests += round.requests;
    slowestMs = Math.max(slowestMs, round.slowestMs);
    unreached = (unreached ?? round.unreached).filter((route) => round.unreached.includes(route));
    writeResult('http-fuzz', { seeds: [FIRST_SEED, seed], requests, failures: 0, statuses, slowestMs, unreached });
  }
  // Few requests do not reach all of them.
  if (wanted >= MIN_FOR_ALL) expect((unreached ?? []).filter((route) => !NEEDS_MORE.has(route))).toEqual([]);
}, 14_400_000);
