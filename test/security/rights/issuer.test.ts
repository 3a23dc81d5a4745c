// Access tokens of an issuer: valid ones have the rights of their claims, and hostile ones are rejected before they cost anything.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addFiles, addToken, startTestServer, type TestServer } from '../../support/test-server.ts';
import { hostileTokens } from '../../support/hostile-tokens.ts';
import { startIssuer, type TestIssuer } from '../../support/issuer.ts';
import { HIDDEN, VISIBLE } from './restricted-library.ts';

const RESOURCE = 'https://docs.corp.example';
const META = `${RESOURCE}/.well-known/oauth-protected-resource`;

let issuer: TestIssuer;
let other: TestIssuer;
let server: TestServer;
let own = '';

beforeAll(async () => {
  issuer = await startIssuer(`${RESOURCE}/mcp`);
  other = await startIssuer(RESOURCE);
  const settings = {
    PINAKES_OAUTH_ISSUER: issuer.url,
    PINAKES_OAUTH_RESOURCE: RESOURCE,
    PINAKES_OAUTH_SOURCES: 'frontend=open-*,/platform=*',
    PINAKES_SERVE_REQUESTS_PER_MINUTE: '100000',
  };
  server = await startTestServer(settings, async (library) => {
    await addFiles(library, VISIBLE, { 'pool.md': '# Pool\n\nA shared pool.\n' });
    await addFiles(library, HIDDEN, { 'mongoose.md': '# The mongoose\n\nIt is shared.\n' });
    own = await addToken(library, 'own', 'read');
  });
}, 120_000);
afterAll(async () => {
  await server.stop();
  await Promise.all([issuer.close().catch(() => undefined), other.close()]);
});

const request = (path: string, token?: string, init: RequestInit = {}): Promise<Response> =>
  fetch(server.url + path, { ...init, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

const sourcesOf = async (token: string): Promise<string[]> => {
  const response = await request('/api/sources', token);
  const { sources = [] } = (await response.json()) as { sources?: { source: string }[] };
  return sources.map(({ source }) => source).toSorted();
};

test('a 401 names the metadata of the resource, which needs no token', async () => {
  const plain = await request('/api/sources');
  expect(plain.status).toBe(401);
  expect(plain.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${META}", scope="pinakes:read"`);
  const mcp = await request('/mcp', 'x.y.z', { method: 'POST' });
  expect(mcp.headers.get('www-authenticate')).toContain(`error="invalid_token", resource_metadata="${META}/mcp"`);
  for (const [path, resource] of [
    ['', RESOURCE],
    ['/mcp', `${RESOURCE}/mcp`],
  ]) {
    const response = await request(`/.well-known/oauth-protected-resource${path}`);
    expect(await response.json()).toEqual({
      resource,
      authorization_servers: [issuer.url],
      scopes_supported: ['pinakes:read', 'pinakes:admin'],
      bearer_methods_supported: ['header'],
      resource_name: 'Pinakes',
    });
  }
});

test('scopes give the role, and groups the sources', async () => {
  expect(await sourcesOf(await issuer.token({ groups: ['frontend'] }))).toEqual([VISIBLE]);
  expect(await sourcesOf(await issuer.token({ groups: ['/platform'] }))).toEqual([VISIBLE, HIDDEN].toSorted());
  expect(await sourcesOf(await issuer.token({ groups: ['other'] }))).toEqual([]);
  const reader = await issuer.token({ groups: ['/platform'] });
  expect((await request(`/api/sources/${HIDDEN}`, reader, { method: 'DELETE' })).status).toBe(403);
  const chief = await issuer.token({ groups: ['frontend'], scope: 'pinakes:admin' });
  expect((await request(`/api/sources/${HIDDEN}`, chief, { method: 'DELETE' })).status).toBe(404);
  expect((await request('/api/tokens', chief)).status).toBe(403);
  expect((await request('/api/sources', await issuer.token({ scope: 'openid' }))).status).toBe(403);
});

test('the audience may be the server, its MCP endpoint, or one of several', async () => {
  for (const aud of [RESOURCE, `${RESOURCE}/`, ['https://x.example', `${RESOURCE}/mcp`]])
    expect((await request('/api/presets', await issuer.token({ aud }))).status).toBe(200);
});

test('an access token may name its type, as RFC 9068, Keycloak and others do', async () => {
  const types = [{ typ: 'at+jwt' }, { typ: 'application/AT+JWT' }, { typ: 'JWT' }];
  for (const head of types) expect((await request('/api/presets', await issuer.token({}, head))).status).toBe(200);
  expect((await request('/api/presets', await issuer.token({ typ: 'Bearer' }, { typ: 'JWT' }))).status).toBe(200);
});

test('a new key of the issuer is found', async () => {
  const before = await issuer.token();
  expect((await request('/api/presets', before)).status).toBe(200);
  expect(issuer.reads()).toBe(2);
  expect((await request('/api/presets', await issuer.token({}, { kid: 'unknown' }))).status).toBe(401);
  expect(issuer.reads()).toBe(2);
});

describe('hostile tokens', () => {
  // Their names are needed before the issuers run.
  const names = hostileTokens({} as TestIssuer, {} as TestIssuer, RESOURCE).map(([name]) => name);

  test.each(names)('%s', async (name) => {
    const [, make] = hostileTokens(issuer, other, RESOURCE).find(([each]) => each === name)!;
    const token = await make();
    const reads = other.reads();
    const response = await request('/api/presets', token);
    expect([401, 429]).toContain(response.status);
    expect(await response.text()).not.toContain('ada');
    expect(other.reads()).toBe(reads);
  });

  test('of 1 MB, which Node rejects', async () => {
    const status = await request('/api/presets', 'a'.repeat(1_000_000)).then(
      (response) => response.status,
      () => 431,
    );
    expect(status).toBe(431);
  });
});

test('tokens of the server work while the issuer is down, and the keys that are known too', async () => {
  await issuer.close();
  expect((await request('/api/presets', own)).status).toBe(200);
  expect((await request('/api/presets', await issuer.token())).status).toBe(200);
});
