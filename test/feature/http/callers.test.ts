// What one caller can take from the others: connections, requests in flight, and what it keeps open after its token is revoked.

import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addFiles, addToken, startTestServer, type TestServer } from '../../support/test-server.ts';
import { waitUntil } from '../../support/wait-until.ts';

const IN_FLIGHT = 12;
const PER_ADDRESS = 8;

let server: TestServer;
let admin = '';
let reader = '';
let leaver = '';

beforeAll(async () => {
  const settings = {
    PINAKES_SERVE_MAX_REQUESTS_IN_FLIGHT: String(IN_FLIGHT),
    PINAKES_SERVE_CONNECTIONS_PER_ADDRESS: String(PER_ADDRESS),
  };
  server = await startTestServer(settings, async (library) => {
    await addFiles(library, 'docs', { 'a.md': '# A\n\nText.' });
    admin = await addToken(library, 'admin', 'admin');
    reader = await addToken(library, 'reader', 'read');
    leaver = await addToken(library, 'leaver', 'read');
  });
});
afterAll(() => server.stop());

const request = (token: string, path: string, options: RequestInit = {}): Promise<Response> =>
  fetch(server.url + path, { ...options, headers: { authorization: `Bearer ${token}` } });

interface Opened {
  isOpen: boolean;
}

/** Reads a response until it ends. */
function follow(token: string, path: string, signal?: AbortSignal): Opened {
  const opened = { isOpen: true };
  void request(token, path, signal ? { signal } : {})
    .then((response) => response.text())
    .catch(() => undefined)
    .finally(() => (opened.isOpen = false));
  return opened;
}

test('what a revoked token has open ends within seconds, and that of others does not (finding V12)', async () => {
  const paths = ['/events', '/api/changes/stream?since=now', '/api/changes?since=now&wait=60'];
  const leaving = paths.map((path) => follow(leaver, path));
  const end = new AbortController();
  const staying = [...paths.map((path) => follow(admin, path, end.signal)), follow(reader, paths[0]!, end.signal)];
  await wait(500);
  // As another process does.
  const database = new DatabaseSync(join(server.directory, 'pinakes.db'), { timeout: 5000 });
  database.exec(`delete from tokens where name = 'leaver'`);
  database.close();
  const since = performance.now();
  await waitUntil('the streams of the revoked token have ended', () => leaving.every(({ isOpen }) => !isOpen));
  expect(performance.now() - since).toBeLessThan(8000);
  expect(staying.every(({ isOpen }) => isOpen)).toBe(true);
  end.abort();
  expect((await request(leaver, '/events')).status).toBe(401);
}, 20_000);

test('one token uses half of the requests in flight at most (finding V18)', async () => {
  const end = new AbortController();
  const waiting = Array.from({ length: IN_FLIGHT }, async () => {
    const response = await request(reader, '/api/changes?since=now&wait=60', { signal: end.signal });
    return response.status;
  });
  const statuses: number[] = [];
  for (const one of waiting) one.then((status) => statuses.push(status)).catch(() => undefined);
  await waitUntil('the others are shed', () => statuses.length === IN_FLIGHT / 2);
  expect(new Set(statuses)).toEqual(new Set([503]));
  expect((await request(admin, '/api/sources')).status).toBe(200);
  expect((await request(reader, '/api/sources')).status).toBe(503);
  end.abort();
  await Promise.allSettled(waiting);
  await waitUntil('its requests have left', async () => (await request(reader, '/api/sources')).status === 200);
});

test('connections without a token take the place of each other, not of callers with one (finding V11)', async () => {
  const end = new AbortController();
  const stream = follow(admin, '/events', end.signal);
  await wait(300);
  const open = new Set<Socket>();
  for (let nth = 0; nth < 5 * PER_ADDRESS; nth += 1) {
    const socket = connect(server.port, '127.0.0.1');
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    socket.resume().write('GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    await new Promise((resolve) => socket.once('connect', resolve));
  }
  await waitUntil('the oldest are closed', () => open.size <= PER_ADDRESS);
  expect(open.size).toBeGreaterThan(0);
  for (let nth = 0; nth < 10; nth += 1) expect((await request(admin, '/api/sources')).status).toBe(200);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(stream.isOpen).toBe(true);
  end.abort();
  for (const socket of open) socket.destroy();
});

test('a webhook is not sent to the port that the server has picked (finding V24)', async () => {
  const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' };
  const added = await fetch(`${server.url}/api/webhooks`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ url: `${server.url}/api/sources`, name: 'self' }),
  });
  expect(added.status).toBeLessThan(300);
  const tested = await fetch(`${server.url}/api/webhooks/self/test`, { method: 'POST', headers, body: '{}' });
  const { isAccepted, detail } = (await tested.json()) as { isAccepted: boolean; detail: string };
  expect(isAccepted).toBe(false);
  expect(detail).not.toContain('answered');
});
