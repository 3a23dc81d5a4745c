// One request, one outcome: what the port promises, against a real server.

import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PageUrl } from '../../../src/core/model/page-url.ts';
import { createHttpFetcher } from '../../../src/fetch/http/http-fetcher.ts';
import type { Fetcher, FetchOutcome, FetchRequest } from '../../../src/fetch/port.ts';
import { startCountingServer, type CountingServer } from '../../support/counting-server.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const never: Answer = () => undefined;
const TEXT = Array.from({ length: 3000 }, (_, i) => `line ${i}`).join('\n');

const PACKERS: Readonly<Record<string, (text: string) => Buffer>> = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  identity: (text) => Buffer.from(text),
  'gzip, br': (text) => brotliCompressSync(gzipSync(text)),
  'identity, GZIP': gzipSync,
};

let server: CountingServer;
let fetcher: Fetcher;
let answer: Answer;

beforeAll(async () => {
  server = await startCountingServer((request, response) => answer(request, response));
  fetcher = createHttpFetcher({ userAgent: 'pinakes (+https://example.com)', allowCidrs: ['127.0.0.1/32'] });
});
afterAll(async () => {
  await fetcher.close();
  await server.close();
});

const url = (path = '/'): PageUrl => `http://127.0.0.1:${server.port}${path}` as PageUrl;
const send = (with_: Answer, request: Partial<FetchRequest> = {}, signal?: AbortSignal): Promise<FetchOutcome> => {
  answer = with_;
  return fetcher.fetch({ url: url(), ...request }, signal);
};
const text = (outcome: FetchOutcome): string =>
  outcome.kind === 'fetched' ? Buffer.from(outcome.body).toString() : JSON.stringify(outcome);
const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_, response) => {
    response.writeHead(code, headers);
    response.end('body');
  };

test('a page comes with what the crawl needs to know', async () => {
  const outcome = await send((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html', ETag: '"1"', 'Last-Modified': 'x', 'X-Two': ['a', 'b'] });
    response.end('hello');
  });
  expect(outcome).toMatchObject({
    kind: 'fetched',
    status: 200,
    mediaType: 'text/html',
    etag: '"1"',
    lastModified: 'x',
    truncated: false,
    wireBytes: 5,
    headers: { 'x-two': 'a, b', 'content-type': 'text/html' },
  });
  if (outcome.kind !== 'fetched') return;
  expect(outcome.firstByteMs).toBeGreaterThan(0);
  expect(outcome.totalMs).toBeGreaterThanOrEqual(outcome.firstByteMs);
  // It owns its memory, so that it can be transferred to a thread.
  expect(outcome.body.buffer.byteLength).toBe(outcome.body.length);
});

