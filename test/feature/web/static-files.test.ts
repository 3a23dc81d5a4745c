// How the built dashboard is served: by exact names, under a strict policy, and without a token.

import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { ensureBuilt, startWebServer, type WebServer } from '../../support/dashboard-server.ts';

let directory: string;
let server: WebServer;

beforeAll(async () => {
  await ensureBuilt();
  directory = temporaryDirectory();
  server = await startWebServer(directory);
}, 180_000);

afterAll(async () => {
  await server?.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('the page is never cached and its hashed files forever', async () => {
  const page = await fetch(server.url);
  const html = await page.text();
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const [, asset = ''] = /src="(\/assets\/[^"]+)"/.exec(html) ?? [];
  const script = await fetch(server.url + asset);
  expect(script.headers.get('content-type')).toContain('javascript');
  expect(script.headers.get('cache-control')).toContain('immutable');
});

test('the policy allows the page to run only its own scripts', async () => {
  const { headers } = await fetch(server.url);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

test('the browser-only mode may not connect to any server', async () => {
  const local = await fetch(`${server.url}/browser-mode`);
  const policy = local.headers.get('content-security-policy') ?? '';
  expect(local.status).toBe(200);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'none'");
  expect(policy).not.toContain("'unsafe-eval'");
  expect(policy).not.toContain("'unsafe-inline'");
});

test.each(['/sources/docs', '/sources/docs.rs', '/sources/docs/page?url=x', '/runs/7', '/runs/', '/search?q=x'])(
  '%s is a view of the dashboard',
  async (path) => {
    const response = await fetch(server.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/html');
  },
);

test.each(['/assets/none.js', '/api/none', '/api', '/none.txt', '/index.html.map', '/none', '/runs/7/none', '/queues'])(
  '%s is not found',
  async (path) => {
    expect((await fetch(server.url + path)).status).toBe(404);
  },
);

test('a person who follows an outdated link gets a page, with the status 404', async () => {
  const response = await fetch(`${server.url}/none`, { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('<div id="app"');
});

test('every view of the dashboard is served', async () => {
  const routes = await readFile('web/routes.tsx', 'utf8');
  const paths = [...routes.matchAll(/ path: '([^']+)'/g)].map(([, path = '']) => path.replaceAll(/\$\w+/g, 'x'));
  expect(paths.length).toBeGreaterThan(10);
  for (const path of paths) expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200]);
});

test.each([
  '/../package.json',
  '/assets/../../../package.json',
  '/..%2f..%2fpackage.json',
  '//etc/passwd',
  '/%2e%2e/package.json',
])('no path leads out of the build: %s', async (path) => {
  const response = await rawGet(path);
  expect(response).not.toContain('"devDependencies"');
  expect(response).not.toContain('root:');
});

/** Sends the path unchanged: fetch would normalize it first. */
async function rawGet(path: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.end(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`);
  let response = '';
  for await (const chunk of socket) response += String(chunk);
  return response;
}
