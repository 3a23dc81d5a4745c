// The redirect cases of test/data/cases/ssrf-urls.json. The fetcher never follows: it returns the target, and the caller
// sends a new request. `hop` is what the crawl does with one redirect; how a whole crawl handles them is in
// ssrf-crawl.test.ts.

import type { RequestListener } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { FetchOutcome } from '../../../src/fetch/port.ts';
import { readCases } from '../../support/read-cases.ts';
import { guardedFetch, PUBLIC, type GuardedFetch, type GuardedFetchOptions } from '../../support/guarded-fetch.ts';

interface RedirectCase {
  readonly id: string;
  readonly server_behaviour: string;
  readonly expected: string;
  readonly reason: string;
}

const { redirect } = readCases('ssrf-urls') as { redirect: RedirectCase[] };
const open: GuardedFetch[] = [];
const ran = new Set<string>();

const START = 'http://site.test/start';

async function withSite(answer: RequestListener, options: GuardedFetchOptions = {}): Promise<GuardedFetch> {
  const guarded = await guardedFetch({ answer, names: { 'site.test': [PUBLIC], 'other.test': [PUBLIC] }, ...options });
  open.push(guarded);
  return guarded;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((guarded) => guarded.close()));
});

function redirTest(id: string, run: (one: RedirectCase) => Promise<void>): void {
  const one = redirect.find((candidate) => candidate.id === id);
  ran.add(id);
  test(`${id}: ${one?.server_behaviour}`, () => run(one!));
}

const to =
  (location: string | string[], status = 302): RequestListener =>
  (_, response) => {
    response.statusCode = status;
    response.setHeader('location', location);
    response.end();
  };

async function hop(guarded: GuardedFetch, from: FetchOutcome): Promise<FetchOutcome> {
  if (from.kind !== 'redirected' || from.to === null) throw new Error(`no redirect to follow: ${JSON.stringify(from)}`);
  return guarded.send(from.to);
}

function blockedAtTheNextHop(id: string, location: string, reason: string): void {
  redirTest(id, async () => {
    const guarded = await withSite((request, response) =>
      to(location.replace('PORT', String(guarded.sentinel.port)))(request, response),
    );
    const outcome = await hop(guarded, await guarded.send(START));
    expect(outcome).toMatchObject({ kind: 'failed', code: 'fetch.blocked-address', reason, retryable: false });
    expect(guarded.dialled.map(({ address }) => address)).toEqual([PUBLIC]);
    expect(guarded.sentinel.connections()).toBe(0);
  });
}

function noTarget(id: string, location: string, status: number): void {
  redirTest(id, async () => {
    const guarded = await withSite(to(location, status));
    expect(await guarded.send(START)).toMatchObject({ kind: 'redirected', status, to: null });
  });
}

