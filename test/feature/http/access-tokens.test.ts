// Access tokens over HTTP: made, limited, rotated and revoked without a shell on the server.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { addToken, startTestServer, type TestServer } from '../../support/test-server.ts';

let server: TestServer;
let chief = '';

beforeAll(async () => {
  server = await startTestServer({}, async (library) => void (chief = await addToken(library, 'chief', 'admin')));
});
afterAll(() => server.stop());

const request = (path: string, method = 'GET', body?: object, token = chief): Promise<Response> =>
  fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });

const made = async (path: string, body: object): Promise<string> => {
  const response = await request(path, 'POST', body);
  return ((await response.json()) as { token: string }).token;
};

const statusOf = async (token: string): Promise<number> =>
  (await request('/api/presets', 'GET', undefined, token)).status;

test('an admin creates, lists and revokes tokens, and a read token does not', async () => {
  const reader = await made('/api/tokens', { name: 'reader', sources: ['npm:*'], expiresInDays: 30 });
  expect(await statusOf(reader)).toBe(200);
  const listed = (await (await request('/api/tokens')).json()) as { tokens: object[]; nextCursor: string | null };
  expect(listed.nextCursor).toBeNull();
  expect(listed.tokens).toMatchObject([
    { name: 'chief', sources: null, expiresAt: null },
    { name: 'reader', role: 'read', sources: ['npm:*'], expiresAt: expect.stringMatching(/Z$/) },
  ]);
  expect(JSON.stringify(listed)).not.toContain('pnk_');
  for (const [path, method] of [
    ['/api/tokens', 'POST'],
    ['/api/tokens/reader', 'DELETE'],
    ['/api/tokens/chief/rotate', 'POST'],
  ] as const)
    expect((await request(path, method, { name: 'x' }, reader)).status, path).toBe(403);
  expect((await request('/api/tokens/reader', 'DELETE')).status).toBe(200);
  expect((await request('/api/tokens/reader', 'DELETE')).status).toBe(404);
});

test('a rotated token opens with both secrets during the overlap, and one without overlap with the new one', async () => {
  const first = await made('/api/tokens', { name: 'ci' });
  const second = await made('/api/tokens/ci/rotate', {});
  expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
  const other = await made('/api/tokens', { name: 'once' });
  const next = await made('/api/tokens/once/rotate', { overlapHours: 0 });
  expect([await statusOf(other), await statusOf(next)]).toEqual([401, 200]);
});

test('a token has its own request budget', async () => {
  const slow = await made('/api/tokens', { name: 'slow', requestsPerMinute: 1 });
  const statuses = [];
  for (let i = 0; i < 12; i += 1) statuses.push(await statusOf(slow));
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  expect(statuses.at(-1)).toBe(429);
  expect(await statusOf(chief)).toBe(200);
});

test('the use of a token is recorded', async () => {
  const used = await made('/api/tokens', { name: 'used' });
  await statusOf(used);
  await expect
    .poll(async () => {
      const { tokens } = (await (await request('/api/tokens')).json()) as {
        tokens: { name: string; lastUsedAt: string | null }[];
      };
      return tokens.find(({ name }) => name === 'used')?.lastUsedAt;
    })
    .toMatch(/Z$/);
});
