// MCP over stdin and stdout. Ends when the client closes its end, and leaves nothing behind.

import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServerFactory, type McpDeps } from './mcp-server.ts';

/** Returns when the client is gone, or at the signal. */
export async function serveMcpOverStdio(deps: McpDeps, signal: AbortSignal): Promise<void> {
  const handle = serveStdio(createMcpServerFactory(deps), { onerror: deps.onError });
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  process.stdin.once('end', resolve).once('close', resolve);
  signal.addEventListener('abort', () => resolve(), { once: true });
  await gone;
  await handle.close();
}
