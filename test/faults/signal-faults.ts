// Workers that are told to end, and a second owner that must not begin.

import { setTimeout as wait } from 'node:timers/promises';
import type { EngineName } from '../e2e/library.ts';
import { playOn, type Fault } from './stage.ts';

const DRAIN_MS = 25_000;
const ENGINES: readonly EngineName[] = ['sqlite', 'postgres'];

/** The site's log shows that nothing new is asked; the rows show that nothing is held. */
const drain = (engine: EngineName): Fault => ({
  id: 'F30',
  engine,
  waitsForLease: false,
  short: engine === 'postgres' ? 1 : 0,
  long: 5,
  play: (stage, seed) =>
    playOn(stage, { engine, seed, settings: { PINAKES_CRAWL_LEASE_MS: '30000' } }, async (scene) => {
      const answer = scene.holdPage();
      const worker = scene.worker();
      await scene.untilAsked(3 + Math.floor(scene.random() * 15));
      scene.forgive(worker);
      const asked = performance.now();
      worker.kill('SIGTERM');
      await wait(100);
      const seen = scene.site.begun();
      const { code } = await worker.ended;
      scene.expect('nothing is claimed 100 ms after the signal', scene.site.begun() === seen);
      scene.expect(`it ends with 0, not ${code}`, code === 0);
      scene.expect('it ends within 25 s', performance.now() - asked < DRAIN_MS);
      const { held, settled } = await scene.mark();
      scene.expect(`nothing is held (${held.size})`, held.size === 0);
      answer();
      const at = performance.now();
      scene.worker();
      await scene.resumed({ held, settled }, at);
    }),
});

const twice = (engine: EngineName): Fault => ({
  id: 'F31',
  engine,
  waitsForLease: engine === 'postgres',
  short: 0,
  long: 3,
  play: (stage, seed) =>
    playOn(stage, { engine, seed }, async (scene) => {
      const answer = scene.holdPage();
      const worker = scene.worker();
      await scene.untilAsked(3 + Math.floor(scene.random() * 15));
      scene.forgive(worker);
      const mark = await scene.mark();
      worker.kill('SIGTERM');
      await wait(scene.random() * 20);
      const at = performance.now();
      worker.kill(scene.random() < 0.5 ? 'SIGTERM' : 'SIGINT');
      await worker.ended;
      scene.expect('the second signal ends it now', performance.now() - at < 2000);
      answer();
      scene.worker();
      await scene.resumed(mark, at);
    }),
});

/** The first is never robbed while it lives, even stopped, and its directory is free the moment it is dead. */
const twoOwners: Fault = {
  id: 'F27',
  engine: 'sqlite',
  waitsForLease: false,
  short: 0,
  long: 4,
  play: (stage, seed) =>
    playOn(stage, { engine: 'sqlite', seed }, async (scene) => {
      const answer = scene.holdPage();
      const first = scene.worker();
      await scene.untilAsked(5);
      if (scene.random() < 0.5) first.kill('SIGSTOP');
      const second = await scene.run(['worker']);
      scene.expect(`the second is refused: ${second.stderr}`, second.code === 1);
      scene.expect('it is told of the first', second.stderr.includes(`process ${first.pid} `));
      const mark = await scene.mark();
      scene.forgive(first);
      first.kill('SIGKILL');
      await first.ended;
      const at = performance.now();
      answer();
      scene.worker();
      await scene.resumed(mark, at);
    }),
};

export const SIGNAL_FAULTS: readonly Fault[] = [...ENGINES.map(drain), ...ENGINES.map(twice), twoOwners];
