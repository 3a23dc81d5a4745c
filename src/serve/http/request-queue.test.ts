import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { closeStalledConnections, createRequestQueue } from './request-queue.ts';

const closing: Array<() => void> = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** A server behind a queue, and one connection to it that is not read until it is asked to. */
async function openConnection(handle: RequestListener, stalledMs?: number): Promise<Socket> {
  const queue = createRequestQueue(handle);
  const server = createServer(queue.handle);
  if (stalledMs !== undefined) closeStalledConnections(server, queue, stalledMs);
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await listening;
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  closing.push(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return socket;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;
const paths = (count: number): string[] => Array.from({ length: count }, (_, n) => `/${n}`);

async function readUntilClosed(socket: Socket): Promise<string> {
  let text = '';
  for await (const bytes of socket) text += String(bytes);
  return text;
}

test('a connection is served one request at a time, in order', async () => {
  let running = 0;
  let most = 0;
  const socket = await openConnection((request, response) => {
    running += 1;
    most = Math.max(most, running);
    response.once('finish', () => (running -= 1));
    setTimeout(() => {
      if (request.url === '/19') response.setHeader('connection', 'close');
      response.end(`[${request.url}]`);
    }, 1);
  });
  socket.write(paths(20).map(get).join(''));
  const served = [...(await readUntilClosed(socket)).matchAll(/\[(.*?)\]/g)].map(([, path]) => path);
  expect(served).toEqual(paths(20));
  expect(most).toBe(1);
});

test('a body that arrives behind other requests is read when its turn comes', async () => {
  const socket = await openConnection(async (request, response) => {
    let body = '';
    for await (const bytes of request) body += String(bytes);
    if (body !== '') response.setHeader('connection', 'close');
    response.end(`[${body}]`);
  });
  socket.write(`${paths(5).map(get).join('')}POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 200000\r\n\r\n`);
  await wait(50);
  socket.write('x'.repeat(200_000));
  expect(await readUntilClosed(socket)).toContain('x'.repeat(200_000));
});

test('a connection that pipelines without end is closed after a few responses (finding N2)', async () => {
  let started = 0;
  const socket = await openConnection((_request, response) => {
    started += 1;
    response.end('answer');
  });
  socket.write(paths(5000).map(get).join(''));
  const text = await readUntilClosed(socket).catch(() => '');
  expect(text.split('answer').length - 1).toBeLessThanOrEqual(33);
  expect(started).toBe(33);
});

test('requests of a client that is gone are not started (finding N2)', async () => {
  const started: string[] = [];
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const socket = await openConnection((request, response) => {
    started.push(request.url ?? '');
    request.socket.once('close', resolve);
    setTimeout(() => response.end('late'), 50);
  });
  socket.write(paths(20).map(get).join(''), () => setTimeout(() => socket.resetAndDestroy(), 20));
  await closed;
  await wait(100);
  expect(started.length).toBeLessThan(4);
});

test('a client that does not read is disconnected, a slow response is not (finding N2)', async () => {
  const answer = Buffer.alloc(64 * 2 ** 20);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const deaf = await openConnection((request, response) => {
    request.socket.once('close', resolve);
    response.end(answer);
  }, 200);
  deaf.write(get('/'));
  await closed;

  const patient = await openConnection(
    (_request, response) => void setTimeout(() => response.setHeader('connection', 'close').end('at last'), 600),
    200,
  );
  patient.write(get('/'));
  expect(await readUntilClosed(patient)).toContain('at last');
});
