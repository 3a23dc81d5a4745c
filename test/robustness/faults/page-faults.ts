// Pages that crash their workers, claims that are delivered twice, sources that are removed, and removals that are cut
// short.

import { setTimeout as wait } from 'node:timers/promises';
import { OUTCOME_CODES } from '../../../src/core/model/outcome.ts';
import type { Store } from '../../../src/store/port.ts';
import type { EngineName } from '../../support/library.ts';
import { createRunFixture, claimAll, indexAll, indexedOutcome, createSettlement } from '../../support/run-fixture.ts';
import type { FaultSite } from './fault-site.ts';
import type { Trial } from './trial.ts';
import { runInNewLibrary, type Fault } from './fault-fixture.ts';
import { waitUntil } from '../../support/wait-until.ts';

const ENGINES: readonly EngineName[] = ['sqlite', 'postgres'];

const guide = (site: FaultSite, nth: number): string =>
  [...site.oracle.stored.keys()].filter((path) => path.includes('/guide/'))[nth]!;

/** Two workers settle the same claims concurrently, each with different content. */
const twiceDelivered = (engine: EngineName): Fault => ({
  id: 'F14',
  engine,
  waitsForLease: false,
  short: 1,
  long: 5,
  run: (fixture, seed) =>
    runInNewLibrary(fixture, { engine, seed, without: null, endsAs: ['queued', 'running'] }, async (trial) => {
      await trial.library.write((store) => deliverTwice(store, trial));
    }),
});

const DELIVERED = 50;

async function deliverTwice(store: Store, trial: Trial): Promise<void> {
  const urls = Array.from({ length: DELIVERED }, (_, i) => `https://twice.test/page-${i}`);
  await createRunFixture(
    store,
    urls,
    await store.sources.add({ name: 'twice', kind: 'web', startUrl: urls[0]!, settings: {} }, ''),
  );
  for (let claims = await claimAll(store); claims.length > 0; claims = await claimAll(store)) {
    const settled = await Promise.all(
      ['one', 'other'].map((who) =>
        store.frontier.settle(
          claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, `${who} wrote this`))),
        ),
      ),
    );
    const effects = claims.map((_, i) => settled.filter((results) => results[i] === 'settled').length);
    trial.expect(
      'each claim has one effect',
      effects.every((times) => times === 1),
    );
  }
  await indexAll(store);
}

/** The worker is killed each time it fetches the page, together with other pages in flight. */
const deadly = (engine: EngineName): Fault => ({
  id: 'F24',
  engine,
  variant: 'a page that kills its worker',
  waitsForLease: false,
  short: engine === 'sqlite' ? 1 : 0,
  long: 2,
  run(fixture, seed) {
    const path = guide(fixture.site, seed % fixture.site.size);
    const settings = { PINAKES_CRAWL_QUARANTINE_AFTER_CRASHES: '3' } as const;
    return runInNewLibrary(fixture, { engine, seed, settings, without: [path], endsAs: ['partial'] }, async (trial) => {
      let deaths = 0;
      for (; deaths < 10; deaths += 1) {
        const worker = trial.worker({ preload: ['die-on-page'], env: { FAULT_DEADLY_PATH: path } });
        trial.forgive(worker);
        const ended = await Promise.race([worker.ended, trial.untilEnded().then(() => null)]);
        if (ended === null) break;
      }
      trial.expect(`it crashes three workers (${deaths})`, deaths === 3);
      const failed = await trial.library.sql<{ url: string; reason: string }>(
        `select url, reason from frontier where outcome = ${OUTCOME_CODES.failed}`,
      );
      trial.expect(
        `only this page is quarantined: ${JSON.stringify(failed)}`,
        failed.length === 1 && failed[0]!.url.endsWith(path) && failed[0]!.reason === 'quarantined',
      );
    });
  },
});

const fewFiles: Fault = {
  id: 'F26',
  engine: 'sqlite',
  waitsForLease: false,
  short: 1,
  long: 2,
  run: (fixture, seed) =>
    runInNewLibrary(
      fixture,
      { engine: 'sqlite', seed, settings: { PINAKES_CRAWL_CONCURRENCY: '60' } },
      async (trial) => {
        trial.worker({ maxFiles: 64 });
      },
    ),
};

