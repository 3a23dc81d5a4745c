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

test('one token has half of the connections at most, whatever its rate of requests (finding V28)', LINUX, async () => {
  // At the usual rate of a token this takes half a minute. Here nothing but the number of its connections holds it up.
  const server = await startAttackedServer({
    settings: { PINAKES_SERVE_REQUESTS_PER_MINUTE: '1000000' },
    launcher: ['prlimit', `--nofile=${OPEN_FILES}`],
  });
  const open = new Set<Socket>();
  const statuses: string[] = [];
  try {
    for (let nth = 0; nth < OPEN_FILES; nth += 1) {
      const socket = connect(server.port, '127.0.0.1');
      open.add(socket);
      const answered = new Promise<void>((resolve) => {
        socket.on('error', () => undefined).on('close', () => (open.delete(socket), resolve()));
        socket.once('data', (head: Buffer) => (statuses.push(head.toString('latin1', 9, 12)), resolve()));
      });
      const path = nth % 2 === 0 ? '/events' : '/api/changes/stream';
      socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${server.readToken}\r\n\r\n`);
      await answered;
    }
    expect(statuses.filter((status) => status === '200')).toHaveLength(OPEN_FILES / 4);
    expect(statuses.filter((status) => status !== '200' && status !== '503')).toEqual([]);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/api/sources`, { headers: bearer(server.adminToken) })).status).toBe(200);
  } finally {
    for (const socket of open) socket.destroy();
    await server.stop();
  }
});