test('the request identifies us, states our preferences, and carries the validators', async () => {
  await send(status(200), { etag: 'W/"7"', lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT' });
  expect(server.requests.at(-1)?.headers).toMatchObject({
    'user-agent': 'pinakes (+https://example.com)',
    accept: 'text/markdown, text/html;q=0.9, */*;q=0.8',
    'if-none-match': 'W/"7"',
    'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT',
  });
  await send(status(200), { accept: 'text/plain' });
  expect(server.requests.at(-1)?.headers).toMatchObject({ accept: 'text/plain' });
  expect(server.requests.at(-1)?.headers).not.toHaveProperty('if-none-match');
});

test('headers of a source are sent, once; those of the connection cannot be set by a source', async () => {
  const headers = {
    Authorization: 'Bearer t',
    'User-Agent': 'me',
    Host: 'evil.test',
    'Content-Length': '5',
    TE: 'gzip',
  };
  await send(status(200), { headers });
  const request = server.requests.at(-1);
  expect(request?.headers).toMatchObject({
    authorization: 'Bearer t',
    'user-agent': 'me',
    host: `127.0.0.1:${server.port}`,
  });
  expect(request?.headers).not.toHaveProperty('content-length');
  expect(request?.rawHeaders.filter((name) => name.toLowerCase() === 'user-agent')).toHaveLength(1);
});

test('a header that would split the request is an outcome, not an exception', async () => {
  expect(await send(status(200), { headers: { 'x-bad': 'a\r\nX-Injected: 1' } })).toMatchObject({
    kind: 'failed',
    code: 'input.invalid',
    retryable: false,
  });
});

test.each(Object.keys(PACKERS))('Content-Encoding %s is undone', async (encoding) => {
  const outcome = await send((_, response) => {
    response.setHeader('content-encoding', encoding);
    response.end(PACKERS[encoding]?.(TEXT));
  });
  expect(text(outcome)).toBe(TEXT);
});

test('a raw deflate stream is decoded like the zlib format', async () => {
  const outcome = await send((_, response) => {
    response.setHeader('content-encoding', 'deflate');
    response.end(deflateRawSync(TEXT));
  });
  expect(text(outcome)).toBe(TEXT);
});

test('a large body is decoded like a small one', async () => {
  const noise = Buffer.from(
    Array.from({ length: 200_000 }, (_, i) => ((i * 2_654_435_761) >>> 0).toString(36)).join(' '),
  );
  const packed = gzipSync(noise);
  expect(packed.length).toBeGreaterThan(262_144);
  const outcome = await send((_, response) => {
    response.setHeader('content-encoding', 'gzip');
    response.end(packed);
  });
  expect(outcome.kind === 'fetched' && Buffer.compare(outcome.body, noise)).toBe(0);
});

test.each(['identity', 'gzip', 'deflate', 'br', 'zstd', 'gzip, br'])(
  'a body in %s is truncated at the requested length',
  async (encoding) => {
    const packed: Answer = (_, response) => {
      response.setHeader('content-encoding', encoding);
      response.end(PACKERS[encoding]?.(TEXT));
    };
    for (const cutAtBytes of [10, 5000, 20_000]) {
      const outcome = await send(packed, { cutAtBytes });
      expect(outcome).toMatchObject({ kind: 'fetched', truncated: true });
      // Where the encoded bytes themselves were cut, the end is missing.
      const got = text(outcome);
      expect(got.length).toBeLessThanOrEqual(cutAtBytes);
      expect(TEXT.startsWith(got)).toBe(true);
      if (encoding === 'identity') expect(got).toHaveLength(cutAtBytes);
    }
    const whole = await send(packed, { cutAtBytes: TEXT.length });
    expect(whole).toMatchObject({ kind: 'fetched', truncated: false });
    expect(text(whole)).toBe(TEXT);
  },
);

test.each<[number, Record<string, string>, object]>([
  [201, {}, { kind: 'fetched', status: 201 }],
  [204, {}, { kind: 'fetched', status: 204 }],
  [206, {}, { kind: 'failed', code: 'fetch.status', retryable: false }],
  [300, {}, { kind: 'failed', code: 'fetch.status', retryable: false }],
  [301, { location: '/new' }, { kind: 'redirected', status: 301, permanent: true }],
  [302, { location: '/new' }, { kind: 'redirected', permanent: false }],
  [303, { location: '/new' }, { kind: 'redirected', permanent: false }],
  [307, { location: '/new' }, { kind: 'redirected', permanent: false }],
  [308, { location: '/new#part' }, { kind: 'redirected', permanent: true }],
  [302, {}, { kind: 'redirected', to: null }],
  [302, { location: 'http://[' }, { kind: 'redirected', to: null }],
  [302, { location: 'https://user:pw@example.com/x' }, { kind: 'redirected', to: 'https://example.com/x' }],
  [400, {}, { kind: 'failed', status: 400, retryable: false }],
  [401, {}, { kind: 'failed', retryable: false }],
  [403, {}, { kind: 'failed', retryable: false }],
  [404, {}, { kind: 'not-found', status: 404 }],
  [408, {}, { kind: 'failed', retryable: true }],
  [410, {}, { kind: 'not-found', status: 410 }],
  [425, {}, { kind: 'failed', retryable: true }],
  [429, {}, { kind: 'throttled', retryAfterMs: null }],
  [429, { 'retry-after': '7' }, { kind: 'throttled', retryAfterMs: 7000 }],
  [451, {}, { kind: 'failed', retryable: false }],
  [500, {}, { kind: 'failed', retryable: true }],
  [503, {}, { kind: 'failed', status: 503, retryable: true }],
  [503, { 'retry-after': '7' }, { kind: 'throttled', status: 503, retryAfterMs: 7000 }],
  [502, { 'retry-after': '7' }, { kind: 'throttled', status: 502, retryAfterMs: 7000 }],
  [502, {}, { kind: 'failed', status: 502, retryable: true }],
  [599, {}, { kind: 'failed', retryable: true }],
])('%d %j', async (code, headers, expected) => {
  const outcome = await send(status(code, headers));
  expect(outcome).toMatchObject(expected);
  if (headers['location']?.startsWith('/new')) expect(outcome).toMatchObject({ to: url('/new') });
});

test('a redirect target in UTF-8 is decoded as such', async () => {
  const outcome = await send((_, response) => {
    response.socket?.end(Buffer.from('HTTP/1.1 302 Found\r\nLocation: /é\r\nContent-Length: 0\r\n\r\n'));
  });
  expect(outcome).toMatchObject({ kind: 'redirected', to: url('/%C3%A9') });
});

test('304 keeps the validators that it does not repeat', async () => {
  expect(await send(status(304), { etag: '"a"', lastModified: 'then' })).toMatchObject({
    kind: 'unchanged',
    etag: '"a"',
    lastModified: 'then',
  });
});

test('an aborted call rejects with the reason, at any moment', async () => {
  const reason = new Error('enough');
  await expect(send(never, {}, AbortSignal.abort(reason))).rejects.toBe(reason);

  const beforeHead = new AbortController();
  const waiting = send(never, {}, beforeHead.signal);
  await wait(30);
  beforeHead.abort(reason);
  await expect(waiting).rejects.toBe(reason);

  const inBody = new AbortController();
  const reading = send((_, response) => response.write('some'), {}, inBody.signal);
  await wait(30);
  inBody.abort(reason);
  await expect(reading).rejects.toBe(reason);

  const afterwards = new AbortController();
  expect(await send(status(200), {}, afterwards.signal)).toMatchObject({ kind: 'fetched' });
  afterwards.abort(reason);
});

test('an abort during the DNS lookup rejects immediately, and no request is sent', async () => {
  const later = Promise.withResolvers<readonly string[]>();
  const slow = createHttpFetcher({ userAgent: 't', allowCidrs: ['127.0.0.1/32'], resolve: () => later.promise });
  const controller = new AbortController();
  const before = server.requests.length;
  const pending = slow.fetch({ url: `http://slow.test:${server.port}/` as PageUrl }, controller.signal);
  controller.abort(new Error('enough'));
  await expect(pending).rejects.toThrow('enough');
  later.resolve(['127.0.0.1']);
  await wait(50);
  expect(server.requests).toHaveLength(before);
  await slow.close();
});

test('one connection serves many requests', async () => {
  const before = server.connections();
  for (let i = 0; i < 10; i++) {
    const isFound = i % 2 === 0;
    expect((await send(status(isFound ? 200 : 404))).kind).toBe(isFound ? 'fetched' : 'not-found');
    await wait(5);
  }
  expect(server.connections() - before).toBeLessThanOrEqual(1);
});

test('the endless body of an unneeded response is dropped', async () => {
  const closed = Promise.withResolvers<boolean>();
  const outcome = await send((_, response) => {
    response.writeHead(404);
    const timer = setInterval(() => response.write('x'.repeat(10_000)), 5);
    response.on('close', () => {
      closed.resolve(true);
      clearInterval(timer);
    });
  });
  expect(outcome).toMatchObject({ kind: 'not-found' });
  expect(await Promise.race([closed.promise, wait(3000, false)])).toBe(true);
});

test('closing ends requests in flight, with an outcome', async () => {
  const brief = createHttpFetcher({ userAgent: 't', allowCidrs: ['127.0.0.1/32'] });
  answer = () => undefined;
  const pending = brief.fetch({ url: url() });
  await wait(30);
  await brief.close();
  expect(await pending).toMatchObject({ kind: 'failed', retryable: true });
  expect(await brief.fetch({ url: url() })).toMatchObject({ kind: 'failed' });
});

test('connection refused', async () => {
  const gone = await startCountingServer(() => undefined);
  await gone.close();
  expect(await fetcher.fetch({ url: `http://127.0.0.1:${gone.port}/` as PageUrl })).toMatchObject({
    kind: 'failed',
    code: 'fetch.failed',
    reason: 'connection-refused',
    retryable: true,
  });
});

test('file URLs are not supported by this fetcher', async () => {
  expect(await fetcher.fetch({ url: 'file:///etc/passwd' as PageUrl })).toMatchObject({
    kind: 'failed',
    code: 'fetch.unsupported-scheme',
  });
});

test('a body in HTTP chunks of one byte is refused before it fills the memory (finding N4)', async () => {
  const before = process.memoryUsage();
  const outcome = await send((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'transfer-encoding': 'chunked' }).flushHeaders();
    response.socket?.write('1\r\nx\r\n'.repeat(300_000));
    response.socket?.write('0\r\n\r\n');
  });
  expect(outcome).toMatchObject({ kind: 'failed', code: 'fetch.malformed', reason: 'tiny-chunks', retryable: false });
  expect(process.memoryUsage().external - before.external).toBeLessThan(20_000_000);
});
