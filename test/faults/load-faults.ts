// A server with little memory that is asked for more than it can carry.

import type { Running } from '../e2e/program.ts';
import { freePort, untilAnswers } from './free-port.ts';
import { createDoorClient } from './http-client.ts';
import { sendCrowd, type Crowd } from './request-burst.ts';
import type { Scene } from './trial.ts';
import { playOn, type Fault } from './fault-fixture.ts';

const HEAP = { NODE_OPTIONS: '--max-old-space-size=256' };
const RESTARTS_WITHIN_MS = 5000;
const RESTARTS = 3;

/** Three times what may be under way at once. */
const SEARCHES: Crowd = { requests: 3000, path: '/api/search?query=almanac' };
/** Together more than the heap may hold, and each of them allowed. */
const FAT_CALLS: Crowd = {
  requests: 100,
  path: '/mcp',
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'search_docs', arguments: { query: 'almanac' }, _meta: { note: 'x'.repeat(3_500_000) } },
  }),
};

const littleMemory: Fault = {
  id: 'F25',
  engine: 'sqlite',
  waitsForLease: false,
  short: 1,
  long: 3,
  play: (stage, seed) =>
    playOn(stage, { engine: 'sqlite', seed }, async (scene) => {
      const port = await freePort();
      const server = scene.server(port, { env: HEAP });
      await scene.untilEnded();
      await untilAnswers(port);
      for (const crowd of [SEARCHES, FAT_CALLS]) await expectShed(scene, port, crowd);
      const { passages } = await createDoorClient(port).search('almanac');
      scene.expect('it answers as before', passages.length > 0);
      const took = await quickestRestart(scene, port, server);
      scene.measure('from a restart to the first answer', took);
      scene.expect(`it is back within 5 s, not ${Math.round(took)} ms`, took < RESTARTS_WITHIN_MS);
    }),
};

/** Of a few: what else the machine does at that moment is not the server's doing. */
async function quickestRestart(scene: Scene, port: number, first: Running): Promise<number> {
  let quickest = Number.POSITIVE_INFINITY;
  let server = first;
  for (let times = 0; times < RESTARTS && quickest > RESTARTS_WITHIN_MS / 2; times += 1) {
    scene.forgive(server);
    server.kill('SIGKILL');
    await server.ended;
    const at = performance.now();
    server = scene.server(port, { env: HEAP });
    await untilAnswers(port);
    quickest = Math.min(quickest, performance.now() - at);
  }
  return quickest;
}

async function expectShed(scene: Scene, port: number, crowd: Crowd): Promise<void> {
  const { statuses, mute } = await sendCrowd(port, crowd);
  const told = [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ');
  const isKnown = [...statuses.keys()].every((status) => status === 200 || status === 503);
  scene.expect(`${crowd.path}: nothing but answers and 503: ${told}`, isKnown);
  scene.expect(`${crowd.path}: some are answered: ${told}`, (statuses.get(200) ?? 0) > 0);
  scene.expect(`${crowd.path}: some are turned away: ${told}`, (statuses.get(503) ?? 0) > 0);
  scene.expect(`${crowd.path}: ${mute} answers do not say when to come back`, mute === 0);
}

export const LOAD_FAULTS: readonly Fault[] = [littleMemory];
