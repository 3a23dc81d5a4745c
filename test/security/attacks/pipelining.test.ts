// One connection without a token that sends requests without end, or never reads what it is sent.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectTo } from '../../support/raw-http.ts';
import { ensureBuilt } from '../../support/dashboard-server.ts';
import { bearer, expectServedDuring, startAttackedServer, type AttackedServer } from './attacked-server.ts';

const ASSETS = join(import.meta.dirname, '../../../dist/web/assets');

let server: AttackedServer;
beforeAll(async () => {
  await ensureBuilt();
  server = await startAttackedServer();
});
afterAll(() => server.stop());

const requests = (path: string, count: number): string =>
  `GET ${path} HTTP/1.1\r\nhost: localhost:${server.port}\r\n\r\n`.repeat(count);

function largestAsset(): string {
  const names = readdirSync(ASSETS).toSorted((a, b) => statSync(join(ASSETS, b)).size - statSync(join(ASSETS, a)).size);
  return `/assets/${names[0]}`;
}

test('a connection that never reads keeps nobody out (finding N2)', async () => {
  const socket = await connectTo(server.port);
  socket.on('error', () => undefined).pause();
  await expectServedDuring(server, async () => {
    socket.write(requests(largestAsset(), 1100));
    await wait(1500);
  });
  const metrics = await (await fetch(`${server.url}/metrics`, { headers: bearer(server.readToken) })).text();
  expect(metrics).toMatch(/^pinakes_http_requests_in_flight [01]$/m);
  socket.destroy();
});

test('a hundred thousand requests on one connection hold up nobody (finding N2)', async () => {
  const socket = await connectTo(server.port);
  socket.on('error', () => undefined);
  await expectServedDuring(server, async () => {
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.resume().write(requests('/api/sources', 100_000));
    await closed;
  });
});

test('connections that come back after each burst hold up nobody (finding N2)', async () => {
  await expectServedDuring(server, async () => {
    const until = performance.now() + 1500;
    const burst = requests('/api/sources', 1000);
    const flood = async (): Promise<void> => {
      while (performance.now() < until) {
        const socket = await connectTo(server.port);
        const closed = new Promise<void>((resolve) => socket.on('error', () => undefined).on('close', () => resolve()));
        socket.resume().write(burst);
        await closed;
      }
    };
    await Promise.all(Array.from({ length: 6 }, flood));
  });
});
