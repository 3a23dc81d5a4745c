// Pages that take their workers down, claims that are delivered twice, sources that go away, and sweeps that are cut short.

import { setTimeout as wait } from 'node:timers/promises';
import type { Store } from '../../src/store/port.ts';
import type { EngineName } from '../e2e/library.ts';
import { aRun, claimAll, indexAll, indexed, settling } from '../support/run-fixture.ts';
import type { FaultSite } from './fault-site.ts';
import type { Scene } from './trial.ts';
import { playOn, type Fault } from './fault-fixture.ts';
import { until } from '../support/until.ts';

const ENGINES: readonly EngineName[] = ['sqlite', 'postgres'];

const guide = (site: FaultSite, nth: number): string =>
  [...site.oracle.stored.keys()].filter((path) => path.includes('/guide/'))[nth]!;

/** Two workers settle the same claims at once, each with words of its own. */
const twiceDelivered = (engine: EngineName): Fault => ({
  id: 'F14',
  engine,
  waitsForLease: false,
  short: 1,
  long: 5,
  play: (stage, seed) =>
    playOn(stage, { engine, seed, without: null, endsAs: ['queued', 'running'] }, async (scene) => {
      await scene.place.write((store) => deliverTwice(store, scene));
    }),
});

const DELIVERED = 50;

async function deliverTwice(store: Store, scene: Scene): Promise<void> {
  const urls = Array.from({ length: DELIVERED }, (_, i) => `https://twice.test/page-${i}`);
  await aRun(store, urls, await store.sources.add({ name: 'twice', kind: 'web', start: urls[0]!, settings: {} }, ''));
  for (let claims = await claimAll(store); claims.length > 0; claims = await claimAll(store)) {
    const settled = await Promise.all(
      ['one', 'other'].map((who) =>
        store.frontier.settle(claims.map((claim) => settling(claim, indexed(claim.url, `${who} wrote this`)))),
      ),
    );
    const effects = claims.map((_, i) => settled.filter((results) => results[i] === 'settled').length);
    scene.expect(
      'each claim has one effect',
      effects.every((times) => times === 1),
    );
  }
  await indexAll(store);
}

/** Killed each time it is asked for, with others that it takes along. */
const deadly = (engine: EngineName): Fault => ({
  id: 'F24',
  engine,
  variant: 'a page that kills its worker',
  waitsForLease: false,
  short: engine === 'sqlite' ? 1 : 0,
  long: 2,
  play(stage, seed) {
    const path = guide(stage.site, seed % stage.site.size);
    const settings = { PINAKES_CRAWL_POISON_AFTER_CRASHES: '3' } as const;
    return playOn(stage, { engine, seed, settings, without: [path], endsAs: ['partial'] }, async (scene) => {
      let deaths = 0;
      for (; deaths < 10; deaths += 1) {
        const worker = scene.worker({ preload: ['die-on-page'], env: { FAULT_DEADLY_PATH: path } });
        scene.forgive(worker);
        const ended = await Promise.race([worker.ended, scene.untilEnded().then(() => null)]);
        if (ended === null) break;
      }
      scene.expect(`it takes three workers down (${deaths})`, deaths === 3);
      const failed = await scene.place.sql<{ url: string; reason: string }>(
        'select url, reason from frontier where outcome = 8',
      );
      scene.expect(
        `it alone is set aside: ${JSON.stringify(failed)}`,
        failed.length === 1 && failed[0]!.url.endsWith(path) && failed[0]!.reason === 'poison',
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
  play: (stage, seed) =>
    playOn(stage, { engine: 'sqlite', seed, settings: { PINAKES_CRAWL_CONCURRENCY: '60' } }, async (scene) => {
      scene.worker({ maxFiles: 64 });
    }),
};

/** Removed while it is crawled, and added again: nothing of the first is left, and the workers go on. */
const removedMidway = (engine: EngineName): Fault => ({
  id: 'F35',
  engine,
  waitsForLease: false,
  short: engine === 'postgres' ? 1 : 0,
  long: 3,
  play: (stage, seed) =>
    playOn(stage, { engine, seed }, async (scene) => {
      scene.worker();
      await scene.untilAsked(3 + Math.floor(scene.random() * 25));
      const removed = await scene.run(['remove', 'site']);
      scene.expect(`it is removed: ${removed.stderr}`, removed.code === 0);
      const added = await scene.run(['add', scene.site.start, '--name', 'site']);
      scene.expect(`it is added again: ${added.stderr}`, added.code === 0);
    }),
});

/** Steps of the sweep, and of a removal, by their statements. */
const SWEEP = 'delete from (pages|chunks|search)|outcome = [45]|run-ended|update runs set state';

/** The second crawl finds pages gone, and is killed while it sweeps. */
const sweepCut = (engine: EngineName): Fault => ({
  id: 'F34',
  engine,
  variant: 'sweep',
  waitsForLease: false,
  short: 0,
  long: 3,
  play(stage, seed) {
    // The last one has a copy for printing, which would stand for itself again.
    const paths = [2, 3, 4].map((nth) => guide(stage.site, stage.site.size - nth));
    return playOn(stage, { engine, seed, without: paths }, async (scene) => {
      const first = scene.worker();
      await scene.untilEnded();
      scene.forgive(first);
      first.kill('SIGTERM');
      await first.ended;
      const show = scene.site.hide(paths);
      try {
        await scene.place.write(async (store) => {
          const [source] = await store.sources.list();
          await store.runs.start(source!.versions[0]!.id, 'incremental', {});
        });
        const env = {
          FAULT_STATEMENT: SWEEP,
          FAULT_NTH: String(1 + Math.floor(scene.random() * 6)),
          FAULT_WHEN: scene.random() < 0.5 ? 'before' : 'after',
        };
        const second = scene.worker({ preload: ['kill-at-statement'], env });
        scene.forgive(second);
        await Promise.race([second.ended, scene.untilEnded()]);
        second.kill('SIGKILL');
        await second.ended;
        scene.worker();
        await scene.untilEnded();
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
  play: (stage, seed) =>
    playOn(stage, { engine: 'postgres', seed, without: null }, async (scene) => {
      const first = scene.worker();
      await scene.untilEnded();
      scene.forgive(first);
      first.kill('SIGKILL');
      await first.ended;
      const env = {
        FAULT_STATEMENT: '^delete|removed_at = now_ms',
        FAULT_NTH: String(1 + (seed % 14)),
        FAULT_WHEN: 'after',
      };
      const { signal } = await scene.run(['remove', 'site'], { preload: ['kill-at-statement'], env });
      if (signal !== 'SIGKILL') return;
      const hidden = await scene.place.read((store) => store.sources.list());
      scene.worker();
      await wait(100);
      if (hidden.length > 0) return;
      await until('nothing of it is left', async () => {
        const [row] = await scene.place.sql<{ n: number | string }>('select count(*) as n from sources');
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