/** Removed while it is crawled, and added again: nothing of the first is left, and the workers continue. */
const removedMidway = (engine: EngineName): Fault => ({
  id: 'F35',
  engine,
  waitsForLease: false,
  short: engine === 'postgres' ? 1 : 0,
  long: 3,
  run: (fixture, seed) =>
    runInNewLibrary(fixture, { engine, seed }, async (trial) => {
      trial.worker();
      await trial.untilRequested(3 + Math.floor(trial.random() * 25));
      const removed = await trial.run(['remove', 'site', '--yes']);
      trial.expect(`it is removed: ${removed.stderr}`, removed.code === 0);
      const added = await trial.run(['add', trial.site.start, '--name', 'site']);
      trial.expect(`it is added again: ${added.stderr}`, added.code === 0);
    }),
});

/** Steps of the final removal, and of removing a source, by their statements. */
const SWEEP = 'delete from (pages|chunks|search)|outcome = [45]|run-ended|update runs set state';

/** The second crawl finds pages gone, and is killed while it removes them. */
const sweepCut = (engine: EngineName): Fault => ({
  id: 'F34',
  engine,
  variant: 'sweep',
  waitsForLease: false,
  short: 0,
  long: 3,
  run(fixture, seed) {
    // The last one has a print version, which would become canonical again.
    const paths = [2, 3, 4].map((nth) => guide(fixture.site, fixture.site.size - nth));
    return runInNewLibrary(fixture, { engine, seed, without: paths }, async (trial) => {
      const first = trial.worker();
      await trial.untilEnded();
      trial.forgive(first);
      first.kill('SIGTERM');
      await first.ended;
      const show = trial.site.hide(paths);
      try {
        await trial.library.write(async (store) => {
          const [source] = await store.sources.list();
          await store.runs.start(source!.versions[0]!.id, 'incremental', {});
        });
        const env = {
          FAULT_STATEMENT: SWEEP,
          FAULT_NTH: String(1 + Math.floor(trial.random() * 6)),
          FAULT_WHEN: trial.random() < 0.5 ? 'before' : 'after',
        };
        const second = trial.worker({ preload: ['kill-at-statement'], env });
        trial.forgive(second);
        await Promise.race([second.ended, trial.untilEnded()]);
        second.kill('SIGKILL');
        await second.ended;
        trial.worker();
        await trial.untilEnded();
      } finally {
        show();
      }
    });
  },
});

const removalCut: Fault = {
  id: 'F34',
  engine: 'postgres',
  variant: 'removal',
  waitsForLease: false,
  short: 0,
  long: 3,
  run: (fixture, seed) =>
    runInNewLibrary(fixture, { engine: 'postgres', seed, without: null }, async (trial) => {
      const first = trial.worker();
      await trial.untilEnded();
      trial.forgive(first);
      first.kill('SIGKILL');
      await first.ended;
      const env = {
        FAULT_STATEMENT: '^delete|removed_at = now_ms',
        FAULT_NTH: String(1 + (seed % 14)),
        FAULT_WHEN: 'after',
      };
      const { signal } = await trial.run(['remove', 'site', '--yes'], { preload: ['kill-at-statement'], env });
      if (signal !== 'SIGKILL') return;
      const hidden = await trial.library.read((store) => store.sources.list());
      trial.worker();
      await wait(100);
      if (hidden.length > 0) return;
      await waitUntil('nothing of it is left', async () => {
        const [row] = await trial.library.sql<{ n: number | string }>('select count(*) as n from sources');
        return Number(row?.n) === 0;
      });
    }),
};

export const PAGE_FAULTS: readonly Fault[] = [
  ...ENGINES.map(twiceDelivered),
  ...ENGINES.map(deadly),
  fewFiles,
  ...ENGINES.map(removedMidway),
  ...ENGINES.map(sweepCut),
  removalCut,
];
