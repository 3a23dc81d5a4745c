// Attacks on the sign-in to the dashboard, each named by its target and its method.

import { expect, test } from 'vitest';
import { TEST_CLIENT, type TestIssuer } from '../../support/issuer.ts';
import { VISIBLE } from './restricted-library.ts';
import {
  expectRefused,
  issuer,
  open,
  other,
  PENDING,
  SESSION,
  signedIn,
  statusOf,
  url,
  useSignInServer,
} from './sign-in-server.ts';

useSignInServer();

/** What the issuer sends back is changed on the way. */
const changedResponse = (change: (fields: URLSearchParams) => void) => async () => {
  issuer.faults = { response: change };
  const browser = open();
  await expectRefused(browser, await browser.signIn());
};

/** The tokens are not what they should be. */
const changedTokens = (faults: () => TestIssuer['faults']) => async () => {
  issuer.faults = faults();
  const browser = open();
  await expectRefused(browser, await browser.signIn());
};

/** After a sign-in that asked to return there. */
const returnsTo = (to: string) => async () => {
  const browser = open();
  const response = await browser.signIn(to);
  expect(response.status).toBe(302);
  const location = new URL(response.headers.get('location')!);
  expect([location.origin, location.pathname]).toEqual([url, '/']);
};

/** A request with the session of a signed-in administrator, as a page elsewhere could make its browser send it. */
const forged = (path: string, method: string, headers: Record<string, string>) => async () => {
  const browser = await signedIn(['/platform'], { scope: 'pinakes:admin' });
  expect(await statusOf(browser, path, { method, headers })).toBe(403);
  expect(await statusOf(browser)).toBe(200);
};

/** A request of a browser with other cookies. */
const withCookie = (header: (session: string) => string) => async () => {
  const browser = await signedIn();
  const session = browser.cookies.get(SESSION)!;
  expect(await statusOf(open(), '/api/presets', { headers: { cookie: header(session) } })).toBe(401);
};

