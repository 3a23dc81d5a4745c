// A process of claimants: one of several on PostgreSQL, all of them inside the one owner on SQLite.

import { writeSync } from 'node:fs';
import { work } from './claimant.ts';
import { openDatabase, type TestDatabase } from './test-database.ts';
import { createSite } from './arithmetic-site.ts';
import { withoutFence } from './without-fence.ts';

export interface ClaimantOptions {
  readonly database: TestDatabase;
  readonly fenced: boolean;
  readonly size: number;
  readonly hosts: number;
  readonly seed: number;
  readonly leaseMs: number;
  /** Names of the claimants; one process may run several. */
  readonly workers: readonly string[];
}

const options = JSON.parse(process.argv[2] ?? '') as ClaimantOptions;
const open = await openDatabase(options.database, options.fenced ? undefined : withoutFence);
const site = createSite(options.size, options.hosts);
await Promise.all(
  options.workers.map((worker) =>
    work(open, site, {
      seed: options.seed,
      worker,
      leaseMs: options.leaseMs,
      die: options.database.engine === 'postgres' ? () => process.kill(process.pid, 'SIGKILL') : null,
      // Written synchronously: the messages of a killed process must not be lost with it.
      onMessage: (what) => writeSync(1, `${what}\n`),
    }),
  ),
);
await open.store.close();