describe('a redirect', () => {
  blockedAtTheNextHop('redir-01', 'http://127.0.0.1:PORT/secret', 'loopback');
  blockedAtTheNextHop('redir-02', 'http://169.254.169.254/latest/meta-data/', 'metadata');
  noTarget('redir-03', 'file:///etc/passwd', 307);
  noTarget('redir-04', 'data:text/html,<b>x</b>', 302);
  blockedAtTheNextHop('redir-07', '//127.0.0.1/', 'loopback');
  blockedAtTheNextHop('redir-08', '\\\\127.0.0.1\\', 'loopback');
  blockedAtTheNextHop('redir-09', 'http://127.0.0.1:80\\@good.example/', 'loopback');

  redirTest('redir-05', async () => {
    const guarded = await withSite((request, response) => {
      const nth = Number(new URL(request.url ?? '/', 'http://site.test').searchParams.get('n') ?? 0);
      to(nth < 10 ? `/start?n=${nth + 1}` : `http://127.0.0.1:${guarded.sentinel.port}/`)(request, response);
    });
    let outcome = await guarded.send(START);
    let hops = 0;
    while (outcome.kind === 'redirected') {
      outcome = await hop(guarded, outcome);
      hops++;
    }
    expect(hops).toBe(11);
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'loopback' });
    expect(guarded.sentinel.connections()).toBe(0);
  });

  redirTest('redir-06', async () => {
    const guarded = await withSite((request, response) => to(request.url === '/a' ? '/b' : '/a')(request, response));
    const first = await guarded.send('http://site.test/a');
    expect(first).toMatchObject({ kind: 'redirected', to: 'http://site.test/b' });
    expect(await hop(guarded, first)).toMatchObject({ kind: 'redirected', to: 'http://site.test/a' });
    expect(guarded.site.requests).toHaveLength(2);
  });

  redirTest('redir-10', async () => {
    const guarded = await withSite(to(''));
    expect(await guarded.send(START)).toMatchObject({ kind: 'redirected', to: START });
  });

  redirTest('redir-11', async () => {
    const guarded = await withSite(to(['http://other.test/', 'http://127.0.0.1/']));
    expect(await guarded.send(START)).toMatchObject({ kind: 'redirected', to: null });
    expect(guarded.dialled).toHaveLength(1);
  });

  redirTest('redir-12', async () => {
    const raw = await rawServer('HTTP/1.1 302 Found\r\nLocation: /a\rX-Injected: 1\r\nContent-Length: 0\r\n\r\n');
    const guarded = await withSite(to('/'), { dial: (_, callback) => raw.dial(callback) });
    const outcome = await guarded.send(START);
    expect(outcome).toMatchObject({ kind: 'failed', code: 'fetch.malformed' });
    expect(raw.requests()).toBe(1);
    await raw.close();
  });

  redirTest('redir-13', async () => {
    const guarded = await withSite(to('http://site.test/plain'));
    const outcome = await guarded.send('https://site.test/start', {
      headers: { authorization: 'Bearer t', cookie: 'a=b' },
    });
    expect(outcome).toMatchObject({ kind: 'redirected', to: 'http://site.test/plain' });
    await hop(guarded, outcome);
    expectNoCredentials(guarded);
  });

  redirTest('redir-14', async () => {
    const guarded = await withSite(to('http://other.test/'));
    await hop(guarded, await guarded.send(START, { headers: { Authorization: 'Bearer t', cookie: 'a=b' } }));
    expectNoCredentials(guarded);
  });

  redirTest('redir-15', async () => {
    const guarded = await withSite(to('http://site.test:8080/'));
    await hop(guarded, await guarded.send(START, { headers: { Authorization: 'Bearer t', cookie: 'a=b' } }));
    expectNoCredentials(guarded);
  });

  redirTest('redir-16', async () => {
    const guarded = await withSite((_, response) => {
      response.setHeader('refresh', `0; url=http://127.0.0.1:${guarded.sentinel.port}/`);
      response.end('page');
    });
    expect(await guarded.send(START)).toMatchObject({ kind: 'fetched', status: 200 });
    expect(guarded.sentinel.connections()).toBe(0);
    expect(guarded.dialled).toHaveLength(1);
  });

  const pages: ReadonlyArray<readonly [id: string, html: (port: number) => string]> = [
    ['redir-17', (port) => `<meta http-equiv=refresh content="0;url=http://127.0.0.1:${port}/">`],
    ['redir-18', (port) => `<base href="http://127.0.0.1:${port}/"><a href="x">x</a>`],
    ['redir-19', (port) => `<link rel=canonical href="http://127.0.0.1:${port}/">`],
    ['redir-20', (port) => `<script>location = 'http://127.0.0.1:${port}/'</script>`],
    ['redir-21', (port) => `<img src="http://127.0.0.1:${port}/"><link rel=prefetch href="http://127.0.0.1:${port}/">`],
  ];
  for (const [id, html] of pages) {
    redirTest(id, async () => {
      const guarded = await withSite((_, response) => {
        response.setHeader('content-type', 'text/html');
        response.end(html(guarded.sentinel.port));
      });
      expect(await guarded.send(START)).toMatchObject({ kind: 'fetched', status: 200 });
      expect(await guarded.send(`http://127.0.0.1:${guarded.sentinel.port}/`)).toMatchObject({ reason: 'loopback' });
      expect(guarded.dialled).toHaveLength(1);
      expect(guarded.sentinel.connections()).toBe(0);
    });
  }

  redirTest('redir-22', async () => {
    const guarded = await withSite(to('http://127.0.0.1/', 304));
    expect(await guarded.send(START, { etag: '"a"' })).toMatchObject({ kind: 'unchanged', etag: '"a"' });
    expect(guarded.dialled).toHaveLength(1);
  });

  test('each case is run', () => expect([...ran].toSorted()).toEqual(redirect.map(({ id }) => id)));
});

test('the sentinel does respond when its address is opened, so its silence means something', async () => {
  const guarded = await withSite(
    (request, response) => to(`http://127.0.0.1:${guarded.sentinel.port}/`)(request, response),
    { allowCidrs: ['127.0.0.1/32'] },
  );
  expect(await hop(guarded, await guarded.send(START))).toMatchObject({ kind: 'fetched' });
  expect(guarded.sentinel.connections()).toBe(1);
});

function expectNoCredentials({ site }: GuardedFetch): void {
  expect(site.requests).toHaveLength(2);
  expect(site.requests[0]?.headers).toMatchObject({ authorization: 'Bearer t', cookie: 'a=b' });
  expect(site.requests[1]?.headers).not.toHaveProperty('authorization');
  expect(site.requests[1]?.headers).not.toHaveProperty('cookie');
}

interface RawServer {
  dial(callback: Parameters<NonNullable<GuardedFetchOptions['dial']>>[1]): void;
  requests(): number;
  close(): Promise<void>;
}

/** Responds to every request with the same bytes, which no HTTP library would send. */
async function rawServer(answer: string): Promise<RawServer> {
  const { connect } = await import('node:net');
  let requests = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => {
      requests++;
      socket.write(answer);
    });
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  return {
    dial(callback) {
      const socket = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
      socket.once('connect', () => callback(null, socket));
    },
    requests: () => requests,
    async close() {
      server.close();
    },
  };
}
