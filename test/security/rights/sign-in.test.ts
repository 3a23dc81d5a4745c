// Sign-in to the dashboard: a subject gets a session with the rights of its claims, and a session ends.

import { describe, expect, test } from 'vitest';
import { TEST_CLIENT } from '../../support/issuer.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { HIDDEN, VISIBLE } from './restricted-library.ts';
import {
  callerOf,
  expectRefused,
  issuer,
  open,
  own,
  SESSION,
  signedIn,
  statusOf,
  url,
  useSignInServer,
} from './sign-in-server.ts';

useSignInServer();

describe('a subject who signs in', () => {
  test('is sent to the issuer with PKCE, a state and a nonce, and back to the view it came from', async () => {
    const browser = open();
    const page = new URL(await browser.begin('/sources/open-guide?version=2'));
    expect(page.origin).toBe(issuer.url);
    expect(Object.fromEntries(page.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: TEST_CLIENT,
      redirect_uri: `${url}/sign-in/callback`,
      scope: 'openid pinakes:read pinakes:admin',
      code_challenge_method: 'S256',
      resource: url,
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    });
    const response = await browser.request(await browser.agree(page.href));
    expect(response.headers.get('location')).toBe(`${url}/sources/open-guide?version=2`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(browser.set.at(-1)).toMatch(/^pinakes-session=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Strict$/);
    expect(issuer.exchanges.at(-1)!.fields.get('client_id')).toBe(TEST_CLIENT);
    expect(issuer.exchanges.at(-1)!.fields.get('resource')).toBe(url);
  });

  test('has the role and the sources of a bearer token', async () => {
    const reader = await signedIn();
    const { sources } = (await (await reader.request('/api/sources')).json()) as { sources: { source: string }[] };
    expect(sources.map(({ source }) => source)).toEqual([VISIBLE]);
    expect(await callerOf(reader)).toMatchObject({ name: 'Ada Lovelace', role: 'read', isSession: true });
    const asBrowser = { headers: { origin: url } };
    expect(await statusOf(reader, `/api/sources/${VISIBLE}`, { method: 'DELETE', ...asBrowser })).toBe(403);
    const chief = await signedIn(['frontend'], { scope: 'pinakes:admin' });
    expect(await statusOf(chief, `/api/sources/${HIDDEN}`, { method: 'DELETE', ...asBrowser })).toBe(404);
    expect(await statusOf(chief, '/api/tokens')).toBe(403);
    const audit = await fetch(`${url}/api/audit?action=sign_in`, { headers: { authorization: `Bearer ${own}` } });
    const { entries } = (await audit.json()) as { entries: object[] };
    expect(entries[0]).toMatchObject({ principal: 'oauth:ada', action: 'sign_in', outcome: 'ok' });
  });

  test('reads the pages of the server and its streams, until it signs out', async () => {
    const browser = await signedIn(['/platform']);
    expect(await statusOf(browser, '/queues/ssr')).toBe(200);
    const stream = await browser.request('/events');
    let hasEnded = false;
    void stream
      .text()
      .catch(() => undefined)
      .finally(() => (hasEnded = true));
    const before = new Map(browser.cookies);
    const out = await browser.request('/session', { method: 'DELETE', headers: { origin: url } });
    expect(out.status).toBe(204);
    expect(browser.cookies.has(SESSION)).toBe(false);
    for (const [name, value] of before) browser.cookies.set(name, value);
    expect(await statusOf(browser)).toBe(401);
    await waitUntil('the stream has ended', () => hasEnded);
  });

  test('is unknown before and after', async () => {
    expect(await callerOf(open())).toBeNull();
    const bearer = await fetch(`${url}/session`, { headers: { authorization: `Bearer ${own}` } });
    expect(await bearer.json()).toMatchObject({
      caller: { name: 'own', role: 'admin', isSession: false, until: null },
    });
  });
});

test('a name cannot pretend to be another, or change the page', async () => {
  issuer.faults = { idClaims: { name: '\u202Enimda\u0000<b>' }, accessClaims: { groups: [] } };
  const browser = open();
  await browser.signIn();
  expect(await callerOf(browser)).toMatchObject({ name: 'nimda<b>' });
});

test('an issuer that is down gives a plain page, and tokens and sessions work', async () => {
  const browser = await signedIn();
  const waiting = open();
  const callback = await waiting.agree(await waiting.begin());
  await issuer.close();
  const page = await expectRefused(waiting, await waiting.request(callback));
  expect(page).toContain('cannot be reached now');
  expect(page).toContain('Access tokens of this server still work');
  expect(await statusOf(browser)).toBe(200);
  const bearer = await fetch(`${url}/api/presets`, { headers: { authorization: `Bearer ${own}` } });
  expect(bearer.status).toBe(200);
});
