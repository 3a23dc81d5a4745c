// Maps errors of SQLite, or of the folder that it is in, to errors of Pinakes.

import { PinakesError, pinakesError, type ErrorCode } from '../../core/model/errors.ts';

/** Extended result codes of SQLite where they matter, else primary ones. */
const BY_RESULT: Readonly<Record<number, ErrorCode>> = {
  // SQLITE_IOERR_SHMSIZE: the index of the log cannot grow, which happens on a full volume.
  4874: 'database.full',
  8: 'database.readonly',
  // A write or a flush failed: the contents of the file are unknown until it is opened again.
  10: 'database.broken',
  11: 'database.broken',
  13: 'database.full',
  26: 'database.broken',
};

const BY_SYSTEM: Readonly<Record<string, ErrorCode>> = {
  EACCES: 'database.readonly',
  EPERM: 'database.readonly',
  EROFS: 'database.readonly',
  ENOSPC: 'database.full',
  EDQUOT: 'database.full',
  EIO: 'database.broken',
};

/** Other errors are returned unchanged. */
export function sqliteFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof PinakesError) return error;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  const errorCode =
    typeof errcode === 'number' ? (BY_RESULT[errcode] ?? BY_RESULT[errcode & 0xff]) : BY_SYSTEM[String(code)];
  return errorCode === undefined ? error : pinakesError(errorCode, { why: error.message }, error);
}
