// The protocol between the owner of a data directory and its clients: HTTP over a local socket, where the response to a call
// is a list of JSON lines, so that a long call can report progress.

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
  const { log: _log, owner: _owner, serve: _serve, server: _server, sink: _sink, ...rest } = config;
  return { version, settings: sha256Hex(JSON.stringify(rest)) };
}
