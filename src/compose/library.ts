// Opens the library that a command uses: a remote server, the owner of the data directory, or this process. Only files in
// this folder pick adapters.
//
// Each path is imported lazily, so a command that delegates to another process never loads the crawler.

import { leavesLibrary, type Effect } from '../actions/action.ts';
import type { ActionName } from '../actions/actions.ts';
import { TOKEN_ENV } from '../platform/config/settings.ts';
import type { OpenLibrary } from '../serve/cli/cli-runtime.ts';
import type { Interfaces, OwnerParts } from './owner.ts';
import { usesSqlite, type AppContext } from './store.ts';

/** With SQLite one process writes; the others find it or start it. */
export async function openLibrary(context: AppContext, effect: Effect): Promise<OpenLibrary> {
  const remote = await openRemote(context);
  if (remote !== null) return remote;
  if (usesSqlite(context) && !leavesLibrary(effect) && context.config.owner.mode === 'background')
    return openOwner(context, true);
  const { openInProcessLibrary } = await import('./in-process-library.ts');
  return openInProcessLibrary(context, effect);
}

/** If the operator names a server, nothing on this machine is opened; otherwise null. */
export async function openRemote({ config: { server } }: AppContext): Promise<OpenLibrary | null> {
  if (server === undefined) return null;
  const { connect } = await import('../client/connect.ts');
  const library = connect({ server, token: process.env[TOKEN_ENV] });
  return {
    call: (action, input, { signal } = {}) => library.call(action as ActionName, input as never, { signal }),
    startWorker: () => undefined,
    continuesInBackground: true,
    close: () => library.close(),
  };
}

const OWNER_COMMAND = [
  process.execPath,
  ...process.execArgv,
  process.argv[1] ?? '',
  'worker',
  '--until-idle',
  '--json',
];

/** The library behind the owner of the data directory, which is found or started. */
export async function openOwner({ config, version, log }: AppContext, files: boolean): Promise<OpenLibrary> {
  const { openOwnerLibrary } = await import('../serve/owner/owner-library.ts');
  const { ownerFingerprint } = await import('../serve/owner/owner-protocol.ts');
  const warn = (message: string): void => log.warn(message);
  const expected = ownerFingerprint(config, version);
  return openOwnerLibrary({ expected, command: OWNER_COMMAND, config, warn }, files);
}

/** Works on every run until the signal, or until it has been idle for a while. */
export async function runWorkerUntil(until: 'stopped' | 'idle', context: AppContext): Promise<void> {
  const { runOwner } = await import('./owner.ts');
  await runOwner(context, {
    until,
    answersQueries: false,
    openInterfaces: (parts) => openProbes(context, parts),
  });
}

/** The metrics of a worker, if it is given a port for them. */
async function openProbes({ config, log }: AppContext, { store, monitoring }: OwnerParts): Promise<Interfaces> {
  const { metricsPort } = config.serve;
  if (metricsPort === undefined) return { ports: [], close: async () => undefined };
  const { listenForProbes } = await import('../serve/http/listen.ts');
  const settings = { ...config.serve, port: metricsPort };
  const server = await listenForProbes({ settings, tokens: () => store.tokens.list(), now: Date.now, monitoring });
  log.info('metrics are served', { url: `${server.url}/metrics` });
  return { ports: [server.port], close: () => server.close() };
}
