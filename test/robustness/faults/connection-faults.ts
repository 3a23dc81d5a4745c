// Faults between a worker and PostgreSQL: connections that are cut, silent or slow, or that lose the response to a
// COMMIT.

import { setTimeout as wait } from 'node:timers/promises';
import { startDatabaseProxy, type DatabaseProxy } from './database-proxy.ts';
import { postgresLibrary } from './fault-library.ts';
import { LEASE_MS, type Trial, type TrialResult } from './trial.ts';
import { runInLibrary, type Fault, type FaultFixture } from './fault-fixture.ts';

const POSTGRES = { engine: 'postgres', waitsForLease: true } as const;

/** The statement timeout is two leases, so that a silent connection is noticed within the trial. */
const IMPATIENT = { PINAKES_DATABASE_TIMEOUT_MS: String(2 * LEASE_MS) } as const;

async function throughProxy(
  fixture: FaultFixture,
  seed: number,
  act: (trial: Trial, proxy: DatabaseProxy) => Promise<void>,
): Promise<TrialResult> {
  const server = await fixture.postgres();
  const database = await fixture.migratedDatabase();
  const proxy = await startDatabaseProxy(database);
  const library = postgresLibrary(server, database, proxy.url);
  const result = await runInLibrary(fixture, library, { seed, settings: IMPATIENT }, (trial) => act(trial, proxy));
  await proxy.close();
  return result;
}

/**
 * The first worker is cut off while another, which bypasses the proxy, finishes. It reconnects and finds its fencing
 * tokens outdated.
 */
const partition = (variant: string, cutOff: (proxy: DatabaseProxy) => void, forMs: number): Fault => ({
  ...POSTGRES,
  id: 'F09',
  variant,
  short: 0,
  long: 2,
  run: (fixture, seed) =>
    throughProxy(fixture, seed, async (trial, proxy) => {
      const answer = trial.holdPage();
      trial.worker();
      trial.worker({}, { PINAKES_DATABASE_URL: trial.library.at });
      await trial.untilRequested(3 + Math.floor(trial.random() * 10));
      const checkpoint = await trial.checkpoint();
      cutOff(proxy);
      const at = performance.now();
      answer();
      await Promise.all([trial.resumed(checkpoint, at), wait(forMs)]);
      proxy.open();
    }),
});

const halfOpen: Fault = {
  ...POSTGRES,
  id: 'F10',
  short: 1,
  long: 3,
  run: (fixture, seed) =>
    throughProxy(fixture, seed, async (trial, proxy) => {
      const answer = trial.holdPage();
      trial.worker();
      await trial.untilRequested(3 + Math.floor(trial.random() * 10));
      const checkpoint = await trial.checkpoint();
      proxy.blackhole(['to-server', 'to-client']);
      await wait(2 * LEASE_MS);
      answer();
      // New connections work; the old ones stay silent without notice.
      proxy.forget();
      await trial.resumed(checkpoint, performance.now());
    }),
};

/** Every response is late: in proportion to the lease, three times as late as half a second is for the default one. */
const slow = (lateMs: number, leaseMs: number): Fault => ({
  ...POSTGRES,
  id: 'F11',
  variant: `${lateMs} ms late, lease of ${leaseMs} ms`,
  waitsForLease: false,
  short: 0,
  long: 1,
  run: (fixture, seed) =>
    throughProxy(fixture, seed, async (trial, proxy) => {
      proxy.slow(lateMs);
      trial.worker(
        {},
        {
          PINAKES_DATABASE_TIMEOUT_MS: '30000',
          PINAKES_CRAWL_LEASE_MS: String(leaseMs),
          PINAKES_CRAWL_RENEW_MS: String(Math.floor(leaseMs / 3)),
        },
      );
      await trial.untilEnded(400_000);
      const [lapsed] = await trial.library.sql<{ n: string }>('select sum(crashes) as n from frontier');
      trial.expect(`no lease expires (${lapsed?.n} did)`, Number(lapsed?.n) === 0);
    }),
});

const commitUnknown: Fault = {
  ...POSTGRES,
  id: 'F15',
  waitsForLease: false,
  short: 0,
  long: 5,
  run: (fixture, seed) =>
    throughProxy(fixture, seed, async (trial, proxy) => {
      trial.worker();
      for (let pages = 1; pages <= 20; pages += 3) {
        await trial.untilRequested(pages);
        proxy.loseCommits(2);
        await wait(trial.random() * 100);
      }
      await trial.untilEnded();
      trial.expect(`responses were lost (${proxy.lost()})`, proxy.lost() > 2);
    }),
};

export const CONNECTION_FAULTS: readonly Fault[] = [
  partition('refused', (proxy) => proxy.refuse(), 3000),
  partition('silent both ways', (proxy) => proxy.blackhole(['to-server', 'to-client']), 4000),
  partition('silent one way', (proxy) => proxy.blackhole(['to-client']), 4000),
  halfOpen,
  slow(50, LEASE_MS),
  slow(500, 30_000),
  commitUnknown,
];
