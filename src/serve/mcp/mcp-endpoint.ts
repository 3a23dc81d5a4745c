// MCP over HTTP: no session is kept, so nothing can be guessed, hijacked or left behind.

import { createMcpHandler } from '@modelcontextprotocol/server';
import { createMcpServerFactory, type McpDeps } from './mcp-server.ts';

export interface McpEndpoint {
  readonly fetch: (request: Request) => Promise<Response>;
  close(): Promise<void>;
}

export function createMcpEndpoint(deps: McpDeps): McpEndpoint {
  const handler = createMcpHandler(createMcpServerFactory(deps), { onerror: deps.onError });
  return { fetch: (request) => handler.fetch(request), close: () => handler.close() };
}
