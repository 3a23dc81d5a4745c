// A server whose port nobody chose takes the next free one, says so, and writes it down; it logs requests and packs its answers.

import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run, start } from '../../support/program.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

const DEFAULT_PORT = 7465;

/** Afterwards somebody listens there, this test or another program. */
async function occupyDefaultPort(): Promise<Server> {
  const server = createServer().listen(DEFAULT_PORT, '127.0.0.1');
  await Promise.race([once(server, 'listening'), once(server, 'error')]).catch(() => undefined);
  return server;
}

test('[R1] the next free port is used unless a port was chosen', async () => {
  const blocker = await occupyDefaultPort();
  const dataDir = temporaryDirectory();
  const settings = { PINAKES_DATA_DIR: dataDir, PINAKES_LOG_LEVEL: 'info' } as const;
  let said = '';
  const server = start(settings, ['serve'], (text) => (said += text));
  await waitUntil('the server listens', () => /listening on http\S+\n/.test(said));
  const [, url = '', port = ''] = /listening on (http:\/\/127\.0\.0\.1:(\d+))/.exec(said) ?? [];
  expect(Number(port)).toBeGreaterThan(DEFAULT_PORT);
  expect(JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8'))).toEqual({ url, pid: server.pid });
  expect((await run(settings, ['doctor'])).stdout).toContain(`${url} (process ${server.pid})`);

  const chosen = { PINAKES_DATA_DIR: temporaryDirectory() } as const;
  const refused = await run(chosen, ['serve', '--port', String(DEFAULT_PORT)]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`Port ${DEFAULT_PORT} on`) as string });

  const packed = await fetch(`${url}/api/openapi.json?token=not-logged`, { headers: { 'accept-encoding': 'gzip' } });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(await packed.json()).toMatchObject({ openapi: expect.any(String) as string });
  await fetch(`${url}/healthz`);
  await waitUntil('the request is logged', () => said.includes('/api/openapi.json'));
  const lines = said.split('\n').filter((line) => line.includes('"message":"request"'));
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ level: 'info', method: 'GET', path: '/api/openapi.json', status: 200 }),
  ]);
  server.kill('SIGTERM');
  await server.ended;
  expect(existsSync(join(dataDir, 'server.json'))).toBe(false);
  blocker.close();
});
