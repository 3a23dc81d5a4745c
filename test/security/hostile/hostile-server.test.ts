// The behaviours of test/data/cases/hostile-server.json: what the fetcher must do when a server behaves this way. How a
// crawl handles them is in test/security/hostile/hostile-server-crawl.test.ts.

import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { buildConnector } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageUrl } from '../../../src/core/model/page-url.ts';
import { createHttpFetcher, type HttpFetcherOptions } from '../../../src/fetch/http/http-fetcher.ts';
import type { Fetcher, FetchOutcome, FetchRequest } from '../../../src/fetch/port.ts';
import { startChaosServer, type ChaosServer } from '../../support/chaos-server.ts';
import { startCountingServer, type CountingServer } from '../../support/counting-server.ts';
import { startUnresponsiveServer } from '../../support/unresponsive-server.ts';
import { readCases } from '../../support/read-cases.ts';
import { wallSlowness } from '../../support/work-time.ts';

interface HostileCase {
  readonly id: string;
  readonly name: string;
  readonly expected: string;
}

const { behaviours } = readCases('hostile-server') as { behaviours: HostileCase[] };

const MAX_BODY = 1_048_576;
const LIMITS = {
  connectTimeoutMs: 600,
  headerTimeoutMs: 800,
  idleTimeoutMs: 600,
  timeoutMs: 4000,
  rateWindowMs: 400,
  maxBodyBytes: MAX_BODY,
} as const;

let server: ChaosServer;
let sentinel: CountingServer;
let fetcher: Fetcher;
const sockets: Socket[] = [];
const ran = new Set<string>();

const fetcherWith = (options: Partial<HttpFetcherOptions> = {}): Fetcher => {
  const real = buildConnector({ timeout: LIMITS.connectTimeoutMs, allowH2: false });
  return createHttpFetcher({
    userAgent: 'pinakes-test',
    allowCidrs: ['127.0.0.1/32'],
    ...LIMITS,
    dial: (target, callback) =>
      real(target, (...result) => {
        if (result[0] === null) sockets.push(result[1]);
        callback(...result);
      }),
    ...options,
  });
};

const send = (id: string, path = '', request: Partial<FetchRequest> = {}): Promise<FetchOutcome> =>
  fetcher.fetch({ ...request, url: server.url(id, path) as PageUrl });

beforeAll(async () => {
  sentinel = await startCountingServer((_, response) => response.end('secret'), '127.0.0.2');
  server = await startChaosServer({ sentinelPort: sentinel.port, secondMs: 40 });
  fetcher = fetcherWith();
});

afterAll(async () => {
  await fetcher.close();
  expect(sentinel.connections()).toBe(0);
  await Promise.all([server.close(), sentinel.close()]);
});

function srvTest(id: string, run: () => Promise<void>): void {
  const one = behaviours.find((candidate) => candidate.id === id);
  ran.add(id);
  test(`${id}: ${one?.name}`, async () => {
    sockets.length = 0;
    await run();
    // No response costs more than the cap and what was in flight when it was reached.
    for (const socket of sockets) expect(socket.bytesRead).toBeLessThan(MAX_BODY + 65_536 * 3);
  });
}

function fails(id: string, expected: Partial<Extract<FetchOutcome, { kind: 'failed' }>>, path = ''): void {
  srvTest(id, async () => {
    const outcome = await send(id, path);
    expect(outcome).toMatchObject({ kind: 'failed', ...expected });
    expect(outcome).not.toHaveProperty('body');
    // A socket with such a response is never reused. The encoded ones came over it completely.
    if (outcome.kind === 'failed' && outcome.reason !== 'incomplete-body' && !outcome.reason.includes('encoding')) {
      await expectSocketsClosed();
    }
  });
}

