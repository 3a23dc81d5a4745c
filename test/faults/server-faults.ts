// Doors that end while somebody is in them: a server with its listeners, and a client on stdin that goes away.

import { setTimeout as wait } from 'node:timers/promises';
import type { EngineName } from '../e2e/library.ts';
import type { Settings } from '../e2e/program.ts';
import { startStdio, type StdioClient } from '../mcp/stdio-client.ts';
import { processesOf } from '../mcp/disconnecting-clients.ts';
import { SLOW_PATH } from '../support/site-server-pages.ts';
import { until } from '../support/until.ts';
import { listenFaithfully, type FaithfulListener } from './reconnecting-listener.ts';
import { freePort } from './free-port.ts';
import type { Scene } from './trial.ts';
import { playOn, type Fault } from './fault-fixture.ts';

const LISTENERS = 200;

/** Killed twice in the middle of a crawl; what every listener saw is compared with the journal. */
const killedServer = (engine: EngineName): Fault => ({
  id: 'F04',
  engine,
  waitsForLease: false,
  short: engine === 'sqlite' ? 1 : 0,
  long: 10,
  play: (stage, seed) =>
    playOn(stage, { engine, seed }, async (scene) => {
      const answer = scene.holdPage();
      const port = await freePort();
      const listeners = Array.from({ length: LISTENERS }, () => listenFaithfully(`http://127.0.0.1:${port}/events`));
      try {
        for (const [at, share] of [0.2, 0.6].entries()) {
          const server = scene.server(port);
          await until('everybody listens', () => listeners.every(({ connections }) => connections() > at));
          await untilHeard(listeners, Math.floor(scene.site.size * share));
          await wait(scene.random() * 300);
          scene.forgive(server);
          server.kill('SIGKILL');
          await server.ended;
        }
        answer();
        scene.server(port);
        await scene.untilEnded();
        const last = await scene.place.read((store) => store.journal.lastSeq());
        await untilHeard(listeners, last);
        expectEverythingOnce(scene, listeners, last);
      } finally {
        for (const listener of listeners) listener.close();
      }
    }),
});

async function untilHeard(listeners: readonly FaithfulListener[], seq: number): Promise<void> {
  await until(`everybody heard ${seq}`, () => listeners.every(({ seen }) => (seen.at(-1) ?? 0) >= seq));
}

function expectEverythingOnce(scene: Scene, listeners: readonly FaithfulListener[], last: number): void {
  const wrong = listeners.filter(({ seen }) => seen.length !== last || seen.some((seq, i) => seq !== i + 1));
  scene.expect(`${wrong.length} listeners did not hear 1 to ${last}, each once and in order`, wrong.length === 0);
  const settled = listeners.filter(({ connections }) => connections() < 3);
  scene.expect(`${settled.length} listeners were not cut off twice`, settled.length === 0);
}

const EXITS_WITHIN_MS = 2000;

type Leaving = 'stdin is closed' | 'stdout is closed';
/** Its own library, or an owner that others share; one of those is left alone until it finds nobody. */
const MODES = ['in-process', 'background'] as const;
const LEAVES = 3;
const OWNER_IDLE_MS = 3000;

/** It goes while a call is under way: the page that is asked for is held back by its site. */
const clientGone = (leaving: Leaving): Fault => ({
  id: 'F40',
  engine: 'sqlite',
  variant: leaving,
  waitsForLease: false,
  short: 1,
  long: 5,
  play: (stage, seed) =>
    playOn(stage, { engine: 'sqlite', seed }, async (scene) => {
      const worker = scene.worker();
      await scene.untilEnded();
      scene.forgive(worker);
      worker.kill('SIGTERM');
      await worker.ended;
      const answer = scene.holdPage();
      for (const mode of MODES) for (let times = 0; times < LEAVES; times += 1) await leave(scene, leaving, mode);
      answer();
      await until('the owner finds nobody', () => processesOf(scene.place.at).length === 0);
    }),
});

async function leave(scene: Scene, leaving: Leaving, mode: (typeof MODES)[number]): Promise<void> {
  const settings: Settings = {
    ...scene.place.settings,
    PINAKES_OWNER_MODE: mode,
    PINAKES_OWNER_IDLE_MS: String(OWNER_IDLE_MS),
    PINAKES_SERVE_ADMIN_TOOLS: 'true',
    PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
  };
  const client = startStdio(settings);
  await client.begin();
  const others = processesOf(scene.place.at).filter((pid) => pid !== client.pid);
  scene.expect(`${mode}: ${others.length} owners beside it`, others.length === (mode === 'background' ? 1 : 0));
  await callUnderWay(scene, client);
  await wait(scene.random() * 100);
  const left = performance.now();
  if (leaving === 'stdin is closed') void client.close();
  else client.deafen();
  // Whoever cannot be heard finds out by saying something.
  if (leaving === 'stdout is closed') client.send(JSON.stringify({ jsonrpc: '2.0', id: 999, method: 'ping' }));
  await client.ended;
  const took = performance.now() - left;
  scene.measure(`${mode}: from the end of the client to the end of the process`, took);
  scene.expect(`${mode}: it ends within 2 s, not ${Math.round(took)} ms`, took < EXITS_WITHIN_MS);
  const after = processesOf(scene.place.at);
  scene.expect(`${mode}: ${after.length} processes are left of ${others.length}`, sameList(after, others));
}

async function callUnderWay(scene: Scene, client: StdioClient): Promise<void> {
  const held = scene.site.begun();
  const url = `${scene.site.origin}${SLOW_PATH}`;
  client.ask('tools/call', { name: 'plan_source', arguments: { url } }).catch(() => undefined);
  await until('the page is asked for', () => scene.site.begun() > held);
}

const sameList = (one: readonly number[], two: readonly number[]): boolean =>
  new Set([...one, ...two]).size === one.length && one.length === two.length;

export const DOOR_FAULTS: readonly Fault[] = [
  ...(['sqlite', 'postgres'] as const).map(killedServer),
  ...(['stdin is closed', 'stdout is closed'] as const).map(clientGone),
];
