// More connections than the server may have files open.

import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bearer, startAttackedServer } from './attacked-server.ts';
import { LINUX } from '../../support/needs.ts';

const OPEN_FILES = 512;

test('connections that do nothing leave files for the database', LINUX, async () => {
  const server = await startAttackedServer({ launcher: ['prlimit', `--nofile=${OPEN_FILES}`] });
  const search = async (): Promise<number> =>
    (await fetch(`${server.url}/api/search?query=pool`, { headers: bearer(server.readToken) })).status;
  try {
    expect(await search()).toBe(200);
    const sockets = Array.from({ length: 2 * OPEN_FILES }, () => connect(server.port, '127.0.0.1'));
    const closed = new Set<Socket>();
    for (const socket of sockets) socket.on('error', () => undefined).on('close', () => closed.add(socket));
    await expect.poll(() => closed.size).toBeGreaterThan(OPEN_FILES);
    expect(closed.size).toBeLessThan(sockets.length);
    for (const socket of sockets) socket.destroy();
    await wait(100);
    expect(await search()).toBe(200);
  } finally {
    await server.stop();
  }
});
