// The library where another process has it: a server that the operator names, or the owner of the data directory.

import type { Surroundings } from './store.ts';
import { sha256Hex } from '../core/model/hash.ts';
import { TOKEN_ENV } from '../platform/config/settings.ts';
import type { OpenLibrary } from '../serve/cli/cli-runtime.ts';

/** Where the operator names a server, nothing on this machine is opened. */
export async function remoteLibrary({ config: { server } }: Surroundings): Promise<OpenLibrary | null> {
  if (server === undefined) return null;
  const { openRemoteLibrary } = await import('../serve/client/remote-library.ts');
  return openRemoteLibrary({ server, token: process.env[TOKEN_ENV] ?? '' });
}

const OWNER_COMMAND = [process.execPath, ...process.execArgv, process.argv[1] ?? '', 'worker', '--until-idle'];

export async function ownerLibrary(around: Surroundings, files: boolean): Promise<OpenLibrary> {
  const { openOwnerLibrary } = await import('../serve/owner/owner-library.ts');
  const { dataDir } = around.config;
  const warn = (sentence: string): void => around.log.warn(sentence);
  return openOwnerLibrary({ dataDir, mine: greetingOf(around), command: OWNER_COMMAND, warn }, files);
}

/** Settings of the log and of the doors change nothing of what an owner does for others. */
export function greetingOf({ config, version }: Surroundings): { version: string; settings: string } {
  const { log: _log, owner: _owner, serve: _serve, server: _server, ...rest } = config;
  return { version, settings: sha256Hex(JSON.stringify(rest)) };
}
