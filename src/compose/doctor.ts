// Operations on this machine rather than on the library: the checks of `doctor`, and restoring a backup.

import { pinakesError } from '../core/model/errors.ts';
import type { CheckResult } from '../platform/check-machine.ts';
import { TOKEN_ENV } from '../platform/config/settings.ts';
import { readServerInfo } from '../platform/server-info.ts';
import type { Restored } from '../store/sqlite/backup-restore.ts';
import { checkRendering } from './check-rendering.ts';
import { checkIndexServer, getSearchIndex } from './search-index.ts';
import type { AppContext } from './app-context.ts';
import { openStore, usesSqlite } from './store.ts';

/** Checks this machine for missing requirements, or the server that it uses. It creates nothing except the data directory. */
export async function runDoctor(context: AppContext): Promise<readonly CheckResult[]> {
  const { checkNode, checkDirectory, checkDiskSpace, checkPackages, checkContact } =
    await import('../platform/check-machine.ts');
  const { checkStore } = await import('../library/health.ts');
  const { dataDir, minFreeBytes, server } = context.config;
  if (server !== undefined) {
    const { checkServer } = await import('./check-server.ts');
    return [checkNode(), ...(await checkServer({ server, token: process.env[TOKEN_ENV] ?? '' }, context.version))];
  }
  const diskChecks = usesSqlite(context) ? [checkDirectory(dataDir), checkDiskSpace(dataDir, minFreeBytes)] : [];
  const isUsable = diskChecks.every(({ state }) => state !== 'failed');
  return [
    checkNode(),
    ...diskChecks,
    ...(isUsable
      ? await checkStore(
          () => openStore(context, 'read'),
          (store) => getSearchIndex(store, context),
        )
      : []),
    ...(usesSqlite(context) && isUsable ? [await checkOwner(dataDir), ...(await checkOwnServer(context))] : []),
    ...(await checkIndexServer(context)),
    await checkRendering(context),
    checkContact(context.config.fetch.userAgent),
    checkPackages('code grammars', ['@vscode/tree-sitter-wasm']),
    checkPackages('local models', ['onnxruntime-node', '@huggingface/tokenizers']),
  ];
}

/** Whether a process owns the data directory and responds. */
export async function checkOwner(dataDir: string): Promise<CheckResult> {
  const { getOwnerInfo } = await import('../serve/owner/owner-client.ts');
  const { findOwnerSocket } = await import('../serve/owner/owner-socket.ts');
  const found = await getOwnerInfo(findOwnerSocket(dataDir)).catch(() => 'unresponsive' as const);
  if (found === 'unresponsive')
    return {
      name: 'owner',
      state: 'failed',
      detail: 'a process listens but does not respond: it is stopped or hangs',
      hint: `Continue or end the process named in ${dataDir}/owner.json`,
    };
  const detail =
    found === null
      ? 'no background process is running; commands start one when they need it'
      : `process ${found.pid}, pinakes ${found.version}`;
  return { name: 'owner', state: 'ok', detail, hint: null };
}

/** Where `pinakes serve` listens for this data directory; nothing if it does not run. */
async function checkOwnServer({ config }: AppContext): Promise<readonly CheckResult[]> {
  const note = readServerInfo(config.dataDir);
  if (note === null) return [];
  const { isServerAt } = await import('./check-server.ts');
  if (!(await isServerAt(note.url))) return [];
  return [{ name: 'server', state: 'ok', detail: `${note.url} (process ${note.pid})`, hint: null }];
}

/** Raises `backup.unsupported`, `backup.invalid` or `database.owned`. */
export async function restoreLibrary(context: AppContext, file: string): Promise<Restored> {
  const { config, command } = context;
  if (!usesSqlite(context)) throw pinakesError('backup.unsupported', {});
  const { takeOverDirectory } = await import('../serve/owner/owner-library.ts');
  const { restoreSqlite } = await import('../store/sqlite/backup-restore.ts');
  await takeOverDirectory(config.dataDir);
  const owner = { pid: process.pid, command, since: new Date().toISOString() };
  return restoreSqlite(config.dataDir, file, owner);
}
