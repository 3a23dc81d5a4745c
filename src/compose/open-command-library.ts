// Opens the library that a command uses: a remote server, the owner of the data directory, or this process. Only files in
// this folder pick adapters.
//
// Each path is imported lazily, so a command that delegates to another process never loads the crawler.

import { leavesLibrary, type Effect } from '../actions/action.ts';
import type { ActionName } from '../actions/actions.ts';
import { ACTION_SUMMARIES } from '../actions/summaries.table.ts';
import { TOKEN_ENV } from '../platform/config/settings.ts';
import type { CommandLibrary } from '../serve/call-action.ts';
import type { OwnerCall } from '../serve/owner/owner-library.ts';
import type { Interfaces, OwnerParts } from './owner.ts';
import type { AppContext } from './app-context.ts';
import { usesSqlite } from './store.ts';

/** With SQLite one process writes; the others find it or start it. A read goes to it if it runs, and to the library directly otherwise. */
export async function openCommandLibrary(context: AppContext, effect: Effect): Promise<CommandLibrary> {
  const remote = await openRemote(context);
  if (remote !== null) return remote;
  const isShared = usesSqlite(context) && context.config.owner.mode === 'background';
  if (isShared && !leavesLibrary(effect)) return openOwner(context, true);
  const owner = isShared && effect === 'read' ? await findRunningOwner(context) : null;
  return owner === null ? openHere(context, effect) : openBehindOwner(owner, context);
}

async function openHere(context: AppContext, effect: Effect): Promise<CommandLibrary> {
  const [{ openInProcessLibrary }, { useNativeHash }] = await Promise.all([
    import('./in-process-library.ts'),
    import('../platform/native-hash.ts'),
  ]);
  useNativeHash();
  return openInProcessLibrary(context, effect);
}

async function findRunningOwner({ config, version }: AppContext): Promise<OwnerCall | null> {
  const { findOwner } = await import('../serve/owner/owner-library.ts');
  const { ownerFingerprint } = await import('../serve/owner/owner-protocol.ts');
  return findOwner({ expected: ownerFingerprint(config, version), dataDir: config.dataDir });
}

/**
 * The owner starts with the first call that it alone can answer. The list of sources, which a client waits for when it connects,
 * is read from the files of the library until then.
 */
export async function openOnDemand(context: AppContext): Promise<CommandLibrary> {
  if ((await findRunningOwner(context)) !== null) return openOwner(context, false);
  let owner: Promise<CommandLibrary> | null = null;
  const startOwner = async (): Promise<CommandLibrary> => {
    owner ??= openOwner(context, false);
    // The next call starts the owner again.
    owner.catch(() => (owner = null));
    return owner;
  };
  return {
    async call(name, input, options) {
      if (owner !== null || name !== 'list_sources') return (await startOwner()).call(name, input, options);
      const listed = await callHere(context, input).catch(() => null);
      void startOwner().catch(() => undefined);
      return listed ?? (await startOwner()).call(name, input, options);
    },
    startWorker: () => undefined,
    continuesInBackground: true,
    close: async () => undefined,
  };
}

async function callHere(context: AppContext, input: unknown): Promise<unknown> {
  const library = await openHere(context, 'read');
  try {
    return await library.call('list_sources', input);
  } finally {
    await library.close();
  }
}

/** The owner serves the actions of agents as well; all others use this process or its files. An owner that exits is not started again. */
function openBehindOwner(callOwner: OwnerCall, context: AppContext): CommandLibrary {
  let here: Promise<CommandLibrary> | null = null;
  return {
    async call(name, input, options) {
      const isShared = ACTION_SUMMARIES.some((action) => action.name === name && action.isDefaultTool);
      const answer = isShared ? await callOwner(name, input, options) : null;
      if (answer !== null) return answer.result;
      return (await (here ??= openHere(context, 'read'))).call(name, input, options);
    },
    startWorker: () => undefined,
    continuesInBackground: true,
    close: async () => (await here)?.close(),
  };
}

/** If the operator names a server, nothing on this machine is opened; otherwise null. */
export async function openRemote({ config: { server } }: AppContext): Promise<CommandLibrary | null> {
  if (server === undefined) return null;
  const { createTransport } = await import('../client/connect.ts');
  const library = createTransport({ server, token: process.env[TOKEN_ENV] });
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
export async function openOwner({ config, version, log }: AppContext, files: boolean): Promise<CommandLibrary> {
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
  const { metricsPort } = config.worker;
  if (metricsPort === undefined) return { ports: [], close: async () => undefined };
  const { listenForProbes } = await import('../serve/http/listen.ts');
  const { openIssuer } = await import('./issuer.ts');
  const settings = { ...config.serve, port: metricsPort };
  const server = await listenForProbes({
    settings,
    tokens: store.tokens,
    issuer: openIssuer(config, null),
    now: Date.now,
    monitoring,
  });
  log.info('metrics are served', { url: `${server.url}/metrics` });
  return { ports: [server.port], close: () => server.close() };
}
