// Workers that are told to end, and a second owner that must not begin.

import { setTimeout as wait } from 'node:timers/promises';
import type { EngineName } from '../e2e/library.ts';
import type { Scene } from './trial.ts';
import { playOn, type Fault } from './fault-fixture.ts';

const DRAIN_MS = 25_000;
/** The signal is obeyed within 100 ms on a machine that has time; a busy one delivers it late, and we look late too. */
const STOPS_WITHIN_MS = 1000;
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
      const lastClaim = watchClaims(scene, asked);
      const { code } = await worker.ended;
      const stoppedIn = await lastClaim();
      scene.measure('from the signal to the last claim', stoppedIn);
      scene.expect(`claiming stops at once (${Math.round(stoppedIn)} ms)`, stoppedIn < STOPS_WITHIN_MS);
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

/** Each claim raises a fence. Returns when the last one was seen, counted from the signal. */
function watchClaims(scene: Scene, from: number): () => Promise<number> {
  const over = new AbortController();
  const watching = (async () => {
    let sum = -1;
    let last = 0;
    do {
      const seenAt = performance.now();
      const [row] = await scene.place.sql<{ n: number | string }>('select sum(fence) as n from frontier');
      if (sum !== -1 && Number(row?.n) !== sum) last = seenAt - from;
      sum = Number(row?.n);
      await wait(5);
    } while (!over.signal.aborted);
    return last;
  })();
  return () => {
    over.abort();
    return watching;
  };
}

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
