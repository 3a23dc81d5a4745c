// The protocol between the owner of a data directory and its clients: HTTP over a local socket, where the response to a call
// is a list of JSON lines, so that a long call can report progress.

import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ActionProgress } from '../../actions/action.ts';
import type { ErrorCode, ErrorDetails } from '../../core/model/errors.ts';
import { sha256Hex } from '../../core/model/hash.ts';
import type { Config } from '../../platform/config/schema.ts';

export interface OwnerInfo {
  readonly pid: number;
  readonly version: string;
  /** Equal for equal settings. */
  readonly settings: string;
}

export type OwnerLine =
  | { readonly progress: ActionProgress }
  | { readonly result: unknown }
  | { readonly error: { readonly code: ErrorCode; readonly details: ErrorDetails } };

/** Settings of the log and of the interfaces do not change what an owner does for its clients. */
export function ownerFingerprint(config: Config, version: string): Omit<OwnerInfo, 'pid'> {
  const { log: _log, owner: _owner, serve: _serve, server: _server, ...rest } = config;
  return { version, settings: sha256Hex(JSON.stringify(rest)) };
}

/** The longest socket path that every system accepts. */
const MAX_SOCKET_PATH_BYTES = 100;

/** Inside the data directory, which only its user may enter; in the temporary folder if that path is too long. */
export function ownerSocket(dataDir: string, platform: NodeJS.Platform = process.platform): string {
  const directory = resolve(dataDir);
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  if (platform === 'win32') return `\\\\.\\pipe\\pinakes-${name}`;
  const inside = join(directory, 'owner.sock');
  return Buffer.byteLength(inside) <= MAX_SOCKET_PATH_BYTES ? inside : join(tmpdir(), `pinakes-${name}.sock`);
}
