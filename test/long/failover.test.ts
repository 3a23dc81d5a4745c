// PostgreSQL fails over under load, in every way that an operator may have set it up.

import { existsSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { failOver, type FailoverResult } from '../robustness/failover/fail-over.ts';
import { FAILOVER_CASES } from '../robustness/failover/failover-cases.ts';
import { hasPostgresPrograms } from '../robustness/failover/postgres-cluster.ts';
import { needing } from '../support/needs.ts';
import { PGBOUNCER } from '../support/pgbouncer.ts';
import { writeResult } from '../support/write-result.ts';

const results: FailoverResult[] = [];
afterAll(() => {
  if (results.length > 0) writeResult('failover', { results });
});

describe(
  'failover of PostgreSQL',
  needing('PostgreSQL and PgBouncer of Debian', hasPostgresPrograms() && existsSync(PGBOUNCER)),
  () => {
    test.each(FAILOVER_CASES)('$name ($replication)', async (failover) => {
      const result = await failOver(failover);
      results.push(result);
      expect(result.problems).toEqual([]);
      if (failover.loses) {
        // Otherwise nothing was lost, and nothing was tested.
        expect(result.acknowledgedLost).toBeGreaterThan(0);
        expect(result.ends.filter((end) => end.includes('database.rolled-back')).length).toBeGreaterThan(0);
      } else expect(result.acknowledgedLost).toBe(0);
    });
  },
);
