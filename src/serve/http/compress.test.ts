import { gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { acceptsGzip, gzipStream, sendJson } from './compress.ts';

const LONG = { text: 'so it is said '.repeat(200) };
const app = new Hono()
  .get('/long', (c) => sendJson(c, LONG))
  .get('/short', (c) => sendJson(c, { ok: true }))
  .post('/long', (c) => sendJson(c, LONG, 201));

async function fetchFrom(path: string, init: RequestInit = {}): Promise<Response> {
  return app.request(path, { headers: { 'accept-encoding': 'gzip, br' }, ...init });
}

test('a long answer to a GET is compressed for clients that accept it', async () => {
  const packed = await fetchFrom('/long');
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(packed.headers.get('vary')).toBe('accept-encoding');
  const bytes = new Uint8Array(await packed.arrayBuffer());
  expect(bytes.byteLength).toBeLessThan(JSON.stringify(LONG).length / 5);
  expect(JSON.parse(gunzipSync(bytes).toString())).toEqual(LONG);
  const plain = await fetchFrom('/long', { headers: {} });
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(plain.headers.get('vary')).toBe('accept-encoding');
  expect(await plain.json()).toEqual(LONG);
});

test('short answers, and answers to a POST, which may hold a secret, are not compressed', async () => {
  expect((await fetchFrom('/short')).headers.get('content-encoding')).toBeNull();
  const posted = await fetchFrom('/long', { method: 'POST', headers: { 'accept-encoding': 'gzip' } });
  expect([posted.status, posted.headers.get('content-encoding')]).toEqual([201, null]);
});

test('a stream is compressed as it is read', async () => {
  let read = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      read += 1;
      controller.enqueue(crypto.getRandomValues(new Uint8Array(16_384)));
    },
  });
  const reader = gzipStream(endless).getReader();
  await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(read).toBeLessThan(100);
  await reader.cancel();
});

test('a client says that it accepts gzip, or that it does not', () => {
  for (const header of ['gzip', 'br, GZIP;q=0.5', '*', 'deflate, *;q=0.1']) expect(acceptsGzip(header)).toBe(true);
  for (const header of [undefined, '', 'br', 'gzip;q=0', '*;q=0', 'gzip;q=0, *'])
    expect(acceptsGzip(header)).toBe(false);
});