const ATTACKS: ReadonlyArray<readonly [target: string, method: string, attempt: () => Promise<void>]> = [
  [
    'login CSRF',
    "a victim's browser gets the attacker's response",
    async () => {
      const attacker = open();
      const victim = open();
      const callback = await attacker.agree(await attacker.begin());
      await expectRefused(victim, await victim.request(callback));
    },
  ],
  [
    'login CSRF',
    'a victim with a sign-in of its own gets the response of another',
    async () => {
      const attacker = open();
      const victim = open();
      const callback = await attacker.agree(await attacker.begin());
      await victim.begin();
      await expectRefused(victim, await victim.request(callback));
    },
  ],
  [
    'code injection',
    'a stolen code in a sign-in of the attacker',
    async () => {
      const victim = open();
      const stolen = new URL(await victim.agree(await victim.begin())).searchParams.get('code')!;
      const attacker = open();
      const callback = new URL(await attacker.agree(await attacker.begin()));
      callback.searchParams.set('code', stolen);
      await expectRefused(attacker, await attacker.request(callback.href));
    },
  ],
  [
    'code injection',
    'the same, at an issuer that does not check PKCE: the nonce tells',
    async () => {
      issuer.faults = { isCareless: true };
      const victim = open();
      const stolen = new URL(await victim.agree(await victim.begin())).searchParams.get('code')!;
      const attacker = open();
      const callback = new URL(await attacker.agree(await attacker.begin()));
      callback.searchParams.set('code', stolen);
      await expectRefused(attacker, await attacker.request(callback.href));
    },
  ],
  [
    'code replay',
    'the response of a sign-in that has ended',
    async () => {
      const browser = open();
      const callback = await browser.agree(await browser.begin());
      const cookies = new Map(browser.cookies);
      expect((await browser.request(callback)).status).toBe(302);
      const again = open();
      for (const [name, value] of cookies) again.cookies.set(name, value);
      await expectRefused(again, await again.request(callback));
    },
  ],
  [
    'code replay',
    'the same, at an issuer that accepts a code twice',
    async () => {
      issuer.faults = { isCareless: true };
      const browser = open();
      const callback = await browser.agree(await browser.begin());
      const cookies = new Map(browser.cookies);
      expect((await browser.request(callback)).status).toBe(302);
      const again = open();
      for (const [name, value] of cookies) again.cookies.set(name, value);
      await expectRefused(again, await again.request(callback));
    },
  ],
  ['state', 'missing', changedResponse((fields) => fields.delete('state'))],
  ['state', 'empty', changedResponse((fields) => fields.set('state', ''))],
  ['state', 'twice', changedResponse((fields) => fields.append('state', 'x'))],
  ['state', 'of another sign-in', changedResponse((fields) => fields.set('state', 'A'.repeat(43)))],
  [
    'pending cookie',
    'made up',
    async () => {
      const browser = open();
      browser.cookies.set(PENDING, Buffer.from('{"state":"","nonce":"","verifier":""}').toString('base64url'));
      await expectRefused(browser, await browser.request('/sign-in/callback?state=&code=x'));
    },
  ],
  [
    'pending cookie',
    'no JSON',
    async () => {
      const browser = open();
      browser.cookies.set(PENDING, 'x'.repeat(100));
      await expectRefused(browser, await browser.request('/sign-in/callback?state=x&code=x'));
    },
  ],
  [
    'pending cookie',
    'kept for longer than ten minutes',
    async () => {
      const browser = open();
      const callback = await browser.agree(await browser.begin());
      const pending = JSON.parse(Buffer.from(browser.cookies.get(PENDING)!, 'base64url').toString()) as object;
      const old = { ...pending, until: Date.now() - 1 };
      browser.cookies.set(PENDING, Buffer.from(JSON.stringify(old)).toString('base64url'));
      await expectRefused(browser, await browser.request(callback));
    },
  ],
  [
    'pending cookie',
    'planted beside the real one',
    async () => {
      const browser = open();
      const callback = await browser.agree(await browser.begin());
      const cookie = `${PENDING}=x; ${PENDING}=${browser.cookies.get(PENDING)}`;
      await expectRefused(browser, await browser.request(callback, { headers: { cookie } }));
    },
  ],
  ['issuer mix-up', 'the response names another issuer', changedResponse((fields) => fields.set('iss', other.url))],
  ['issuer mix-up', 'the response names none', changedResponse((fields) => fields.delete('iss'))],
  ['issuer mix-up', 'the response names two', changedResponse((fields) => fields.append('iss', other.url))],
  [
    'issuer mix-up',
    'tokens of another issuer',
    changedTokens(() => ({
      tokens: async () => ({ access_token: await other.token(), id_token: await other.token({ aud: TEST_CLIENT }) }),
    })),
  ],
  [
    'issuer mix-up',
    'tokens of another issuer that claims to be this one',
    changedTokens(() => ({
      tokens: async (tokens) => ({ ...tokens, id_token: await other.token({ aud: TEST_CLIENT, iss: issuer.url }) }),
    })),
  ],
  ['error response', 'access denied', changedResponse((fields) => fields.set('error', 'access_denied'))],
  [
    'error response',
    'markup in the error',
    async () => {
      issuer.faults = { response: (fields) => fields.set('error', '<script>alert(1)</script>') };
      const browser = open();
      expect(await expectRefused(browser, await browser.signIn())).not.toContain('<script');
    },
  ],
  ['code', 'missing', changedResponse((fields) => fields.delete('code'))],
  ['code', 'of 5,000 characters', changedResponse((fields) => fields.set('code', 'c'.repeat(5000)))],
  ['ID token', 'of another sign-in', changedTokens(() => ({ idClaims: { nonce: 'x' } }))],
  ['ID token', 'without a nonce', changedTokens(() => ({ idClaims: { nonce: undefined } }))],
  ['ID token', 'for another client', changedTokens(() => ({ idClaims: { aud: 'another' } }))],
  ['ID token', 'for two clients', changedTokens(() => ({ idClaims: { aud: [TEST_CLIENT, 'another'] } }))],
  ['ID token', 'requested by another client', changedTokens(() => ({ idClaims: { azp: 'another' } }))],
  ['ID token', 'of another subject', changedTokens(() => ({ idClaims: { sub: 'eve' } }))],
  ['ID token', 'expired', changedTokens(() => ({ idClaims: { exp: 1_000_000 } }))],
  ['ID token', 'missing', changedTokens(() => ({ tokens: ({ access_token }) => ({ access_token }) }))],
  ['access token', 'for another resource', changedTokens(() => ({ accessClaims: { aud: 'https://x.example' } }))],
  ['access token', 'without a scope', changedTokens(() => ({ accessClaims: { scope: 'openid' } }))],
  ['access token', 'opaque', changedTokens(() => ({ tokens: (tokens) => ({ ...tokens, access_token: 'opaque' }) }))],
  [
    'access token',
    'an ID token in its place',
    changedTokens(() => ({ tokens: ({ id_token }) => ({ id_token, access_token: id_token }) })),
  ],
  ['open redirect', 'another site', returnsTo('https://evil.example/')],
  ['open redirect', 'two slashes', returnsTo('//evil.example/')],
  ['open redirect', 'a backslash', returnsTo('/\\evil.example/')],
  ['open redirect', 'two slashes after a dot', returnsTo('/.//evil.example')],
  ['open redirect', 'a tab between slashes', returnsTo('/\t/evil.example')],
  ['open redirect', 'a script', returnsTo('javascript:alert(1)')],
  ['open redirect', 'the API', returnsTo('/api/sources')],
  ['open redirect', 'the sign-in itself', returnsTo('/sign-in')],
  ['open redirect', 'a header', returnsTo('/\r\nset-cookie: a=b')],
  [
    'open redirect',
    'a changed cookie',
    async () => {
      const browser = open();
      const callback = await browser.agree(await browser.begin());
      const pending = JSON.parse(Buffer.from(browser.cookies.get(PENDING)!, 'base64url').toString()) as object;
      const changed = { ...pending, to: '//evil.example' };
      browser.cookies.set(PENDING, Buffer.from(JSON.stringify(changed)).toString('base64url'));
      expect((await browser.request(callback)).headers.get('location')).toBe(`${url}/`);
    },
  ],
  [
    'fixation',
    'a session chosen by the attacker before the sign-in',
    async () => {
      const browser = open();
      browser.cookies.set(SESSION, 'A'.repeat(43));
      await browser.signIn();
      expect(browser.cookies.get(SESSION)).not.toBe('A'.repeat(43));
      expect(await statusOf(open(), '/api/presets', { headers: { cookie: `${SESSION}=${'A'.repeat(43)}` } })).toBe(401);
    },
  ],
  [
    'fixation',
    'the session before another sign-in of the same browser',
    async () => {
      const browser = await signedIn();
      const before = browser.cookies.get(SESSION)!;
      await browser.signIn();
      expect(await statusOf(browser)).toBe(200);
      expect(await statusOf(open(), '/api/presets', { headers: { cookie: `${SESSION}=${before}` } })).toBe(401);
    },
  ],
  ['session cookie', 'one character changed', withCookie((session) => `${SESSION}=${session.slice(0, -2)}AA`)],
  ['session cookie', 'planted beside the real one', withCookie((session) => `${SESSION}=x; ${SESSION}=${session}`)],
  ['session cookie', 'its hash', withCookie(() => `${SESSION}=${'0'.repeat(64)}`)],
  ['session cookie', 'SQL', withCookie(() => `${SESSION}=' or 1=1 --`)],
  [
    'session cookie',
    'as a bearer token',
    async () => {
      const browser = await signedIn();
      const authorization = `Bearer ${browser.cookies.get(SESSION)}`;
      expect([401, 429]).toContain(await statusOf(open(), '/api/presets', { headers: { authorization } }));
    },
  ],
  [
    'session cookie',
    'at the MCP endpoint',
    async () => {
      const browser = await signedIn();
      expect(await statusOf(browser, '/mcp', { method: 'POST', headers: { origin: url }, body: '{}' })).toBe(401);
    },
  ],
  ['CSRF', 'a page of another site', forged(`/api/sources/${VISIBLE}`, 'DELETE', { origin: 'https://evil.example' })],
  [
    'CSRF',
    'a site whose pages may call the API',
    forged('/api/tokens', 'POST', { origin: 'https://app.corp.example' }),
  ],
  ['CSRF', 'a read by such a site', forged('/api/sources', 'GET', { origin: 'https://app.corp.example' })],
  ['CSRF', 'no origin', forged(`/api/sources/${VISIBLE}`, 'DELETE', {})],
  ['CSRF', 'an opaque origin', forged(`/api/sources/${VISIBLE}`, 'DELETE', { origin: 'null' })],
  ['CSRF', 'another port of this host', forged('/api/tokens', 'POST', { origin: 'http://127.0.0.1:1' })],
  [
    'CSRF',
    'the same host over TLS',
    async () => forged('/api/tokens', 'POST', { origin: url.replace('http', 'https') })(),
  ],
  ['CSRF', 'an image of another site', forged('/api/sources', 'GET', { 'sec-fetch-site': 'cross-site' })],
  ['sign-out', 'by another site', forged('/session', 'DELETE', { origin: 'https://evil.example' })],
  ['sign-out', 'without an origin', forged('/session', 'DELETE', {})],
  [
    'sign-out',
    'by a link',
    async () => {
      const browser = await signedIn();
      await browser.request('/session');
      expect(await statusOf(browser)).toBe(200);
    },
  ],
];

test.each(ATTACKS)('attack on %s: %s', async (_target, _method, attempt) => attempt());
