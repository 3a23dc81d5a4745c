// Servers that die with clients connected: an HTTP server with its listeners, and an MCP server whose client goes away.

import { setTimeout as wait } from 'node:timers/promises';
import type { EngineName } from '../../support/library.ts';
import type { Settings } from '../../support/program.ts';
import { startStdio, type StdioClient } from '../../support/stdio-client.ts';
import { processesOf } from '../../support/disconnecting-clients.ts';
import { SLOW_PATH } from '../../support/generated-site-pages.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { listenReconnecting, type ReconnectingListener } from './reconnecting-listener.ts';
import { freePort } from '../../support/free-port.ts';
import type { Trial } from './trial.ts';
import { runInNewLibrary, type Fault } from './fault-fixture.ts';

const LISTENERS = { short: 40, long: 200 } as const;

/** Killed twice in the middle of a crawl; what every listener saw is compared with the journal. */
const killedServer = (engine: EngineName): Fault => ({
  id: 'F04',
  engine,
  waitsForLease: false,
  short: engine === 'sqlite' ? 1 : 0,
  long: 10,
  run: (fixture, seed) =>
    runInNewLibrary(fixture, { engine, seed }, async (trial) => {
      const answer = trial.holdPage();
      const port = await freePort();
      const length = LISTENERS[fixture.isShort ? 'short' : 'long'];
      const listeners = Array.from({ length }, () => listenReconnecting(`http://127.0.0.1:${port}/events`));
      try {
        for (const [at, share] of [0.2, 0.6].entries()) {
          const server = trial.server(port);
          await waitUntil('all listeners are connected', () =>
            listeners.every(({ connections }) => connections() > at),
          );
          await untilHeard(listeners, Math.floor(trial.site.size * share));
          await wait(trial.random() * 300);
          trial.forgive(server);
          server.kill('SIGKILL');
          await server.ended;
        }
        answer();
        trial.server(port);
        await trial.untilEnded();
        const last = await trial.library.read((store) => store.journal.lastSeq());
        await untilHeard(listeners, last);
        expectEverythingOnce(trial, listeners, last);
      } finally {
        for (const listener of listeners) listener.close();
      }
    }),
});

async function untilHeard(listeners: readonly ReconnectingListener[], seq: number): Promise<void> {
  await waitUntil(`all listeners saw ${seq}`, () => listeners.every(({ seen }) => (seen.at(-1) ?? 0) >= seq));
}

function expectEverythingOnce(trial: Trial, listeners: readonly ReconnectingListener[], last: number): void {
  const wrong = listeners.filter(({ seen }) => seen.length !== last || seen.some((seq, i) => seq !== i + 1));
  trial.expect(`${wrong.length} listeners did not see 1 to ${last}, each once and in order`, wrong.length === 0);
  const settled = listeners.filter(({ connections }) => connections() < 3);
  trial.expect(`${settled.length} listeners were not disconnected twice`, settled.length === 0);
}

const EXITS_WITHIN_MS = 2000;

type Leaving = 'stdin is closed' | 'stdout is closed';
/** Its own library, or a shared owner; such an owner keeps running until it has no clients. */
const MODES = ['in-process', 'background'] as const;
const REPEATS = { short: 1, long: 3 } as const;
const OWNER_IDLE_MS = 3000;

/** The client leaves during a call: the requested page is held back by its site. */
const clientGone = (leaving: Leaving): Fault => ({
  id: 'F40',
  engine: 'sqlite',
  variant: leaving,
  waitsForLease: false,
  short: leaving === 'stdin is closed' ? 1 : 0,
  long: 5,
  run: (fixture, seed) =>
    runInNewLibrary(fixture, { engine: 'sqlite', seed }, async (trial) => {
      const worker = trial.worker();
      await trial.untilEnded();
      trial.forgive(worker);
      worker.kill('SIGTERM');
      await worker.ended;
      const answer = trial.holdPage();
      const repeats = REPEATS[fixture.isShort ? 'short' : 'long'];
      for (const mode of MODES) for (let times = 0; times < repeats; times += 1) await leave(trial, leaving, mode);
      answer();
      await waitUntil('the owner has no clients', () => processesOf(trial.library.at).length === 0);
    }),
});

async function leave(trial: Trial, leaving: Leaving, mode: (typeof MODES)[number]): Promise<void> {
  const settings: Settings = {
    ...trial.library.settings,
    PINAKES_OWNER_MODE: mode,
    PINAKES_OWNER_IDLE_MS: String(OWNER_IDLE_MS),
    PINAKES_SERVE_WRITE_TOOLS: 'true',
    PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
  };
  const client = startStdio(settings);
  await client.begin();
  // The program answers `initialize` before an owner starts, so there is one only when the call is under way.
  await callUnderWay(trial, client);
  const others = processesOf(trial.library.at).filter((pid) => pid !== client.pid);
  trial.expect(`${mode}: ${others.length} other owners`, others.length === (mode === 'background' ? 1 : 0));
  await wait(trial.random() * 100);
  const left = performance.now();
  if (leaving === 'stdin is closed') void client.close();
  else client.deafen();
  // A process with a closed stdout notices it on its next write.
  if (leaving === 'stdout is closed') client.send(JSON.stringify({ jsonrpc: '2.0', id: 999, method: 'ping' }));
  await client.ended;
  const took = performance.now() - left;
  trial.measure(`${mode}: from the end of the client to the end of the process`, took);
  trial.expect(`${mode}: it exits within 2 s, not ${Math.round(took)} ms`, took < EXITS_WITHIN_MS);
  const after = processesOf(trial.library.at);
  trial.expect(`${mode}: ${after.length} processes are left of ${others.length}`, sameList(after, others));
}

async function callUnderWay(trial: Trial, client: StdioClient): Promise<void> {
  const before = trial.site.receivedCount();
  const url = `${trial.site.origin}${SLOW_PATH}`;
  client.request('tools/call', { name: 'plan_source', arguments: { url } }).catch(() => undefined);
  await waitUntil('the page is requested', () => trial.site.receivedCount() > before);
}

const sameList = (one: readonly number[], two: readonly number[]): boolean =>
  new Set([...one, ...two]).size === one.length && one.length === two.length;

export const SERVER_FAULTS: readonly Fault[] = [
  ...(['sqlite', 'postgres'] as const).map(killedServer),
  ...(['stdin is closed', 'stdout is closed'] as const).map(clientGone),
];
