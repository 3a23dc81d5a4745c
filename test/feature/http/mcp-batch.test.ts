// Calls of one MCP batch count as requests of their token.

import { expect, test } from 'vitest';
import { startTestServer } from '../../support/test-server.ts';

test('each call of a batch counts as a request of its token (finding V23)', async () => {
  let token = '';
  const server = await startTestServer({ PINAKES_SERVE_REQUESTS_PER_MINUTE: '10' }, async (library) => {
    ({ token } = (await library.call('create_token', { name: 'agent', role: 'read' })) as { token: string });
  });
  const batch = Array.from({ length: 20 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const send = async (): Promise<number> => {
    const response = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(batch) });
    await response.text();
    return response.status;
  };
  expect(await send()).not.toBe(429);
  // Of the ten at once that the limit allows, the first batch took twenty.
  expect(await send()).toBe(429);
  await server.stop();
});
