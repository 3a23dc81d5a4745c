// A process of claimants: one beside others on PostgreSQL, all of them inside the one owner on SQLite.

import { writeSync } from 'node:fs';
import { work } from './claimant.ts';
import { openPlace, type Place } from './test-database.ts';
import { createSite } from './site.ts';
import { withoutFence } from './without-fence.ts';

export interface ClaimantOrder {
  readonly place: Place;
  readonly fenced: boolean;
  readonly size: number;
  readonly hosts: number;
  readonly seed: number;
  readonly leaseMs: number;
  /** Names of the claimants; one process may hold several. */
  readonly workers: readonly string[];
}

const order = JSON.parse(process.argv[2] ?? '') as ClaimantOrder;
const open = await openPlace(order.place, order.fenced ? undefined : withoutFence);
const site = createSite(order.size, order.hosts);
await Promise.all(
  order.workers.map((worker) =>
    work(open, site, {
      seed: order.seed,
      worker,
      leaseMs: order.leaseMs,
      die: order.place.engine === 'postgres' ? () => process.kill(process.pid, 'SIGKILL') : null,
      // Written at once: what a process that is killed has told must not be lost with it.
      tell: (what) => writeSync(1, `${what}\n`),
    }),
  ),
);
await open.store.close();
