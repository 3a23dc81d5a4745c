// MCP over HTTP, where no session is kept, so nothing can be guessed, hijacked or leaked; and MCP over stdin and stdout.

import { AsyncLocalStorage } from 'node:async_hooks';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Principal } from '../../platform/access-token.ts';
import type { CallAction } from '../call-action.ts';
import { createMcpServerFactory, type McpDeps } from './mcp-server.ts';
import { createUsedSources } from './recent-sources.ts';

export interface McpRequestContext {
  readonly principal: Principal;
  /** Calls of this caller, with its rights. */
  readonly call: CallAction;
  /** Absent if the request has none. */
  readonly body?: unknown;
}

export interface McpEndpoint {
  readonly fetch: (request: Request, context: McpRequestContext) => Promise<Response>;
  close(): Promise<void>;
}

/** No legitimate client sends more in one batch. */
const MAX_BATCH = 50;

/** What the SDK reports while it responds to a request; null once it has. */
interface Reported {
  errors: unknown[] | null;
}

export function createMcpEndpoint(deps: McpDeps): McpEndpoint {
  const requests = new AsyncLocalStorage<Reported>();
  const onerror = (error: unknown): void => {
    const errors = requests.getStore()?.errors ?? null;
    if (errors === null) deps.onError(error);
    else errors.push(error);
  };
  const handler = createMcpHandler(createMcpServerFactory(deps), { onerror });
  /** The SDK reports rejections of malformed requests as well, of which any number may come: the log of requests has those. */
  const respond = async (...args: Parameters<typeof handler.fetch>): Promise<Response> => {
    const reported: Reported = { errors: [] };
    const response = await requests.run(reported, () => handler.fetch(...args));
    const { errors } = reported;
    reported.errors = null;
    if (response.status >= 500) for (const error of errors ?? []) deps.onError(error);
    return response;
  };
  return {
    async fetch(request, { principal, call, body }) {
      const { token, role } = principal;
      // The server issues no sessions, so a client that names one is told that it is gone and starts over.
      if (request.headers.has('mcp-session-id')) return jsonRpcError(404, -32001, 'Unknown session');
      if (Array.isArray(body) && body.length > MAX_BATCH) return jsonRpcError(400, -32600, 'The batch is too large');
      const authInfo = {
        token: '',
        clientId: token ?? 'local',
        scopes: [role],
        extra: { sources: principal.sources, call },
      };
      const response = await respond(request, { authInfo, ...(body === undefined ? {} : { parsedBody: body }) });
      // Keep-alive is decided between the client and the HTTP server; this header would force it.
      response.headers.delete('connection');
      return response;
    },
    close: () => handler.close(),
  };
}

function jsonRpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}

/** Serves one client on stdin and stdout. Returns when the client disconnects, or at the signal. */
export async function serveMcpOverStdio(deps: McpDeps, signal: AbortSignal): Promise<void> {
  const handle = serveStdio(createMcpServerFactory(deps, createUsedSources()), { onerror: deps.onError });
  const { promise: disconnected, resolve } = Promise.withResolvers<void>();
  process.stdin.once('end', resolve).once('close', resolve);
  signal.addEventListener('abort', () => resolve(), { once: true });
  await disconnected;
  await handle.close();
}
