// Maps errors of SQLite, or of the folder that it is in, to errors of Pinakes.

import { PinakesError, pinakesError, type ErrorCode } from '../../core/model/errors.ts';

/** Extended result codes of SQLite where they matter, else primary ones. */
const BY_RESULT: Readonly<Record<number, ErrorCode>> = {
  // SQLITE_IOERR_SHMSIZE: the index of the log cannot grow, which happens on a full volume.
  4874: 'database.full',
  8: 'database.readonly',
  // A write or a flush failed: the contents of the file are unknown until it is opened again.
  10: 'database.io-error',
  11: 'database.corrupt',
  13: 'database.full',
  // SQLITE_CANTOPEN: a folder, a link that leads nowhere, or no permission.
  14: 'database.readonly',
  26: 'database.corrupt',
};

/** A backup is the remedy for a damaged table; an index of the search can be rebuilt, which `verify` finds out. */
const DAMAGE_ADVICE =
  'Restore a backup with pinakes restore FILE. Without one, move pinakes.db out of the data directory and add the sources again';

const BY_SYSTEM: Readonly<Record<string, ErrorCode>> = {
  EACCES: 'database.readonly',
  EPERM: 'database.readonly',
  EROFS: 'database.readonly',
  ENOSPC: 'database.full',
  EDQUOT: 'database.full',
  EIO: 'database.io-error',
};

/** SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH */
const REJECTIONS: ReadonlySet<number> = new Set([18, 19, 20]);

export function isRejection(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' && REJECTIONS.has(errcode & 0xff);
}

/** Other errors are returned unchanged. */
export function sqliteFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof PinakesError) return error;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  const errorCode =
    typeof errcode === 'number' ? (BY_RESULT[errcode] ?? BY_RESULT[errcode & 0xff]) : BY_SYSTEM[String(code)];
  return errorCode === undefined
    ? error
    : pinakesError(errorCode, { reason: error.message, advice: DAMAGE_ADVICE }, error);
}