/** A page that the fetcher simply returns, and what it must contain. */
function brings(id: string, contains: string, path = ''): void {
  srvTest(id, async () => {
    const outcome = await send(id, path);
    expect(outcome).toMatchObject({ kind: 'fetched', status: 200 });
    expect(textOf(outcome)).toContain(contains);
  });
}

const textOf = (outcome: FetchOutcome): string =>
  outcome.kind === 'fetched' ? Buffer.from(outcome.body).toString('utf8') : '';

const waits = async (id: string, low: number, high: number): Promise<void> => {
  const outcome = await send(id);
  expect(outcome).toMatchObject({ kind: 'throttled', status: 429 });
  const waitMs = outcome.kind === 'throttled' ? outcome.retryAfterMs : null;
  expect(waitMs).toBeGreaterThanOrEqual(low);
  expect(waitMs).toBeLessThanOrEqual(high);
};

async function expectSocketsClosed(): Promise<void> {
  for (let waited = 0; waited < 40 && sockets.some((socket) => !socket.destroyed); waited++) await wait(50);
  expect(sockets.filter((socket) => !socket.destroyed)).toHaveLength(0);
}

describe('[F5] slow and broken responses', () => {
  fails('srv-01', { code: 'fetch.timeout', reason: 'header-timeout', retryable: true });
  fails('srv-02', { code: 'fetch.timeout', reason: 'too-slow', retryable: true });
  fails('srv-03', { code: 'fetch.timeout', reason: 'idle-timeout', retryable: true });
  srvTest('srv-04', async () => {
    const deaf = await startUnresponsiveServer();
    const startedMs = performance.now();
    const outcome = await fetcher.fetch({ url: `http://127.0.0.1:${deaf.port}/` as PageUrl });
    expect(outcome).toMatchObject({ kind: 'failed', code: 'fetch.timeout', retryable: true });
    expect(performance.now() - startedMs).toBeLessThan(3000 * wallSlowness());
    await deaf.close();
  });
  fails('srv-05', { retryable: true });
  fails('srv-06', { retryable: true });
  fails('srv-07', { code: 'fetch.incomplete', retryable: true });
  srvTest('srv-08', async () => {
    const outcome = await send('srv-08');
    expect(textOf(outcome)).toBe('0123456789');
    await expectSocketsClosed();
    // Nothing of the rest reaches the next response.
    expect(textOf(await send('srv-54', '/after'))).toBe('/srv-54/after');
  });
  fails('srv-09', { code: 'fetch.malformed', retryable: false });
  srvTest('srv-10', async () => {
    const outcome = await send('srv-10');
    if (outcome.kind === 'fetched') expect(textOf(outcome)).toBe('abcd');
    else expect(outcome).toMatchObject({ kind: 'failed', code: 'fetch.malformed' });
    await expectSocketsClosed();
  });
  fails('srv-11', {});
  fails('srv-12', { code: 'fetch.too-large', retryable: false });
  fails('srv-13', { code: 'fetch.malformed', reason: 'headers-too-large', retryable: false });
  fails('srv-14', { code: 'fetch.malformed', reason: 'headers-too-large', retryable: false });
  fails('srv-59', { retryable: true });
  fails('srv-60', { code: 'fetch.malformed', reason: 'headers-too-large', retryable: false });
});

