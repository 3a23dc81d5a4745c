// The DNS cases of test/data/cases/ssrf-urls.json: what a name resolves to is checked when the connection is made.

import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { proxySettings } from '../../../src/fetch/http/proxy-settings.ts';
import { readCases } from '../../support/read-cases.ts';
import { guardedFetch, PUBLIC, type GuardedFetch, type GuardedFetchOptions } from '../../support/guarded-fetch.ts';
import { wallSlowness } from '../../support/work-time.ts';

interface DnsCase {
  readonly id: string;
  readonly resolver: string;
  readonly url: string;
  readonly expected: string;
  readonly reason: string;
}

const { dns } = readCases('ssrf-urls') as { dns: DnsCase[] };
const open: GuardedFetch[] = [];
const ran = new Set<string>();

const opened = async (options: GuardedFetchOptions): Promise<GuardedFetch> => {
  const guarded = await guardedFetch(options);
  open.push(guarded);
  return guarded;
};

afterEach(async () => {
  await Promise.all(open.splice(0).map((guarded) => guarded.close()));
});

function dnsTest(id: string, run: (one: DnsCase) => Promise<void>): void {
  const one = dns.find((candidate) => candidate.id === id);
  ran.add(id);
  test(`${id}: ${one?.resolver}`, () => run(one!));
}

/** The name resolves to these addresses, so the whole name is blocked. */
function blocked(id: string, addresses: readonly string[], reason?: string): void {
  dnsTest(id, async (one) => {
    const guarded = await opened({ names: { [new URL(one.url).hostname]: addresses } });
    expect(await guarded.send(one.url)).toMatchObject({
      kind: 'failed',
      code: 'fetch.blocked-address',
      reason: reason ?? one.reason.replaceAll('_', '-'),
      retryable: false,
    });
    expect(guarded.dialled).toEqual([]);
    expect(guarded.sentinel.connections()).toBe(0);
  });
}

