// Workers that die, stop or stall.

import { setTimeout as wait } from 'node:timers/promises';
import { URL_STATE } from '../../../src/store/sql/engine/states.ts';
import type { EngineName } from '../../support/library.ts';
import type { RunningProgram } from '../../support/program.ts';
import { LEASE_MS, type Trial } from './trial.ts';
import { runInNewLibrary, type Fault } from './fault-fixture.ts';

const ENGINES: readonly EngineName[] = ['sqlite', 'postgres'];

async function kill(trial: Trial, worker: RunningProgram): Promise<number> {
  trial.forgive(worker);
  worker.kill('SIGKILL');
  const at = performance.now();
  await worker.ended;
  return at;
}

/**
 * Killed while it waits for a response; on PostgreSQL another worker is already running, on SQLite the next one starts.
 */
const killed = (engine: EngineName): Fault => ({
  id: 'F01',
  engine,
  waitsForLease: engine === 'postgres',
  short: engine === 'postgres' ? 1 : 0,
  long: 10,
  run: (fixture, seed) =>
    runInNewLibrary(fixture, { engine, seed }, async (trial) => {
      const answer = trial.holdPage();
      const first = trial.worker();
      if (engine === 'postgres') trial.worker();
      await trial.untilRequested(3 + Math.floor(trial.random() * 20));
      await wait(trial.random() * 50);
      const checkpoint = await trial.checkpoint();
      const at = await kill(trial, first);
      answer();
      if (engine === 'sqlite') trial.worker();
      await trial.resumed(checkpoint, at);
    }),
});

/** Points between two writes, by the statements around them, along the path of one page. */
const POINTS: ReadonlyArray<readonly [name: string, when: 'before' | 'after', statement: string]> = [
  ['before the claim is written', 'before', `update frontier (f )?set state = ${URL_STATE.claimed}`],
  ['after the claim is written', 'after', `update frontier (f )?set state = ${URL_STATE.claimed}`],
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
  run: (fixture, seed) =>
    runInNewLibrary(fixture, { engine, seed }, async (trial) => {
      const [, when, statement] = POINTS[seed % POINTS.length]!;
      const nth = String(1 + Math.floor(trial.random() * 25));
      const env = { FAULT_STATEMENT: statement, FAULT_NTH: nth, FAULT_WHEN: when };
      const first = trial.worker({ preload: ['kill-at-statement'], env });
      trial.forgive(first);
      const { signal } = await Promise.race([first.ended, trial.untilEnded().then(() => ({ signal: null }))]);
      const checkpoint = await trial.checkpoint();
      const at = performance.now();
      if (signal === 'SIGKILL') {
        trial.worker();
        await trial.resumed(checkpoint, at);
      }
    }),
});

/** All processes at once, repeatedly on one library. */
const killedAll = (engine: EngineName): Fault => ({
  id: 'F05',
  engine,
  waitsForLease: engine === 'postgres',
  short: 0,
  long: 2,
  run: (fixture, seed) =>
    runInNewLibrary(fixture, { engine, seed }, async (trial) => {
      const cycles = 5;
      let before = -1;
      for (let cycle = 1; cycle <= cycles; cycle += 1) {
        const workers = Array.from({ length: engine === 'postgres' ? 2 : 1 }, () => trial.worker());
        await trial.untilRequested(cycle * Math.floor(trial.site.size / (cycles + 2)));
        await wait(trial.random() * 60);
        for (const worker of workers) await kill(trial, worker);
        const { settled } = await trial.checkpoint();
        trial.expect(`cycle ${cycle} keeps what was settled`, settled >= before);
        before = settled;
      }
      const checkpoint = await trial.checkpoint();
      const at = performance.now();
      trial.worker();
      await trial.resumed(checkpoint, at);
    }),
});

const zombie: Fault = {
  id: 'F12',
  engine: 'postgres',
  waitsForLease: true,
  short: 0,
  long: 8,
  run: (fixture, seed) =>
    runInNewLibrary(fixture, { engine: 'postgres', seed }, async (trial) => {
      const answer = trial.holdPage();
      const first = trial.worker();
      trial.worker();
      await trial.untilRequested(3 + Math.floor(trial.random() * 10));
      first.kill('SIGSTOP');
      const checkpoint = await trial.checkpoint();
      const at = performance.now();
      answer();
      await trial.resumed(checkpoint, at);
      first.kill('SIGCONT');
      await wait(200);
    }),
};

/** SQLite has one owner: its claims have expired when it wakes up, and only its own fencing tokens can reject them. */
const stalled = (engine: EngineName): Fault => ({
  id: 'F13',
  engine,
  waitsForLease: engine === 'postgres',
  short: engine === 'sqlite' ? 1 : 0,
  long: 4,
  run: (fixture, seed) =>
    runInNewLibrary(fixture, { engine, seed }, async (trial) => {
      const answer = trial.holdPage();
      const first = trial.worker({ preload: ['stall-loop'], env: { FAULT_STALL_MS: String(2 * LEASE_MS) } });
      if (engine === 'postgres') trial.worker();
      await trial.untilRequested(3 + Math.floor(trial.random() * 10));
      const checkpoint = await trial.checkpoint();
      first.kill('SIGUSR2');
      const at = performance.now();
      answer();
      // The only owner of a SQLite database resumes when it wakes up; on PostgreSQL others need not wait for it.
      if (engine === 'sqlite') {
        await wait(2 * LEASE_MS);
        await trial.resumed(checkpoint, performance.now());
      } else await Promise.all([trial.resumed(checkpoint, at), wait(2 * LEASE_MS)]);
    }),
});

export const WORKER_FAULTS: readonly Fault[] = [
  ...ENGINES.map(killed),
  ...ENGINES.map(killedMidPage),
  ...ENGINES.map(killedAll),
  zombie,
  ...ENGINES.map(stalled),
];
