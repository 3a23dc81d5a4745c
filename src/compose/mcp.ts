// MCP for the one program that started us. It is to answer soon, so it loads no more than it needs.

import { remoteLibrary, ownerLibrary } from './elsewhere.ts';
import { type Surroundings, openStore, isLocal } from './store.ts';
import type { OpenLibrary } from '../serve/cli/cli-runtime.ts';
import { createRateLimit, type RateLimit } from '../serve/rate-limit.ts';

/** MCP for one client on stdin and stdout. What it asks is answered by the owner, which is found or started. */
export async function mcpUntilClosed(around: Surroundings): Promise<void> {
  const { serveMcpOverStdio } = await import('../serve/mcp/serve-stdio.ts');
  const { config, log, version, signal } = around;
  const isShared = isLocal(around) && config.owner.mode === 'background';
  const remote = await remoteLibrary(around);
  const library = remote ?? (isShared ? await ownerLibrary(around, false) : await ownLibrary(around));
  const onError = (error: unknown): void => log.error('an MCP request failed', { error });
  try {
    const { adminTools } = config.serve;
    const changes = changesOf(around);
    await serveMcpOverStdio({ call: library.call, version, adminTools, changes, onError }, signal);
  } finally {
    await library.close();
  }
}

export function changesOf({ config }: Surroundings): RateLimit {
  return createRateLimit(config.serve.changesPerHour / 60, Date.now);
}

async function ownLibrary(around: Surroundings): Promise<Pick<OpenLibrary, 'call' | 'close'>> {
  const { callActions } = await import('./in-process-library.ts');
  const { embeddingOf } = await import('./embedding.ts');
  const store = await openStore(around, around.config.serve.adminTools ? 'write' : 'read');
  const close = async (): Promise<void> => {
    await embeddingOf(around.config)?.close();
    await store.close();
  };
  return { call: callActions(around, store)(false), close };
}
