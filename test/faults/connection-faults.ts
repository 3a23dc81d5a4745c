// What lies between a worker and PostgreSQL: cut, silent, slow, and deaf at the worst moment.

import { setTimeout as wait } from 'node:timers/promises';
import { startDatabaseProxy, type DatabaseProxy } from './database-proxy.ts';
import { postgresPlace } from './fault-library.ts';
import { LEASE_MS, type Scene, type TrialResult } from './trial.ts';
import { playAt, type Fault, type Stage } from './fault-fixture.ts';

const POSTGRES = { engine: 'postgres', waitsForLease: true } as const;

/** A statement's patience is two leases, so that a silent connection shows within the trial. */
const IMPATIENT = { PINAKES_DATABASE_TIMEOUT_MS: String(2 * LEASE_MS) } as const;

async function throughProxy(
  stage: Stage,
  seed: number,
  act: (scene: Scene, proxy: DatabaseProxy) => Promise<void>,
): Promise<TrialResult> {
  const server = await stage.postgres();
  const database = await server.createDatabase();
  const proxy = await startDatabaseProxy(database);
  const place = postgresPlace(server, database, proxy.url);
  const result = await playAt(stage, place, { seed, settings: IMPATIENT }, (scene) => act(scene, proxy));
  await proxy.close();
  return result;
}

/** The first worker is cut off while another, beside the proxy, finishes. It comes back and finds its fences old. */
const partition = (variant: string, cutOff: (proxy: DatabaseProxy) => void, forMs: number): Fault => ({
  ...POSTGRES,
  id: 'F09',
  variant,
  short: 0,
  long: 2,
  play: (stage, seed) =>
    throughProxy(stage, seed, async (scene, proxy) => {
      const answer = scene.holdPage();
      scene.worker();
      scene.worker({}, { PINAKES_DATABASE_URL: scene.place.at });
      await scene.untilAsked(3 + Math.floor(scene.random() * 10));
      const mark = await scene.mark();
      cutOff(proxy);
      const at = performance.now();
      answer();
      await Promise.all([scene.resumed(mark, at), wait(forMs)]);
      proxy.open();
    }),
});

const halfOpen: Fault = {
  ...POSTGRES,
  id: 'F10',
  short: 1,
  long: 3,
  play: (stage, seed) =>
    throughProxy(stage, seed, async (scene, proxy) => {
      const answer = scene.holdPage();
      scene.worker();
      await scene.untilAsked(3 + Math.floor(scene.random() * 10));
      const mark = await scene.mark();
      proxy.blackhole(['to-server', 'to-client']);
      await wait(2 * LEASE_MS);
      answer();
      // New connections pass; the old ones stay silent, and nobody tells their clients.
      proxy.forget();
      await scene.resumed(mark, performance.now());
    }),
};

/** Every answer is late. Three times as late, for the lease, as half a second is for the default one. */
const slow = (lateMs: number, leaseMs: number): Fault => ({
  ...POSTGRES,
  id: 'F11',
  variant: `${lateMs} ms late, lease of ${leaseMs} ms`,
  waitsForLease: false,
  short: 0,
  long: 1,
  play: (stage, seed) =>
    throughProxy(stage, seed, async (scene, proxy) => {
      proxy.slow(lateMs);
      scene.worker(
        {},
        {
          PINAKES_DATABASE_TIMEOUT_MS: '30000',
          PINAKES_CRAWL_LEASE_MS: String(leaseMs),
          PINAKES_CRAWL_RENEW_MS: String(Math.floor(leaseMs / 3)),
        },
      );
      await scene.untilEnded(400_000);
      const [lapsed] = await scene.place.sql<{ n: string }>('select sum(crashes) as n from frontier');
      scene.expect(`no lease lapses (${lapsed?.n} did)`, Number(lapsed?.n) === 0);
    }),
});

const commitUnknown: Fault = {
  ...POSTGRES,
  id: 'F15',
  waitsForLease: false,
  short: 1,
  long: 5,
  play: (stage, seed) =>
    throughProxy(stage, seed, async (scene, proxy) => {
      scene.worker();
      for (let asked = 1; asked <= 20; asked += 3) {
        await scene.untilAsked(asked);
        proxy.loseCommits(2);
        await wait(scene.random() * 100);
      }
      await scene.untilEnded();
      scene.expect(`answers were lost (${proxy.lost()})`, proxy.lost() > 2);
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
