// Sign-in with a real issuer on loopback, `oidc-provider`: the dashboard's code flow, the code flow of an MCP client that finds the issuer by
// itself, the expiry of its tokens, new keys, and an issuer that is down. The packages are installed into a temporary folder.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { createSigningInBrowser } from '../support/signing-in.ts';
import { addFiles, addToken, startTestServer, type TestServer } from '../support/test-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const TOOLS = join(tmpdir(), 'pinakes-oidc-tools');
const PACKAGES = ['oidc-provider@9.13.3', '@modelcontextprotocol/sdk@1.32.2'];
const TOKEN_SECONDS = 20;

let issuer: ChildProcess;
let issuerUrl = '';
let server: TestServer;
let url = '';
let own = '';

beforeAll(async () => {
  mkdirSync(TOOLS, { recursive: true });
  writeFileSync(join(TOOLS, 'package.json'), '{"private":true,"type":"module"}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], {
    cwd: TOOLS,
    stdio: 'ignore',
  });
  for (const name of ['issuer.mjs', 'mcp-client.mjs'])
    copyFileSync(new URL(`oidc-provider/${name}`, import.meta.url), join(TOOLS, name));
  const [port, issuerPort] = [await freePort(), await freePort()];
  url = `http://127.0.0.1:${port}`;
  issuerUrl = `http://127.0.0.1:${issuerPort}`;
  await startIssuer('first');
  const settings = {
    PINAKES_SERVE_PORT: String(port),
    PINAKES_OAUTH_ISSUER: issuerUrl,
    PINAKES_OAUTH_RESOURCE: url,
    PINAKES_OAUTH_CLIENT_ID: 'dashboard',
    PINAKES_OAUTH_CLIENT_SECRET: 'a secret: with signs & spaces',
  };
  server = await startTestServer(settings, async (library) => {
    await addFiles(library, 'guide', { 'pool.md': '# Pool\n\nThe pool keeps connections.\n' });
    own = await addToken(library, 'own', 'read');
  });
}, 600_000);

afterAll(async () => {
  await server.stop();
  await stopIssuer();
});

/** With the signing key of this name, and those that it had before. */
async function startIssuer(...keys: readonly string[]): Promise<void> {
  const { port } = new URL(issuerUrl);
  const args = ['issuer.mjs', port, url, String(TOKEN_SECONDS), ...keys];
  issuer = spawn(process.execPath, args, { cwd: TOOLS, stdio: 'inherit' });
  await waitUntil('the issuer answers', () =>
    fetch(`${issuerUrl}/.well-known/openid-configuration`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}

async function stopIssuer(): Promise<void> {
  if (issuer.exitCode !== null || issuer.signalCode !== null) return;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  issuer.once('exit', () => resolve());
  issuer.kill('SIGKILL');
  await ended;
}

/** Visits pages of the issuer, with its cookies, until it sends the browser elsewhere. */
async function agree(page: string): Promise<string> {
  const browser = createSigningInBrowser(issuerUrl);
  for (let location = page; ;) {
    const response = await browser.request(location);
    const next = response.headers.get('location');
    if (next === null) throw new Error(`the issuer answers ${response.status}: ${await response.text()}`);
    location = new URL(next, location).href;
    if (!location.startsWith(issuerUrl)) return location;
  }
}

interface ClientResult {
  readonly tools: number;
  readonly passages: number;
  readonly accessToken: string;
  readonly requested: string;
}

/** The MCP client without a token: it finds the issuer, registers, signs in, and calls a tool. */
async function runMcpClient(): Promise<ClientResult> {
  const child = spawn(process.execPath, ['mcp-client.mjs', `${url}/mcp`], {
    cwd: TOOLS,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const data of child.stdout) {
    text += String(data);
    const [, page] = /^sign in at (\S+)$/m.exec(text) ?? [];
    if (page === undefined) continue;
    text = '';
    child.stdin.end(await agree(page));
  }
  return JSON.parse(text) as ClientResult;
}

const presets = (authorization: string): Promise<Response> =>
  fetch(`${url}/api/presets`, { headers: { authorization: `Bearer ${authorization}` } });

test('the dashboard signs in, and a second use of its response is refused', async () => {
  const browser = createSigningInBrowser(url);
  const callback = await agree(await browser.begin('/search?q=pool'));
  expect(new URL(callback).searchParams.get('iss')).toBe(issuerUrl);
  const cookies = new Map(browser.cookies);
  const response = await browser.request(callback);
  expect([response.status, response.headers.get('location')]).toEqual([302, `${url}/search?q=pool`]);
  const session = (await (await browser.request('/session')).json()) as { caller: object };
  expect(session.caller).toMatchObject({ name: 'Ada Lovelace', role: 'admin', isSession: true });
  const other = createSigningInBrowser(url);
  for (const [name, value] of cookies) other.cookies.set(name, value);
  expect((await other.request(callback)).status).toBe(400);
});

test('an MCP client finds the issuer by the metadata of the resource, and its token expires', async () => {
  const { tools, passages, accessToken, requested } = await runMcpClient();
  expect(tools).toBeGreaterThan(3);
  expect(passages).toBe(1);
  expect(new URL(requested).searchParams.get('resource')).toBe(`${url}/mcp`);
  expect(new URL(requested).searchParams.get('code_challenge_method')).toBe('S256');
  expect((await presets(accessToken)).status).toBe(200);
  // Clocks may differ by half a minute.
  await waitUntil('the token has expired', async () => (await presets(accessToken)).status === 401, 90_000);
}, 180_000);

test('tokens of a new key are accepted', async () => {
  await stopIssuer();
  await startIssuer('second', 'first');
  const { accessToken } = await runMcpClient();
  const head = JSON.parse(Buffer.from(accessToken.split('.')[0]!, 'base64url').toString()) as object;
  expect(head).toMatchObject({ typ: 'at+jwt', kid: 'second' });
}, 120_000);

test('while the issuer is down, tokens and sessions work, and a sign-in says why it cannot', async () => {
  const browser = createSigningInBrowser(url);
  await browser.request(await agree(await browser.begin()));
  const { accessToken } = await runMcpClient();
  const waiting = createSigningInBrowser(url);
  const callback = await agree(await waiting.begin());
  await stopIssuer();
  const page = await waiting.request(callback);
  expect([page.status, await page.text()]).toEqual([503, expect.stringContaining('cannot be reached now')]);
  expect((await presets(own)).status).toBe(200);
  expect((await presets(accessToken)).status).toBe(200);
  expect((await browser.request('/api/presets')).status).toBe(200);
}, 120_000);
