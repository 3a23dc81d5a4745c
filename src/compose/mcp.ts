// MCP over stdio for the client that started the process. It must respond quickly, so it loads no more than it needs.

import { openRemote, openOwner } from './library.ts';
import { type AppContext, openStore, usesSqlite } from './store.ts';
import type { OpenLibrary } from '../serve/cli/cli-runtime.ts';
import { createRateLimit, type RateLimit } from '../serve/rate-limit.ts';

/** Serves one client on stdin and stdout. Its calls go to the owner, which is found or started. */
export async function serveMcpUntilClosed(context: AppContext): Promise<void> {
  const { serveMcpOverStdio } = await import('../serve/mcp/mcp-transports.ts');
  const { config, log, version, signal } = context;
  const isShared = usesSqlite(context) && config.owner.mode === 'background';
  const remote = await openRemote(context);
  const library = remote ?? (isShared ? await openOwner(context, false) : await openOwnLibrary(context));
  const onError = (error: unknown): void => log.error('an MCP request failed', { error });
  try {
    const { adminTools } = config.serve;
    const changes = createChangeLimit(context);
    await serveMcpOverStdio({ call: library.call, version, adminTools, changes, onError, now: Date.now }, signal);
  } finally {
    await library.close();
  }
}

export function createChangeLimit({ config }: AppContext): RateLimit {
  return createRateLimit(config.serve.changesPerHour / 60, Date.now);
}

async function openOwnLibrary(context: AppContext): Promise<Pick<OpenLibrary, 'call' | 'close'>> {
  const { createActionCalls } = await import('./in-process-library.ts');
  const { getSharedEmbedder } = await import('./embedding.ts');
  const store = await openStore(context, context.config.serve.adminTools ? 'write' : 'read');
  const close = async (): Promise<void> => {
    await getSharedEmbedder(context.config)?.close();
    await store.close();
  };
  return { call: createActionCalls(context, store)(false), close };
}
