// Clients that all connect at the same moment, over real sockets.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../../support/raw-http.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const CLIENTS = 300;

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

test('simultaneous clients all get a response, and connections close when requested', async () => {
  const port = Number(new URL(server.url).port);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'many', version: '1' } };
  const request = {
    method: 'POST',
    path: '/mcp',
    headers: [
      `host: 127.0.0.1:${port}`,
      'content-type: application/json',
      'accept: application/json, text/event-stream',
    ],
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  };
  // Each of these resolves when the server has closed the connection.
  const answers = await Promise.all(Array.from({ length: CLIENTS }, () => sendRaw(port, request)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(answers.filter(({ body }) => body.includes('"serverInfo"'))).toHaveLength(CLIENTS);
}, 30_000);
