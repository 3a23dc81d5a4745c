// What a failure of SQLite, or of the folder it lies in, means for whoever caused it.

import { PinakesError, pinakesError, type ErrorCode } from '../../core/model/errors.ts';

/** Result codes of SQLite, with their extension where that has a meaning of its own, else without. */
const BY_RESULT: Readonly<Record<number, ErrorCode>> = {
  // SQLITE_IOERR_SHMSIZE: the index of the log cannot grow, which is what a full volume looks like.
  4874: 'database.full',
  8: 'database.readonly',
  // A write or a flush failed: what the file holds now is unknown until it is opened again.
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

/** What is none of these stays as it is. */
export function sqliteFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof PinakesError) return error;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  const meant =
    typeof errcode === 'number' ? (BY_RESULT[errcode] ?? BY_RESULT[errcode & 0xff]) : BY_SYSTEM[String(code)];
  return meant === undefined ? error : pinakesError(meant, { why: error.message }, error);
}
