// The behaviours of test/data/cases/hostile-server.json that need TLS or HTTP/2, and a certificate authority of the
// operator.

import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates, type Server } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PageUrl } from '../../../src/core/model/page-url.ts';
import { createHttpFetcher } from '../../../src/fetch/http/http-fetcher.ts';
import type { FetchOutcome } from '../../../src/fetch/port.ts';
import { selfSigned, type TestCertificate } from '../../support/certificate.ts';
import { readCases } from '../../support/read-cases.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const { behaviours } = readCases('hostile-server') as { behaviours: Array<{ id: string; name: string }> };
const nameOf = (id: string): string => `${id}: ${behaviours.find((one) => one.id === id)?.name}`;

const DAY_MS = 86_400_000;
const valid = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + DAY_MS) };
const good = selfSigned({ names: ['chaos.test', '127.0.0.1'], ...valid });
const wrongHost = selfSigned({ names: ['other.test'], ...valid });
const unknown = selfSigned({ names: ['chaos.test'], ...valid });
const expired = selfSigned({
  names: ['chaos.test'],
  notBefore: new Date(Date.now() - 20 * DAY_MS),
  notAfter: new Date(Date.now() - 10 * DAY_MS),
});

const open: Array<Server | Http2SecureServer> = [];
const usual = getCACertificates();

// Expired and misnamed ones are trusted, so that nothing but their fault can reject them.
beforeAll(() => setDefaultCACertificates([...usual, good.cert, wrongHost.cert, expired.cert]));
afterAll(() => setDefaultCACertificates(usual));
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function listen(server: Server | Http2SecureServer): Promise<number> {
  open.push(server);
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  return (server.address() as AddressInfo).port;
}

const httpsServer = (certificate: TestCertificate): Promise<number> =>
  listen(createServer(certificate, (_, response) => response.end('over TLS')));

async function send(port: number, paths: readonly string[] = ['/']): Promise<FetchOutcome[]> {
  const fetcher = createHttpFetcher({
    userAgent: 'pinakes-test',
    allowCidrs: ['127.0.0.1/32'],
    headerTimeoutMs: 3000,
    resolve: async () => ['127.0.0.1'],
  });
  const outcomes: FetchOutcome[] = [];
  for (const path of paths) outcomes.push(await fetcher.fetch({ url: `https://chaos.test:${port}${path}` as PageUrl }));
  await fetcher.close();
  return outcomes;
}

const distrusted = { kind: 'failed', code: 'fetch.tls', retryable: false };

describe('certificates', () => {
  test('a valid one is accepted, although the socket connects to an IP address', async () => {
    expect(await send(await httpsServer(good))).toMatchObject([{ kind: 'fetched', status: 200 }]);
  });
  test(nameOf('srv-49'), async () => {
    expect(await send(await httpsServer(expired))).toMatchObject([{ ...distrusted, reason: 'CERT_HAS_EXPIRED' }]);
  });
  test(nameOf('srv-50'), async () => {
    const outcomes = await send(await httpsServer(wrongHost));
    expect(outcomes).toMatchObject([{ ...distrusted, reason: 'ERR_TLS_CERT_ALTNAME_INVALID' }]);
  });
  test(nameOf('srv-51'), async () => {
    const outcomes = await send(await httpsServer(unknown));
    expect(outcomes).toMatchObject([{ ...distrusted, reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' }]);
  });

  test('a certificate authority named by NODE_EXTRA_CA_CERTS is trusted', async () => {
    const folder = temporaryDirectory();
    const file = join(folder, 'ca.pem');
    writeFileSync(file, unknown.cert);
    const port = await httpsServer(unknown);
    const script = `
      const { createHttpFetcher } = await import(${JSON.stringify(new URL('../../../src/fetch/http/http-fetcher.ts', import.meta.url).href)});
      const fetcher = createHttpFetcher({ userAgent: 't', allowCidrs: ['127.0.0.1/32'], resolve: async () => ['127.0.0.1'] });
      const outcome = await fetcher.fetch({ url: 'https://chaos.test:${port}/' });
      await fetcher.close();
      process.stdout.write(outcome.kind + ' ' + (outcome.reason ?? ''));`;
    const run = async (env: NodeJS.ProcessEnv): Promise<string> => {
      const args = ['--input-type=module', '-e', script];
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        env: { PATH: process.env['PATH'], ...env },
      });
      return stdout;
    };
    expect(await run({ NODE_EXTRA_CA_CERTS: file })).toContain('fetched');
    expect(await run({})).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    rmSync(folder, { recursive: true });
  });
});

describe('HTTP/2, which is never used', () => {
  test(nameOf('srv-52'), async () => {
    const seen: string[] = [];
    const server = createSecureServer({ ...good, allowHTTP1: true });
    server.on('request', (request, response) => {
      seen.push(`${request.httpVersion} ${request.url}`);
      response.end(`page ${request.url}`);
    });
    server.on('session', (session) => session.goaway());
    const paths = ['/a', '/b', '/c', '/d', '/e'];
    const outcomes = await send(await listen(server), paths);
    expect(outcomes.map(({ kind }) => kind)).toEqual(paths.map(() => 'fetched'));
    expect(seen).toEqual(paths.map((path) => `1.1 ${path}`));
  });
  test(nameOf('srv-53'), async () => {
    const server = createSecureServer({ ...good, settings: { initialWindowSize: 0 } });
    let sessions = 0;
    server.on('session', () => sessions++);
    server.on('unknownProtocol', (socket) => socket.destroy());
    const [outcome] = await send(await listen(server));
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(sessions).toBe(0);
  });
});
