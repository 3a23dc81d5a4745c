// Workers that die, stop and stall.

import { setTimeout as wait } from 'node:timers/promises';
import type { EngineName } from '../e2e/library.ts';
import type { Running } from '../e2e/program.ts';
import { LEASE_MS, type Scene } from './trial.ts';
import { playOn, type Fault } from './fault-fixture.ts';

const ENGINES: readonly EngineName[] = ['sqlite', 'postgres'];

async function kill(scene: Scene, worker: Running): Promise<number> {
  scene.forgive(worker);
  worker.kill('SIGKILL');
  const at = performance.now();
  await worker.ended;
  return at;
}

/** Killed while it waits for an answer; on PostgreSQL another worker is at work already, on SQLite the next one starts. */
const killed = (engine: EngineName): Fault => ({
  id: 'F01',
  engine,
  waitsForLease: engine === 'postgres',
  short: engine === 'postgres' ? 1 : 0,
  long: 10,
  play: (stage, seed) =>
    playOn(stage, { engine, seed }, async (scene) => {
      const answer = scene.holdPage();
      const first = scene.worker();
      if (engine === 'postgres') scene.worker();
      await scene.untilAsked(3 + Math.floor(scene.random() * 20));
      await wait(scene.random() * 50);
      const mark = await scene.mark();
      const at = await kill(scene, first);
      answer();
      if (engine === 'sqlite') scene.worker();
      await scene.resumed(mark, at);
    }),
});

/** Points between two writes, by the statements around them. The list follows the path of one page. */
const POINTS: ReadonlyArray<readonly [name: string, when: 'before' | 'after', statement: string]> = [
  ['before the claim is written', 'before', 'update frontier (f )?set state = 1'],
  ['after the claim is written', 'after', 'update frontier (f )?set state = 1'],
  ['before the fence is checked', 'before', 'update frontier set state = '],
  ['after the fence is checked', 'after', 'update frontier set state = '],
  ['before the page is written', 'before', '^\\s*(insert into|update) pages'],
  ['after the page is written', 'after', '^\\s*(insert into|update) pages'],
  ['after old chunks are removed', 'after', 'delete from chunks'],
  ['before chunks are written', 'before', 'insert into chunks'],
  ['after chunks are written', 'after', 'insert into chunks'],
  ['after events are written', 'after', 'insert into events'],
  ['before a commit', 'before', '^commit'],
  ['after a commit', 'after', '^commit'],
];

const killedMidPage = (engine: EngineName): Fault => ({
  id: 'F02',
  engine,
  waitsForLease: engine === 'postgres',
  short: engine === 'sqlite' ? 1 : 0,
  long: POINTS.length,
  play: (stage, seed) =>
    playOn(stage, { engine, seed }, async (scene) => {
      const [, when, statement] = POINTS[seed % POINTS.length]!;
      const nth = String(1 + Math.floor(scene.random() * 25));
      const env = { FAULT_STATEMENT: statement, FAULT_NTH: nth, FAULT_WHEN: when };
      const first = scene.worker({ preload: ['kill-at-statement'], env });
      scene.forgive(first);
      const { signal } = await Promise.race([first.ended, scene.untilEnded().then(() => ({ signal: null }))]);
      const mark = await scene.mark();
      const at = performance.now();
      if (signal === 'SIGKILL') {
        scene.worker();
        await scene.resumed(mark, at);
      }
    }),
});

/** Every process at once, again and again on one library. */
const killedAll = (engine: EngineName): Fault => ({
  id: 'F05',
  engine,
  waitsForLease: engine === 'postgres',
  short: 0,
  long: 2,
  play: (stage, seed) =>
    playOn(stage, { engine, seed }, async (scene) => {
      const cycles = 5;
      let before = -1;
      for (let cycle = 1; cycle <= cycles; cycle += 1) {
        const workers = Array.from({ length: engine === 'postgres' ? 2 : 1 }, () => scene.worker());
        await scene.untilAsked(cycle * Math.floor(scene.site.size / (cycles + 2)));
        await wait(scene.random() * 60);
        for (const worker of workers) await kill(scene, worker);
        const { settled } = await scene.mark();
        scene.expect(`cycle ${cycle} keeps what was settled`, settled >= before);
        before = settled;
      }
      const mark = await scene.mark();
      const at = performance.now();
      scene.worker();
      await scene.resumed(mark, at);
    }),
});

const zombie: Fault = {
  id: 'F12',
  engine: 'postgres',
  waitsForLease: true,
  short: 0,
  long: 8,
  play: (stage, seed) =>
    playOn(stage, { engine: 'postgres', seed }, async (scene) => {
      const answer = scene.holdPage();
      const first = scene.worker();
      scene.worker();
      await scene.untilAsked(3 + Math.floor(scene.random() * 10));
      first.kill('SIGSTOP');
      const mark = await scene.mark();
      const at = performance.now();
      answer();
      await scene.resumed(mark, at);
      first.kill('SIGCONT');
      await wait(200);
    }),
};

/** SQLite has one owner: what it held has lapsed when it wakes, and only its own fences can refuse it. */
const stalled = (engine: EngineName): Fault => ({
  id: 'F13',
  engine,
  waitsForLease: engine === 'postgres',
  short: engine === 'sqlite' ? 1 : 0,
  long: 4,
  play: (stage, seed) =>
    playOn(stage, { engine, seed }, async (scene) => {
      const answer = scene.holdPage();
      const first = scene.worker({ preload: ['stall-loop'], env: { FAULT_STALL_MS: String(2 * LEASE_MS) } });
      if (engine === 'postgres') scene.worker();
      await scene.untilAsked(3 + Math.floor(scene.random() * 10));
      const mark = await scene.mark();
      first.kill('SIGUSR2');
      const at = performance.now();
      answer();
      // The only owner of a local database goes on when it wakes; elsewhere others need not wait for it.
      if (engine === 'sqlite') {
        await wait(2 * LEASE_MS);
        await scene.resumed(mark, performance.now());
      } else await Promise.all([scene.resumed(mark, at), wait(2 * LEASE_MS)]);
    }),
});

export const WORKER_FAULTS: readonly Fault[] = [
  ...ENGINES.map(killed),
  ...ENGINES.map(killedMidPage),
  ...ENGINES.map(killedAll),
  zombie,
  ...ENGINES.map(stalled),
];
