// MCP over stdio for the client that started the process. It must respond quickly, so it loads no more than it needs.

import { openOnDemand, openRemote } from './open-command-library.ts';
import type { AppContext } from './app-context.ts';
import { openStore, usesSqlite } from './store.ts';
import type { CallAction, CommandLibrary } from '../serve/call-action.ts';
import { createRateLimit, type RateLimit } from '../serve/rate-limit.ts';

/** Serves one client on stdin and stdout. Its calls go to the owner, which is found, or started after the client has its first answer. */
export async function serveMcpUntilClosed(context: AppContext, project: string | null): Promise<void> {
  const { serveMcpOverStdio } = await import('../serve/mcp/mcp-transports.ts');
  const { config, log, version, signal } = context;
  const isShared = usesSqlite(context) && config.owner.mode === 'background';
  const remote = await openRemote(context);
  const library = remote ?? (isShared ? await openOnDemand(context) : await openOwnLibrary(context));
  const onError = (error: unknown): void => log.error('an MCP request failed', { error });
  try {
    const { writeTools } = config.serve;
    const changes = createChangeLimit(context);
    const call = project === null ? library.call : await limitToProject(library.call, project);
    const deps = { call, version, writeTools, changes, onError, now: Date.now, isProject: project !== null };
    await serveMcpOverStdio(deps, signal);
  } finally {
    await library.close();
  }
}

/** Raises `project.unknown` before a client connects. */
async function limitToProject(call: CallAction, project: string): Promise<CallAction> {
  const { loadProjectScope } = await import('../serve/project-file.ts');
  const { scopeCall } = await import('../serve/project-scope.ts');
  await loadProjectScope(project);
  return scopeCall(call, () => loadProjectScope(project));
}

export function createChangeLimit({ config }: AppContext): RateLimit {
  return createRateLimit(config.serve.writesPerHour / 60, Date.now);
}

async function openOwnLibrary(context: AppContext): Promise<Pick<CommandLibrary, 'call' | 'close'>> {
  const { createActionCalls } = await import('./in-process-library.ts');
  const { getSharedEmbedder } = await import('./embedding.ts');
  const store = await openStore(context, context.config.serve.writeTools ? 'write' : 'read');
  const close = async (): Promise<void> => {
    await getSharedEmbedder(context.config)?.close();
    await store.close();
  };
  return { call: createActionCalls(context, store)(false), close };
}
