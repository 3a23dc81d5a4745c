// Many requests per second without a token at a server that requires one: what each costs the server, and how quickly it
// still answers health checks.

import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { run, start } from '../../support/program.ts';
import { cpuSecondsOf } from '../../support/cpu-seconds.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

export interface Flood {
  readonly requests: number;
  readonly perSecond: number;
  /** By status. */
  readonly answers: Readonly<Record<string, number>>;
  /** CPU time of the server per request. */
  readonly serverMsEach: number;
  readonly healthP95Ms: number;
}

export async function flood(perSecond: number, seconds: number): Promise<Flood> {
  const settings = {
    PINAKES_DATA_DIR: temporaryDirectory(),
    PINAKES_SERVE_PORT: '0',
    PINAKES_SERVE_HOST: '0.0.0.0',
  } as const;
  await run(settings, ['tokens', 'create', 'only', '--role', 'read']);
  const { promise, resolve } = Promise.withResolvers<string>();
  const server = start(settings, ['serve'], (text) => {
    const [address] = /http:\/\/\S+/.exec(text) ?? [];
    if (address !== undefined) resolve(address);
  });
  const origin = (await promise).replace('0.0.0.0', '127.0.0.1');
  const pool = new Pool(origin, { connections: 32 });
  const answers: Record<string, number> = {};
  const health: number[] = [];
  const send = async (path: string): Promise<string> => {
    const { statusCode, body } = await pool.request({ path, method: 'GET' });
    await body.dump();
    return String(statusCode);
  };
  try {
    await send('/healthz');
    const before = cpuSecondsOf(server.pid);
    const asking: Promise<void>[] = [];
    const startedAt = performance.now();
    for (let tick = 0; tick < seconds * 20; tick += 1) {
      for (let nth = 0; nth < perSecond / 20; nth += 1)
        asking.push(send('/api/sources').then((status) => void (answers[status] = (answers[status] ?? 0) + 1)));
      const sentAt = performance.now();
      asking.push(send('/healthz').then(() => void health.push(performance.now() - sentAt)));
      await wait(Math.max(0, startedAt + (tick + 1) * 50 - performance.now()));
    }
    await Promise.all(asking);
    const requests = Object.values(answers).reduce((sum, times) => sum + times, 0);
    return {
      requests,
      perSecond: Math.round(requests / ((performance.now() - startedAt) / 1000)),
      answers,
      serverMsEach: ((cpuSecondsOf(server.pid) - before) * 1000) / (requests + health.length),
      healthP95Ms: Math.round(health.toSorted((a, b) => a - b)[Math.floor(health.length * 0.95)] ?? 0),
    };
  } finally {
    await pool.close();
    server.kill('SIGTERM');
    await server.ended;
  }
}
