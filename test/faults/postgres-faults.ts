// PostgreSQL that is killed, restarted and raises conflicts.

import { setTimeout as wait } from 'node:timers/promises';
import type { Running } from '../e2e/program.ts';
import type { PrivatePostgres } from './private-postgres.ts';
import type { Scene } from './trial.ts';
import { playOn, type Fault } from './fault-fixture.ts';

const POSTGRES = { engine: 'postgres', waitsForLease: true } as const;

/** A crawl with one page held back, so that it is under way whatever the fault takes. */
async function underWay(scene: Scene): Promise<{ worker: Running; answer: () => void }> {
  const answer = scene.holdPage();
  const worker = scene.worker();
  await scene.untilAsked(3 + Math.floor(scene.random() * 15));
  return { worker, answer };
}

const crashed: Fault = {
  ...POSTGRES,
  id: 'F06',
  short: 1,
  long: 5,
  async play(stage, seed) {
    const server = await stage.postgres();
    return playOn(stage, { engine: 'postgres', seed }, async (scene) => {
      const { answer } = await underWay(scene);
      const mark = await scene.mark();
      await server.stop('immediate');
      answer();
      await wait(500 + scene.random() * 4500);
      await server.start();
      await scene.resumed(mark, performance.now());
    });
  },
};

const backendKilled: Fault = {
  ...POSTGRES,
  id: 'F07',
  short: 0,
  long: 4,
  async play(stage, seed) {
    const server = await stage.postgres();
    return playOn(stage, { engine: 'postgres', seed }, async (scene) => {
      const { answer } = await underWay(scene);
      const mark = await scene.mark();
      const database = new URL(scene.place.at).pathname.slice(1);
      const [backend] = await server.sql<{ pid: number }>(
        `select pid from pg_stat_activity where datname = '${database}' and application_name = 'pinakes' limit 1`,
      );
      // The postmaster takes a killed backend for a crash: all others end, and it recovers.
      process.kill(backend!.pid, 'SIGKILL');
      await untilServes(server);
      answer();
      await scene.resumed(mark, performance.now());
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
  async play(stage, seed) {
    const server = await stage.postgres();
    return playOn(stage, { engine: 'postgres', seed }, async (scene) => {
      const { answer } = await underWay(scene);
      for (let restart = 1; restart <= 5; restart += 1) {
        const mark = await scene.mark();
        await server.stop('fast');
        await server.start();
        const back = performance.now();
        if (restart === 5) {
          answer();
          await scene.resumed(mark, back);
        } else await wait(2000);
      }
    });
  },
};

/** One write in five fails as if another transaction were in its way; a whole transaction is tried again. */
const conflicts: Fault = {
  ...POSTGRES,
  id: 'F16',
  waitsForLease: false,
  short: 1,
  long: 3,
  async play(stage, seed) {
    const server = await stage.postgres();
    return playOn(stage, { engine: 'postgres', seed }, async (scene) => {
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
        scene.place.at,
      );
      scene.worker();
      await scene.untilEnded();
      const [raised] = await server.sql<{ n: string }>('select last_value as n from conflicts', scene.place.at);
      scene.expect('conflicts were met', Number(raised?.n) > 3);
    });
  },
};

export const POSTGRES_FAULTS: readonly Fault[] = [crashed, backendKilled, restarted, conflicts];