describe('[F5] encoded responses', () => {
  for (const id of ['srv-15', 'srv-16', 'srv-17']) {
    srvTest(id, async () => {
      const bomb = fetcherWith({ maxBodyBytes: 10_485_760 });
      await send(id, '', { cutAtBytes: 10 });
      const before = process.memoryUsage().rss;
      expect(await bomb.fetch({ url: server.url(id) as PageUrl })).toMatchObject({
        kind: 'failed',
        code: 'fetch.too-large',
        retryable: false,
      });
      expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1_048_576);
      await bomb.close();
    });
  }
  fails('srv-18', { code: 'fetch.malformed', reason: 'unsupported-encoding', retryable: false });
  srvTest('srv-19', async () => {
    expect(textOf(await send('srv-19'))).toContain('packed');
    // The server needs a while to generate it.
    await send('srv-19', '/bomb');
    expect(await send('srv-19', '/bomb')).toMatchObject({ kind: 'failed', code: 'fetch.too-large' });
  });
  fails('srv-20', { code: 'fetch.incomplete', reason: 'incomplete-body', retryable: true });
  srvTest('srv-21', async () => {
    expect(textOf(await send('srv-21'))).toContain('not packed');
    expect(await send('srv-21', '/binary')).toMatchObject({ kind: 'failed', code: 'fetch.malformed' });
  });
  fails('srv-22', { code: 'fetch.malformed', reason: 'unsupported-encoding', retryable: false });
  fails('srv-23', { code: 'fetch.too-large' });
  brings('srv-24', 'does not exist');
  srvTest('srv-58', async () => {
    const cutAtBytes = 500_000;
    const outcome = await send('srv-58', '', { cutAtBytes });
    expect(outcome).toMatchObject({ kind: 'fetched', truncated: true });
    expect(textOf(outcome)).toContain('<loc>https://x.dev/7919</loc>');
    expect(outcome.kind === 'fetched' && outcome.body.length).toBe(cutAtBytes);
    expect(await send('srv-58')).toMatchObject({ kind: 'failed', code: 'fetch.too-large' });
  });
});

describe('redirects', () => {
  srvTest('srv-25', async () => {
    expect(await send('srv-25', '/a')).toMatchObject({ kind: 'redirected', to: server.url('srv-25', '/b') });
    expect(await send('srv-25', '/b')).toMatchObject({ kind: 'redirected', to: server.url('srv-25', '/a') });
  });
  srvTest('srv-26', async () => {
    const before = server.requests.length;
    expect(await send('srv-26', '/0')).toMatchObject({ kind: 'redirected', to: server.url('srv-26', '/1') });
    expect(server.requests.length - before).toBe(1);
  });
  srvTest('srv-27', async () => {
    const outcome = await send('srv-27');
    expect(outcome).toMatchObject({ kind: 'redirected' });
    const to = outcome.kind === 'redirected' ? outcome.to : null;
    expect(await fetcher.fetch({ url: to! })).toMatchObject({ kind: 'failed', reason: 'loopback' });
    expect(sentinel.connections()).toBe(0);
  });
  srvTest('srv-28', async () => {
    let outcome = await send('srv-28');
    let hops = 0;
    while (outcome.kind === 'redirected' && outcome.to !== null) {
      outcome = await fetcher.fetch({ url: outcome.to });
      hops++;
    }
    // The URL exceeds 8 KiB before redirects have to be counted.
    expect(outcome).toMatchObject({ kind: 'redirected', to: null });
    expect(hops).toBeLessThan(13);
  });
});

