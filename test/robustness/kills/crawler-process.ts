// Crawls the site edition after edition, until it is killed: discovers, updates, removes, indexes, finishes, starts
// again.

import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Store } from '../../../src/store/port.ts';
import type { Run, RunLease } from '../../../src/store/port/runs.ts';
import { frontierEntry } from '../../support/run-fixture.ts';
import { openDatabase, type TestDatabase } from '../../support/test-database.ts';
import { createSite } from '../../support/arithmetic-site.ts';

export interface CrawlProcessOptions {
  readonly database: TestDatabase;
  readonly size: number;
  readonly hosts: number;
  /** Finishes the active run and starts none. */
  readonly last: boolean;
}

const RUN_LEASE_MS = 250;
const CLAIM_LEASE_MS = 250;
const BATCH = 10;
const worker = `crawler ${process.pid}`;
const options = JSON.parse(process.argv[2] ?? '') as CrawlProcessOptions;
const site = createSite(options.size, options.hosts);
const { store } = await openDatabase(options.database);
for (let lease = await nextRun(store); lease !== null; lease = await nextRun(store)) {
  // The lease of the killed process has expired: from here on there is work to be killed in.
  writeSync(1, 'working\n');
  await crawl(store, lease);
}
await store.close();

function editionOf(run: Run): number {
  return Number(run.settings['edition']);
}

async function nextRun(at: Store): Promise<RunLease | null> {
  for (;;) {
    const lease = await at.runs.lease(worker, RUN_LEASE_MS);
    if (lease !== null) return lease;
    const [newest] = await at.runs.list(1);
    if (newest === undefined || newest.endedAt !== null) {
      if (options.last && newest !== undefined) return null;
      const source = (await at.sources.byName('site')) ?? (await addSource(at));
      const edition = newest === undefined ? 0 : editionOf(newest) + 1;
      await at.runs.start(source.versions[0]!.id, 'incremental', { edition });
    } else await wait(50);
  }
}

async function addSource(at: Store): ReturnType<Store['sources']['add']> {
  return at.sources.add({ name: 'site', kind: 'web', startUrl: site.start, settings: {} }, '');
}

async function crawl(at: Store, lease: RunLease): Promise<void> {
  const run = lease.run.id;
  const edition = editionOf(lease.run);
  await at.frontier.enqueue(run, [frontierEntry(site.start)]);
  for (let key = await at.frontier.enqueuePrevious(run, null, 50); key !== null;)
    key = await at.frontier.enqueuePrevious(run, key, 50);
  while (!(await at.frontier.isDrained(run))) {
    if (!(await at.runs.renew(lease, RUN_LEASE_MS))) return;
    const claims = await at.frontier.claim({ worker, limit: BATCH, leaseMs: CLAIM_LEASE_MS, aheadMs: 0 });
    if (claims.length === 0) await wait(20);
    else await at.frontier.settle(claims.map((claim) => site.answer(claim, edition)));
    await at.segments.index(BATCH);
  }
  while ((await at.frontier.confirmMissing(lease, BATCH)) > 0);
  while ((await at.segments.index(BATCH)) > 0);
  await at.runs.finish(lease, 'completed', null);
}
