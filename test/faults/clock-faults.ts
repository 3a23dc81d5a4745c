// Wall clocks that jump and clocks that disagree. PostgreSQL counts time itself, so there the workers' clocks are wrong; a
// local database has the clock of its owner.

import { setTimeout as wait } from 'node:timers/promises';
import type { EngineName } from '../e2e/library.ts';
import { LEASE_MS, type Scene } from './trial.ts';
import { playOn, type Fault } from './fault-fixture.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function mostClaims(scene: Scene): Promise<number> {
  const [row] = await scene.place.sql<{ n: number | string | null }>('select max(crashes) as n from frontier');
  return Number(row?.n ?? 0);
}

/** The clock jumps while claims are held; a second worker finds all clocks right again. */
const jump = (id: 'F21' | 'F22', engine: EngineName, byMs: number): Fault => ({
  id,
  engine,
  variant: `${byMs > 0 ? '+' : '-'}${Math.abs(byMs) === DAY ? '1 day' : '1 h'}`,
  waitsForLease: false,
  short: engine === 'sqlite' && byMs === -HOUR ? 1 : 0,
  long: 2,
  play: (stage, seed) =>
    playOn(stage, { engine, seed }, async (scene) => {
      const answer = scene.holdPage();
      const first = scene.worker({ preload: ['shift-clock'], env: { FAULT_JUMP_MS: String(byMs) } });
      await scene.untilAsked(3 + Math.floor(scene.random() * 10));
      const mark = await scene.mark();
      first.kill('SIGUSR2');
      await wait(LEASE_MS);
      answer();
      await scene.resumed(mark, performance.now());
      scene.expect(`a URL is claimed again once at most (${await mostClaims(scene)})`, (await mostClaims(scene)) <= 1);
      scene.forgive(first);
      first.kill('SIGKILL');
      await first.ended;
      // Who comes after has the right clock, and finds times that are to come.
      scene.worker();
    }),
});

const skew: Fault = {
  id: 'F23',
  engine: 'postgres',
  waitsForLease: false,
  short: 0,
  long: 2,
  play: (stage, seed) =>
    playOn(stage, { engine: 'postgres', seed }, async (scene) => {
      for (const minutes of [-10, 0, 10])
        scene.worker({ preload: ['shift-clock'], env: { FAULT_CLOCK_MS: String(minutes * 60_000) } });
      await scene.untilEnded();
    }),
};

export const CLOCK_FAULTS: readonly Fault[] = [
  jump('F21', 'sqlite', HOUR),
  jump('F21', 'sqlite', DAY),
  jump('F21', 'postgres', HOUR),
  jump('F22', 'sqlite', -HOUR),
  jump('F22', 'sqlite', -DAY),
  jump('F22', 'postgres', -HOUR),
  skew,
];
