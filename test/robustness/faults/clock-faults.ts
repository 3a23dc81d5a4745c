// Wall clocks that jump or disagree. PostgreSQL uses its own clock, so there the workers' clocks are wrong; a SQLite
// database uses the clock of its owner.

import { setTimeout as wait } from 'node:timers/promises';
import type { EngineName } from '../../support/library.ts';
import { LEASE_MS, type Trial } from './trial.ts';
import { runInNewLibrary, type Fault } from './fault-fixture.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function mostClaims(trial: Trial): Promise<number> {
  const [row] = await trial.library.sql<{ n: number | string | null }>('select max(crashes) as n from frontier');
  return Number(row?.n ?? 0);
}

/** The clock jumps while claims are in flight; for a second worker all clocks are right again. */
const jump = (id: 'F21' | 'F22', engine: EngineName, byMs: number): Fault => ({
  id,
  engine,
  variant: `${byMs > 0 ? '+' : '-'}${Math.abs(byMs) === DAY ? '1 day' : '1 h'}`,
  waitsForLease: false,
  short: engine === 'sqlite' && byMs === -HOUR ? 1 : 0,
  long: 2,
  run: (fixture, seed) =>
    runInNewLibrary(fixture, { engine, seed }, async (trial) => {
      const answer = trial.holdPage();
      const first = trial.worker({ preload: ['shift-clock'], env: { FAULT_JUMP_MS: String(byMs) } });
      await trial.untilRequested(3 + Math.floor(trial.random() * 10));
      const checkpoint = await trial.checkpoint();
      first.kill('SIGUSR2');
      await wait(LEASE_MS);
      answer();
      await trial.resumed(checkpoint, performance.now());
      trial.expect(`a URL is claimed again at most once (${await mostClaims(trial)})`, (await mostClaims(trial)) <= 1);
      trial.forgive(first);
      first.kill('SIGKILL');
      await first.ended;
      // The next worker has the right clock, and finds timestamps in the future.
      trial.worker();
    }),
});

const skew: Fault = {
  id: 'F23',
  engine: 'postgres',
  waitsForLease: false,
  short: 0,
  long: 2,
  run: (fixture, seed) =>
    runInNewLibrary(fixture, { engine: 'postgres', seed }, async (trial) => {
      for (const minutes of [-10, 0, 10])
        trial.worker({ preload: ['shift-clock'], env: { FAULT_CLOCK_MS: String(minutes * 60_000) } });
      await trial.untilEnded();
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
