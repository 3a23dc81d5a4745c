// Maps errors of PostgreSQL to errors of Pinakes: the server is unreachable, full or read-only, or its files are damaged.

import { PinakesError, pinakesError, type ErrorCode } from '../../core/model/errors.ts';

/** By SQLSTATE, or its class. A server that shuts down or starts responds with class 57, one with a full disk with 53100. */
const MEANINGS: Readonly<Record<string, ErrorCode>> = {
  '08': 'database.unreachable',
  '25006': 'database.readonly',
  '53': 'database.unreachable',
  '53100': 'database.full',
  '57': 'database.unreachable',
  '58': 'database.unreachable',
  XX001: 'database.damaged',
  XX002: 'database.damaged',
};

const DAMAGE_ADVICE =
  'Run pinakes verify for details. A damaged index is rebuilt with REINDEX; a damaged table is restored from a backup with pg_restore';

/** Null when the error is not from the server: then the state of the connection is unknown. */
export function sqlState(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

/** data_exception, integrity_constraint_violation, program_limit_exceeded */
const REJECTIONS: ReadonlySet<string> = new Set(['22', '23', '54']);

export function isRejection(error: unknown): boolean {
  return REJECTIONS.has(sqlState(error)?.slice(0, 2) ?? '');
}

/** Conflicts and wrong statements are returned unchanged; an error that is not from the server means a broken connection. */
export function postgresFailure(error: unknown): unknown {
  if (error instanceof PinakesError) return error;
  const state = sqlState(error);
  const code = state === null ? 'database.unreachable' : (MEANINGS[state] ?? MEANINGS[state.slice(0, 2)]);
  if (code === undefined) return error;
  const why = error instanceof Error ? error.message : String(error);
  return pinakesError(code, { why, advice: DAMAGE_ADVICE }, error);
}