describe('a name', () => {
  blocked('dns-01', ['127.0.0.1']);
  blocked('dns-02', ['169.254.169.254']);
  blocked('dns-03', [PUBLIC, '10.0.0.5']);
  blocked('dns-04', [PUBLIC, '::1']);
  blocked('dns-05', ['::ffff:10.0.0.1']);
  blocked('dns-06', ['64:ff9b::a9fe:a9fe']);
  // The system follows the alias and returns the address behind it.
  blocked('dns-12', ['169.254.169.254']);
  blocked('dns-14', ['127.0.0.1']);
  blocked('dns-15', ['127.0.0.1']);

  dnsTest('dns-07', async ({ url }) => {
    let lookups = 0;
    const guarded = await opened({ resolve: async () => (lookups++ === 0 ? [PUBLIC] : ['127.0.0.1']) });
    expect(await guarded.send(url)).toMatchObject({ kind: 'fetched' });
    expect(guarded.dialled.map(({ address }) => address)).toEqual([PUBLIC]);
    expect(lookups).toBe(1);
  });

  dnsTest('dns-08', async ({ url }) => {
    let answer = PUBLIC;
    const guarded = await opened({
      resolve: async () => [answer],
      answer: (request, response) => {
        if (request.url === '/close') response.setHeader('connection', 'close');
        response.end('x');
      },
    });
    expect(await guarded.send('http://rebind-conn.test/a')).toMatchObject({ kind: 'fetched' });
    answer = '10.0.0.1';
    await freeSocket();
    // The open socket stays with the checked address; no new one is opened.
    expect(await guarded.send(url)).toMatchObject({ kind: 'fetched' });
    await freeSocket();
    expect(await guarded.send('http://rebind-conn.test/close')).toMatchObject({ kind: 'fetched' });
    expect(guarded.dialled).toHaveLength(1);
    // The next socket is checked again.
    expect(await guarded.send(url)).toMatchObject({ kind: 'failed', code: 'fetch.blocked-address', reason: 'private' });
    expect(guarded.dialled).toHaveLength(1);
  });

  dnsTest('dns-09', async ({ url }) => {
    const never = Promise.withResolvers<readonly string[]>();
    const guarded = await opened({ resolve: () => never.promise, dnsTimeoutMs: 100 });
    const startedMs = performance.now();
    expect(await guarded.send(url)).toMatchObject({
      kind: 'failed',
      code: 'fetch.timeout',
      reason: 'dns-timeout',
      retryable: true,
    });
    expect(performance.now() - startedMs).toBeLessThan(2000 * wallSlowness());
    never.resolve([]);
  });

  dnsTest('dns-10', async ({ url }) => {
    const guarded = await opened({ resolve: async () => [] });
    expect(await guarded.send(url)).toMatchObject({ kind: 'failed', code: 'fetch.failed', reason: 'dns-no-address' });
  });

  dnsTest('dns-11', async ({ url }) => {
    const many = Array.from({ length: 4000 }, (_, i) => `93.184.${i >> 8}.${i & 255}`);
    const fine = await opened({ resolve: async () => many });
    expect(await fine.send(url)).toMatchObject({ kind: 'fetched' });
    const bad = await opened({ resolve: async () => many.with(31, '10.0.0.1') });
    expect(await bad.send(url)).toMatchObject({ kind: 'failed', reason: 'private' });
    expect(bad.dialled).toEqual([]);
    // Addresses after the thirty-second are neither checked nor used.
    const late = await opened({ resolve: async () => many.with(32, '10.0.0.1') });
    expect(await late.send(url)).toMatchObject({ kind: 'fetched' });
    expect(late.dialled.map(({ address }) => address)).not.toContain('10.0.0.1');
  });

  dnsTest('dns-13', async ({ url }) => {
    const loop = Object.assign(new Error('loop'), { code: 'ESERVFAIL' });
    const guarded = await opened({ resolve: () => Promise.reject(loop) });
    expect(await guarded.send(url)).toMatchObject({ kind: 'failed', code: 'fetch.failed', reason: 'dns-error' });
    expect(guarded.dialled).toEqual([]);
  });

  dnsTest('dns-16', async ({ url }) => {
    const proxy = await connectProxy();
    const guarded = await opened({
      resolve: () => Promise.reject(Object.assign(new Error('no DNS here'), { code: 'EAI_AGAIN' })),
      proxies: proxySettings({ https_proxy: `http://127.0.0.1:${proxy.port}` }),
    });
    // The proxy refuses to continue; what counts is what it was asked to connect to.
    await guarded.send(url);
    expect(proxy.targets).toEqual(['docs.example.com:443']);
    for (const inner of ['https://wiki.internal/', 'https://intranet/', 'https://metadata.google.internal/']) {
      expect(await guarded.send(inner)).toMatchObject({ kind: 'failed', code: 'fetch.blocked-address' });
    }
    expect(proxy.targets).toHaveLength(1);
    await proxy.close();
  });

  test('each case is run', () => expect([...ran].toSorted()).toEqual(dns.map(({ id }) => id)));
});

/** The client reuses a socket one tick after the response. */
const freeSocket = (): Promise<void> => wait(20);

interface ConnectProxy {
  readonly port: number;
  readonly targets: string[];
  close(): Promise<void>;
}

/** Records what it is asked to connect to, and refuses. */
async function connectProxy(): Promise<ConnectProxy> {
  const targets: string[] = [];
  const server = createServer();
  server.on('connect', (request, socket) => {
    targets.push(request.url ?? '');
    socket.end('HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n');
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  return {
    port: (server.address() as AddressInfo).port,
    targets,
    async close() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

test('the next checked address is tried when the first does not respond', async () => {
  const guarded = await opened({
    names: { 'two.test': ['93.184.215.1', '93.184.215.2'] },
    dial(target, callback) {
      if (target.hostname === '93.184.215.1') {
        callback(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), null);
        return;
      }
      const socket = connect({ host: '127.0.0.1', port: open[0]!.site.port });
      socket.once('connect', () => callback(null, socket));
    },
  });
  expect(await guarded.send('http://two.test/')).toMatchObject({ kind: 'fetched' });
});
