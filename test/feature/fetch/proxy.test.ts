// Through the operator's proxy: the target is checked before the proxy learns of it.

import { createServer, request as send } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PageUrl } from '../../../src/core/model/page-url.ts';
import { createHttpFetcher } from '../../../src/fetch/http/http-fetcher.ts';
import type { FetchOutcome } from '../../../src/fetch/port.ts';
import type { ProxyTarget } from '../../../src/fetch/http/proxied-dispatch.ts';
import { proxySettings } from '../../../src/fetch/http/proxy-settings.ts';
import { startCountingServer, type CountingServer } from '../../support/counting-server.ts';

let site: CountingServer;
let proxy: { readonly port: number; readonly heard: string[]; close(): void };

beforeEach(async () => {
  site = await startCountingServer((request, response) => response.end(`${request.headers.host} ${request.url}`));
  proxy = await forwardProxy(() => site.port);
});
afterEach(async () => {
  proxy.close();
  await site.close();
});

/** Whatever is requested comes from the site: no name is looked up, nothing leaves the machine. */
async function forwardProxy(sitePort: () => number): Promise<typeof proxy> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    const path = new URL(request.url ?? '/').pathname;
    const headers = { host: request.headers.host ?? '' };
    send({ host: '127.0.0.1', port: sitePort(), path, headers }, (answer) => answer.pipe(response)).end();
  });
  server.on('connect', (request, socket) => {
    heard.push(`CONNECT ${request.url}`);
    const onward = connect({ host: '127.0.0.1', port: sitePort() }, () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  return {
    port: (server.address() as AddressInfo).port,
    heard,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function fetchAll(
  urls: readonly string[],
  names: Readonly<Record<string, string>>,
  env: Record<string, string> = {},
  proxyTarget: ProxyTarget = 'name',
): Promise<FetchOutcome[]> {
  const dialled: string[] = [];
  const fetcher = createHttpFetcher({
    userAgent: 't',
    allowCidrs: [],
    headerTimeoutMs: 3000,
    proxyTarget,
    proxies: proxySettings({
      http_proxy: `http://user:p%40ss@127.0.0.1:${proxy.port}`,
      https_proxy: `http://127.0.0.1:${proxy.port}`,
      ...env,
    }),
    resolve: async (name) => (names[name] === undefined ? [] : [names[name]]),
    dial(target, callback) {
      dialled.push(target.hostname);
      callback(Object.assign(new Error('nothing is dialled directly'), { code: 'ECONNREFUSED' }), null);
    },
  });
  const outcomes: FetchOutcome[] = [];
  for (const url of urls) outcomes.push(await fetcher.fetch({ url: url as PageUrl }));
  await fetcher.close();
  return outcomes;
}

const PUBLIC = '93.184.215.14';

test('[F9] a plain page is requested from the proxy by its full URL, with credentials', async () => {
  const [outcome] = await fetchAll(['http://docs.test/guide'], { 'docs.test': PUBLIC });
  expect(outcome).toMatchObject({ kind: 'fetched' });
  expect(proxy.heard).toEqual([`GET http://docs.test/guide Basic ${btoa('user:p@ss')}`]);
  expect(site.requests).toHaveLength(1);
  expect(site.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
});

test('a page over TLS is requested through a tunnel, by name', async () => {
  // The site does not speak TLS, so the handshake fails: what counts is where the tunnel leads.
  const [outcome] = await fetchAll(['https://docs.test/guide'], { 'docs.test': PUBLIC });
  expect(outcome).toMatchObject({ kind: 'failed' });
  expect(proxy.heard[0]).toBe('CONNECT docs.test:443');
});

test('a blocked target is refused before the proxy learns of it', async () => {
  const urls = [
    'http://10.0.0.5/',
    'https://10.0.0.5/',
    'http://inner.test/',
    'https://inner.test/',
    'http://localhost/',
    'http://169.254.169.254/',
    'http://wiki.internal/',
    'http://docs.test:6379/',
  ];
  const outcomes = await fetchAll(urls, { 'inner.test': '192.168.1.1', 'docs.test': PUBLIC });
  for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: 'failed', code: 'fetch.blocked-address' });
  expect(proxy.heard).toEqual([]);
});

test('a name that only the proxy can resolve is passed to it', async () => {
  const [outcome] = await fetchAll(['http://unknown.test/a'], {});
  expect(outcome).toMatchObject({ kind: 'fetched' });
});

test('an exception is fetched directly, through the guard', async () => {
  const [direct, proxied] = await fetchAll(
    ['http://direct.test/', 'http://docs.test/'],
    { 'direct.test': PUBLIC, 'docs.test': PUBLIC },
    { no_proxy: 'direct.test' },
  );
  expect(direct).toMatchObject({ kind: 'failed', reason: 'connection-refused' });
  expect(proxied).toMatchObject({ kind: 'fetched' });
  expect(proxy.heard).toHaveLength(1);
});

test('an unresponsive proxy is a retryable failure', async () => {
  proxy.close();
  const [outcome] = await fetchAll(['http://docs.test/'], { 'docs.test': PUBLIC });
  expect(outcome).toMatchObject({ kind: 'failed', retryable: true });
});

test('fetch.proxyTarget refuses names that do not resolve here (finding N13)', async () => {
  for (const target of ['resolved', 'address'] as const) {
    const [unknown, known] = await fetchAll(
      ['http://vault.corp.example/', 'http://docs.test/guide'],
      { 'docs.test': PUBLIC },
      {},
      target,
    );
    expect(unknown).toMatchObject({ kind: 'failed', reason: 'dns-no-address', retryable: false });
    expect(known).toMatchObject({ kind: 'fetched' });
  }
  expect(proxy.heard).toHaveLength(2);
  expect(proxy.heard.join()).not.toContain('vault');
});

test('fetch.proxyTarget sends the checked address, over http and TLS (finding N13)', async () => {
  const urls = ['http://docs.test/guide', 'https://docs.test/guide', 'https://six.test:8443/', 'http://inner.test/'];
  const names = { 'docs.test': PUBLIC, 'six.test': '2606:2800:220:1::1', 'inner.test': '192.168.1.1' };
  const [plain, tls, , inner] = await fetchAll(urls, names, {}, 'address');
  expect(plain).toMatchObject({ kind: 'fetched' });
  expect(site.requests[0]).toMatchObject({ url: '/guide', headers: { host: 'docs.test' } });
  // The site does not speak TLS, so the handshake fails: what counts is where the tunnel leads.
  expect(tls).toMatchObject({ kind: 'failed' });
  expect(inner).toMatchObject({ kind: 'failed', code: 'fetch.blocked-address' });
  expect(proxy.heard).toEqual([`CONNECT ${PUBLIC}:80`, `CONNECT ${PUBLIC}:443`, 'CONNECT [2606:2800:220:1::1]:8443']);
});
