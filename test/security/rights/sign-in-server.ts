// A server whose dashboard signs in with an issuer that a test can make misbehave.

import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { startIssuer, TEST_CLIENT, type TestIssuer } from '../../support/issuer.ts';
import { createSigningInBrowser, type SigningInBrowser } from '../../support/signing-in.ts';
import { addFiles, addToken, startTestServer, type TestServer } from '../../support/test-server.ts';
import { HIDDEN, VISIBLE } from './restricted-library.ts';

export const SESSION = 'pinakes-session';
export const PENDING = 'pinakes-sign-in';

export let issuer: TestIssuer;
export let other: TestIssuer;
let server: TestServer;
export let url = '';
export let own = '';

/** Starts them before the tests of a file, and stops them after. */
export function useSignInServer(): void {
  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    issuer = await startIssuer(url);
    other = await startIssuer(url);
    const settings = {
      PINAKES_SERVE_PORT: String(port),
      PINAKES_OAUTH_ISSUER: issuer.url,
      PINAKES_OAUTH_RESOURCE: url,
      PINAKES_OAUTH_SOURCES: 'frontend=open-*,/platform=*',
      PINAKES_OAUTH_CLIENT_ID: TEST_CLIENT,
      PINAKES_SERVE_REQUESTS_PER_MINUTE: '100000',
      PINAKES_SERVE_ALLOWED_ORIGINS: 'https://app.corp.example',
    };
    server = await startTestServer(settings, async (library) => {
      await addFiles(library, VISIBLE, { 'pool.md': '# Pool\n\nA shared pool.\n' });
      await addFiles(library, HIDDEN, { 'mongoose.md': '# The mongoose\n\nIt is shared.\n' });
      own = await addToken(library, 'own', 'admin');
    });
  }, 120_000);
  afterAll(async () => {
    await server.stop();
    await Promise.all([issuer.close().catch(() => undefined), other.close()]);
  });
  afterEach(() => {
    issuer.faults = {};
  });
}

export const open = (): SigningInBrowser => createSigningInBrowser(url);

export async function signedIn(
  groups: readonly string[] = ['frontend'],
  claims: object = {},
): Promise<SigningInBrowser> {
  issuer.faults = { accessClaims: { groups, ...claims } };
  const browser = open();
  const response = await browser.signIn();
  expect(response.status).toBe(302);
  issuer.faults = {};
  return browser;
}

export const statusOf = async (
  browser: SigningInBrowser,
  path = '/api/presets',
  init: RequestInit = {},
): Promise<number> => (await browser.request(path, init)).status;

export const callerOf = async (browser: SigningInBrowser): Promise<unknown> =>
  ((await (await browser.request('/session')).json()) as { caller: unknown }).caller;

/** There is no session, and the page states why. */
export async function expectRefused(browser: SigningInBrowser, response: Response): Promise<string> {
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(browser.cookies.has(SESSION)).toBe(false);
  expect(await statusOf(browser)).toBe(401);
  return response.text();
}