describe('unusual responses', () => {
  srvTest('srv-29', async () => {
    expect(await send('srv-29')).toMatchObject({ kind: 'failed', code: 'fetch.malformed' });
    expect(await send('srv-29', '/next')).toMatchObject({ kind: 'fetched' });
    expect(server.requests.at(-1)?.headers.toLowerCase()).not.toContain('cookie');
  });
  brings('srv-30', 'sid=');

  srvTest('srv-31', () => waits('srv-31', 30_000, 30_000));
  srvTest('srv-32', () => waits('srv-32', 115_000, 120_000));
  srvTest('srv-33', () => waits('srv-33', 3_600_000, 3_600_000));
  srvTest('srv-61', () => waits('srv-61', 5000, 5000));

  srvTest('srv-34', async () => {
    for (let i = 0; i < 10; i++) {
      expect(await send('srv-34')).toMatchObject({
        kind: 'failed',
        code: 'fetch.status',
        status: 503,
        retryable: true,
      });
    }
    expect(await send('srv-34')).toMatchObject({ kind: 'fetched' });
  });
  srvTest('srv-35', async () => {
    const outcomes = [];
    for (let i = 0; i < 20; i++) outcomes.push(await send('srv-35', `/${i}`));
    expect(outcomes.filter(({ kind }) => kind === 'fetched')).toHaveLength(12);
    for (const outcome of outcomes) {
      if (outcome.kind !== 'fetched') expect(outcome).toMatchObject({ kind: 'failed', retryable: true });
    }
  });
  srvTest('srv-36', async () => {
    expect(textOf(await send('srv-36'))).toContain('long text');
    expect(textOf(await send('srv-36'))).toContain('unavailable');
  });
  srvTest('srv-37', async () => {
    for (let i = 0; i < 3; i++) expect(await send('srv-37')).toMatchObject({ kind: 'fetched' });
    expect(await send('srv-37')).toMatchObject({ kind: 'not-found', status: 404 });
  });
  srvTest('srv-38', async () => {
    expect(await send('srv-38')).toMatchObject({ kind: 'failed', reason: 'not-modified-unasked', retryable: true });
    expect(await send('srv-38', '', { etag: '"known"' })).toMatchObject({ kind: 'unchanged', etag: '"never"' });
  });
  srvTest('srv-39', async () => {
    const first = await send('srv-39');
    const second = await send('srv-39', '', { etag: '"same"' });
    expect(second).toMatchObject({ kind: 'fetched', etag: '"same"' });
    expect(textOf(second)).not.toBe(textOf(first));
  });
  srvTest('srv-40', async () => {
    expect(await send('srv-40')).toMatchObject({ kind: 'fetched', lastModified: 'Fri, 31 Dec 2099 23:59:59 GMT' });
  });
  srvTest('srv-54', async () => {
    for (let i = 0; i < 20; i++) {
      const path = i % 2 === 0 ? '/two' : `/honest-${i}`;
      const outcome = await send('srv-54', path);
      if (outcome.kind === 'fetched') expect(textOf(outcome)).toBe(`/srv-54${path}`);
      else expect(outcome).toMatchObject({ kind: 'failed', retryable: true });
      if (i % 3 === 0) await wait(10);
    }
  });
  srvTest('srv-55', async () => {
    expect(await send('srv-55', '/location')).toMatchObject({ kind: 'failed', code: 'fetch.malformed' });
    expect(await send('srv-55', '/type')).toMatchObject({ kind: 'failed', code: 'fetch.malformed' });
  });
  srvTest('srv-56', async () => {
    expect(await send('srv-56')).toMatchObject({ kind: 'fetched', mediaType: 'text/html; charset=\u00ff' });
  });
  srvTest('srv-57', async () => {
    const [robots, other] = await Promise.all([send('srv-57', '/robots.txt'), send('srv-57', '/page')]);
    expect(robots).toMatchObject({ kind: 'failed', code: 'fetch.timeout', reason: 'header-timeout', retryable: true });
    expect(other).toMatchObject({ kind: 'fetched' });
  });
});

describe('traps, of which the fetcher sees one page at a time', () => {
  brings('srv-41', '/srv-41?d=6', '?d=5');
  brings('srv-42', './b/', '/a/b/');
  brings('srv-43', 'f0=1', '?f1=1');
  brings('srv-44', '/srv-44/');
  brings('srv-45', '.trap.test');
  srvTest('srv-46', async () => {
    const outcome = await send('srv-46');
    expect(outcome).toMatchObject({ kind: 'failed', code: 'fetch.timeout', reason: 'header-timeout' });
  });
  brings('srv-47', '/srv-47/PAGE', '/');
  brings('srv-48', 'index.html', '/');
});

// The certificates and HTTP/2 are in hostile-tls.test.ts.
const TLS = ['srv-49', 'srv-50', 'srv-51', 'srv-52', 'srv-53'];

test('each behaviour is covered', () => {
  expect([...ran, ...TLS].toSorted()).toEqual(behaviours.map(({ id }) => id));
});
