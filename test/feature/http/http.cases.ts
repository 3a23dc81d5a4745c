// Cases of the HTTP server: hosts, origins, tokens, limits, headers, errors.

import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { generateToken, hashToken } from '../../../src/platform/access-token.ts';
import { start } from '../../support/program.ts';
import { sendRaw, connectTo, dribble } from '../../support/raw-http.ts';
import { addToken, startTestServer } from '../../support/test-server.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import type { CaseServers } from './case-servers.ts';
import { wallSlowness } from '../../support/work-time.ts';

export type Case = (servers: CaseServers) => Promise<void>;

const ROUTES = ['/healthz', '/api/sources', '/mcp', '/events', '/metrics'];

async function everyRoute(
  { open }: CaseServers,
  headers: readonly string[],
  status: number | readonly number[],
): Promise<void> {
  for (const path of ROUTES) {
    const answer = await sendRaw(open.port, { path, headers });
    expect([status].flat(), path).toContain(answer.status);
  }
}

const withOrigin =
  (origin: string): Case =>
  (servers) =>
    everyRoute(servers, [`host: localhost:${servers.open.port}`, `origin: ${origin}`], 403);

const withHostHeader =
  (host: string): Case =>
  async ({ open }) => {
    const { status } = await sendRaw(open.port, { path: '/api/sources', headers: [`host: ${host}:${open.port}`] });
    expect(status).toBe(200);
  };

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export const httpCases: Readonly<Record<string, Case>> = {
  'mcp-01': withOrigin('https://evil.example'),
  'mcp-02': withOrigin('null'),
  'mcp-03': withOrigin('http://localhost.evil.example'),
  'mcp-04': withOrigin('http://evil.example/localhost'),
  'mcp-05': (servers) => everyRoute(servers, [`host: rebind.evil.example:${servers.open.port}`], 403),
  'mcp-06': withHostHeader('127.0.0.1'),
  'mcp-07': withHostHeader('[::1]'),
  'mcp-08': withHostHeader('LOCALHOST'),
  async 'mcp-09'({ open }) {
    const { status } = await sendRaw(open.port, { path: '/api/sources', version: '1.0' });
    expect([400, 403]).toContain(status);
  },
  'mcp-10': (servers) => everyRoute(servers, [`host: localhost:${servers.open.port}`, 'host: localhost'], 400),
  'mcp-11': (servers) =>
    everyRoute(servers, ['host: evil.example', 'x-forwarded-host: localhost', 'forwarded: host=localhost'], 403),
  async 'mcp-12'({ open }) {
    expect(new URL(open.url).hostname).toBe('127.0.0.1');
    const exposed = await start(
      { PINAKES_DATA_DIR: temporaryDirectory(), PINAKES_SERVE_HOST: '0.0.0.0', PINAKES_SERVE_PORT: '0' },
      ['serve'],
    ).ended;
    expect(exposed).toMatchObject({ code: 1, stderr: expect.stringContaining('without an access token') });
  },
  async 'mcp-13'({ guarded }) {
    for (const path of ['/api/sources', '/mcp', '/metrics', '/api/openapi.json', '/anything']) {
      const answer = await fetch(guarded.url + path);
      expect(answer.status, path).toBe(401);
      expect(answer.headers.get('www-authenticate'), path).toBe('Bearer');
    }
  },
  async 'mcp-14'() {
    const own = await withToken();
    const other = await withToken();
    expect((await fetch(`${own.url}/api/sources`, { headers: bearer(other.token) })).status).toBe(401);
    const jwt = [{ alg: 'none' }, { aud: 'https://other.example' }].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    expect((await fetch(`${own.url}/api/sources`, { headers: bearer(`${jwt.join('.')}.`) })).status).toBe(401);
    expect((await fetch(`${own.url}/api/sources`, { headers: bearer(own.token) })).status).toBe(200);
    await own.stop();
    await other.stop();
  },
  async 'mcp-15'({ guarded, readToken }) {
    for (const name of ['token', 'access_token', 'ticket']) {
      expect((await fetch(`${guarded.url}/api/sources?${name}=${readToken}`)).status).toBe(401);
      expect((await fetch(`${guarded.url}/events?${name}=${readToken}`)).status).toBe(401);
    }
  },
  async 'mcp-16'() {
    // What is compared is the hash of a secret with 256 random bits: its lookup tells nothing about another one.
    const { token, hash } = generateToken();
    expect([hashToken(token), Buffer.from(token.slice(4), 'base64url').length]).toEqual([hash, 32]);
    const own = await withToken();
    const tries = [];
    for (let i = 0; i < 12; i += 1)
      tries.push((await fetch(`${own.url}/api/sources`, { headers: bearer(`pnk_${i}`) })).status);
    expect(tries).toEqual([...Array<number>(10).fill(401), 429, 429]);
    const refused = await fetch(`${own.url}/api/sources`, { headers: bearer('pnk_no') });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await fetch(`${own.url}/api/sources`, { headers: bearer(own.token) })).status).toBe(200);
    await own.stop();
  },
  async 'mcp-17'({ guarded, adminToken, site }) {
    const before = site.requests.length;
    const answer = await fetch(`${guarded.url}/api/preview`, {
      method: 'POST',
      headers: { ...bearer(adminToken), 'content-type': 'application/json', cookie: `session=${adminToken}` },
      body: JSON.stringify({ url: `${site.url}/page` }),
    });
    expect(answer.status).toBe(200);
    const seen = site.requests.slice(before);
    expect(seen.length).toBeGreaterThan(0);
    for (const headers of seen) {
      expect(JSON.stringify(headers)).not.toContain(adminToken);
      expect(headers).not.toHaveProperty('authorization');
    }
  },
  async 'mcp-38'({ open }) {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const plain = { method: 'POST', headers: { 'content-type': type }, body: '{"url":"https://docs.example.dev"}' };
      expect((await fetch(`${open.url}/api/sources`, plain)).status).toBe(415);
      const headers = { ...plain.headers, origin: 'https://evil.example' };
      expect((await fetch(`${open.url}/api/sources`, { ...plain, headers })).status).toBe(403);
    }
    expect(await (await fetch(`${open.url}/api/sources`)).json()).toMatchObject({ sources: [{ source: 'guide' }] });
  },
  async 'mcp-39'({ open }) {
    for (const path of ROUTES) {
      const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
      const answer = await fetch(open.url + path, { method: 'OPTIONS', headers });
      expect(answer.status, path).toBe(403);
      expect(
        [...answer.headers.keys()].filter((name) => name.startsWith('access-control')),
        path,
      ).toEqual([]);
    }
  },
  async 'mcp-40'({ open }) {
    const policy =
      "default-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; img-src 'self' data:";
    for (const path of ['/', '/healthz', '/api/sources', '/events', '/nothing']) {
      const stop = new AbortController();
      const { headers } = await fetch(open.url + path, { signal: stop.signal });
      expect(headers.get('content-security-policy'), path).toContain(policy);
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('referrer-policy'), path).toBe('no-referrer');
      stop.abort();
    }
  },
  async 'mcp-41'({ guarded, readToken }) {
    expect((await fetch(`${guarded.url}/events`)).status).toBe(401);
    const issued = await fetch(`${guarded.url}/events/ticket`, { method: 'POST', headers: bearer(readToken) });
    const { ticket } = (await issued.json()) as { ticket: string };
    const stop = new AbortController();
    const stream = await fetch(`${guarded.url}/events?ticket=${ticket}`, { signal: stop.signal });
    expect(stream.status).toBe(200);
    expect((await fetch(`${guarded.url}/events?ticket=${ticket}`)).status).toBe(401);
    expect((await fetch(`${guarded.url}/api/sources?ticket=${ticket}`)).status).toBe(401);
    stop.abort();
  },
  async 'mcp-42'({ open }) {
    const idle = await Promise.all(Array.from({ length: 1000 }, () => connectTo(open.port)));
    const head = `POST /api/preview HTTP/1.1\r\nhost: localhost:${open.port}\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n`;
    for (const socket of idle) socket.on('error', () => undefined).write(head);
    const startedAt = performance.now();
    const slow = dribble(open.port, head, 1000);
    await wait(1000);
    const requested = performance.now();
    expect((await fetch(`${open.url}/api/sources`)).status).toBe(200);
    expect(performance.now() - requested).toBeLessThan(2000 * wallSlowness());
    expect((await slow).status).toBe(408);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    for (const socket of idle) socket.destroy();
  },
  async 'mcp-43'({ open }) {
    const requests = [
      fetch(`${open.url}/api/sources/nowhere/outline`),
      fetch(`${open.url}/api/search`),
      fetch(`${open.url}/api/runs/999999`),
      fetch(`${open.url}/api/%E0%A4%A`),
      fetch(`${open.url}/api/preview`, jsonBody({ url: 'http://127.0.0.1:1/' })),
      fetch(`${open.url}/api/preview`, jsonBody({ url: 'http://169.254.169.254/latest/meta-data' })),
      fetch(`${open.url}/api/sources`, jsonBody({ url: '/etc/passwd' })),
      fetch(`${open.url}/api/sources`, jsonBody({ url: open.directory })),
    ];
    for (const answer of await Promise.all(requests)) {
      const text = await answer.text();
      expect(answer.status, text).toBeGreaterThanOrEqual(400);
      expect(text).not.toMatch(
        / at \S+ \(|\.ts:\d|node_modules|select |insert |ECONN|169\.254\.169\.254:\d|127\.0\.0\.1:\d+ /i,
      );
      expect(text).not.toContain(open.directory);
    }
  },
  async 'mcp-44'({ open, guarded, readToken }) {
    for (const path of ['/healthz', '/readyz']) {
      const answer = await fetch(guarded.url + path);
      expect([answer.status, await answer.text()]).toEqual([200, path === '/healthz' ? 'ok' : 'ready']);
    }
    expect((await fetch(`${guarded.url}/metrics`)).status).toBe(401);
    expect((await fetch(`${guarded.url}/metrics`, { headers: bearer(readToken) })).status).toBe(200);
    expect(await (await fetch(`${open.url}/metrics`)).text()).toContain('pinakes_http_requests_total');
  },
};

function jsonBody(body: object) {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function withToken() {
  let token = '';
  const serving = await startTestServer({ PINAKES_SERVE_HOST: '0.0.0.0' }, async (library) => {
    token = await addToken(library, 'only', 'read');
  });
  return { ...serving, token };
}
