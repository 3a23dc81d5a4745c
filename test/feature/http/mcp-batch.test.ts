// What one MCP request may cost: its calls count as requests of their token, and what is malformed is not an error of the server.

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

test('malformed requests leave no errors in the log', async () => {
  const server = await startTestServer();
  const bodies = [
    '{}',
    '[]',
    '5',
    '"x"',
    '[{"jsonrpc":"1.0"}]',
    '{"jsonrpc":"2.0","id":{},"method":5}',
    '[[]]',
    '{"id":1}',
  ];
  const statuses = new Set<number>();
  for (const [nth, body] of [...bodies, ...bodies].entries()) {
    const type = nth < bodies.length ? 'application/json' : 'application/json; charset=utf-8';
    const headers = {
      'content-type': type,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
    };
    const response = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body });
    await response.text();
    statuses.add(response.status);
  }
  expect([...statuses].every((status) => status >= 400 && status < 500)).toBe(true);
  expect(server.log.filter((line) => /"level":"(?:warn|error)"/.test(line))).toEqual([]);
  await server.stop();
});
