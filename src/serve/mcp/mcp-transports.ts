// MCP over HTTP: no session is kept, so nothing can be guessed, hijacked or left behind.

import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Principal } from '../../platform/access-token.ts';
import { createMcpServerFactory, type McpDeps } from './mcp-server.ts';

export interface McpAsked {
  readonly principal: Principal;
  /** Absent where the request has none. */
  readonly body?: unknown;
}

export interface McpEndpoint {
  readonly fetch: (request: Request, asked: McpAsked) => Promise<Response>;
  close(): Promise<void>;
}

/** Nobody sends so many at once, but to see what happens. */
const MOST_IN_A_BATCH = 50;

export function createMcpEndpoint(deps: McpDeps): McpEndpoint {
  const handler = createMcpHandler(createMcpServerFactory(deps), { onerror: deps.onError });
  return {
    async fetch(request, { principal: { token, scope }, body }) {
      // We hand out no session, so whoever names one is told that it is gone and begins anew.
      if (request.headers.has('mcp-session-id')) return refused(404, -32001, 'There is no such session');
      if (Array.isArray(body) && body.length > MOST_IN_A_BATCH) return refused(400, -32600, 'The batch is too large');
      const authInfo = { token: '', clientId: token ?? 'local', scopes: [scope] };
      const response = await handler.fetch(request, { authInfo, ...(body === undefined ? {} : { parsedBody: body }) });
      // Whether a connection stays is between the client and the HTTP server: this header would keep it in any case.
      response.headers.delete('connection');
      return response;
    },
    close: () => handler.close(),
  };
}

function refused(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}
