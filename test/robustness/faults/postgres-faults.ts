// PostgreSQL that is killed, restarted, or raises conflicts.

import { setTimeout as wait } from 'node:timers/promises';
import type { RunningProgram } from '../../support/program.ts';
import type { PrivatePostgres } from './private-postgres.ts';
import type { Trial } from './trial.ts';
import { runInNewLibrary, type Fault } from './fault-fixture.ts';

const POSTGRES = { engine: 'postgres', waitsForLease: true } as const;

/** A crawl with one page held back, so that it is in progress whatever the fault does. */
async function underWay(trial: Trial): Promise<{ worker: RunningProgram; answer: () => void }> {
  const answer = trial.holdPage();
  const worker = trial.worker();
  await trial.untilRequested(3 + Math.floor(trial.random() * 15));
  return { worker, answer };
}

const crashed: Fault = {
  ...POSTGRES,
  id: 'F06',
  short: 1,
  long: 5,
  async run(fixture, seed) {
    const server = await fixture.postgres();
    return runInNewLibrary(fixture, { engine: 'postgres', seed }, async (trial) => {
      const { answer } = await underWay(trial);
      const checkpoint = await trial.checkpoint();
      await server.stop('immediate');
      answer();
      await wait(500 + trial.random() * 4500);
      await server.start();
      await trial.resumed(checkpoint, performance.now());
    });
  },
};

const backendKilled: Fault = {
  ...POSTGRES,
  id: 'F07',
  short: 0,
  long: 4,
  async run(fixture, seed) {
    const server = await fixture.postgres();
    return runInNewLibrary(fixture, { engine: 'postgres', seed }, async (trial) => {
      const { answer } = await underWay(trial);
      const checkpoint = await trial.checkpoint();
      const database = new URL(trial.library.at).pathname.slice(1);
      const [backend] = await server.sql<{ pid: number }>(
        `select pid from pg_stat_activity where datname = '${database}' and application_name = 'pinakes' limit 1`,
      );
      // The postmaster treats a killed backend as a crash: all others end, and it recovers.
      process.kill(backend!.pid, 'SIGKILL');
      await untilServes(server);
      answer();
      await trial.resumed(checkpoint, performance.now());
    });
  },
};

async function untilServes(server: PrivatePostgres): Promise<void> {
  await wait(200);
  for (let tries = 0; tries < 100; tries += 1) {
    if (
      await server.sql('select 1').then(
        () => true,
        () => false,
      )
    )
      return;
    await wait(100);
  }
  throw new Error('PostgreSQL does not come back');
}

const restarted: Fault = {
  ...POSTGRES,
  id: 'F08',
  short: 0,
  long: 1,
  async run(fixture, seed) {
    const server = await fixture.postgres();
    return runInNewLibrary(fixture, { engine: 'postgres', seed }, async (trial) => {
      const { answer } = await underWay(trial);
      for (let restart = 1; restart <= 5; restart += 1) {
        const checkpoint = await trial.checkpoint();
        await server.stop('fast');
        await server.start();
        const back = performance.now();
        if (restart === 5) {
          answer();
          await trial.resumed(checkpoint, back);
        } else await wait(2000);
      }
    });
  },
};

/** One write in five fails with a serialization conflict; the whole transaction is retried. */
const conflicts: Fault = {
  ...POSTGRES,
  id: 'F16',
  waitsForLease: false,
  short: 1,
  long: 3,
  async run(fixture, seed) {
    const server = await fixture.postgres();
    return runInNewLibrary(fixture, { engine: 'postgres', seed }, async (trial) => {
      await server.sql(
        `create sequence conflicts;
         create function conflict() returns trigger language plpgsql as $$ begin
           if random() < 0.2 then
             perform nextval('conflicts');
             raise exception 'planted' using errcode = case when random() < 0.5 then '40001' else '40P01' end;
           end if;
           return null;
         end $$;
         create trigger conflicts after insert or update or delete on frontier for each statement execute function conflict();
         create trigger conflicts after insert or update or delete on chunks for each statement execute function conflict()`,
        trial.library.at,
      );
      trial.worker();
      await trial.untilEnded();
      const [raised] = await server.sql<{ n: string }>('select last_value as n from conflicts', trial.library.at);
      trial.expect('conflicts occurred', Number(raised?.n) > 3);
    });
  },
};

export const POSTGRES_FAULTS: readonly Fault[] = [crashed, backendKilled, restarted, conflicts];
