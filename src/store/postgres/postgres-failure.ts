// Maps errors of PostgreSQL to errors of Pinakes: the server is unreachable, out of connections, full or read-only, its files
// are damaged, or a statement took too long.

import { PinakesError, pinakesError, type ErrorCode } from '../../core/model/errors.ts';

/**
 * By SQLSTATE, or its class. A server that shuts down or starts responds with class 57, one with a full disk with 53100. A
 * cancelled statement (57014) says nothing about the server: it is likely to take as long the next time.
 */
const MEANINGS: Readonly<Record<string, ErrorCode>> = {
  '08': 'database.unreachable',
  '25006': 'database.readonly',
  '25P03': 'database.unreachable',
  '53': 'database.unreachable',
  '53100': 'database.full',
  '53300': 'database.connections',
  '57': 'database.unreachable',
  '57014': 'database.timeout',
  '58': 'database.unreachable',
  XX001: 'database.corrupt',
  XX002: 'database.corrupt',
};

/** invalid_sql_statement_name, duplicate_prepared_statement: a pooler has switched to another connection. */
export const STATEMENT_NOT_PREPARED: ReadonlySet<string> = new Set(['26000', '42P05']);

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
  const reason = error instanceof Error ? error.message : String(error);
  return pinakesError(code, { reason, advice: DAMAGE_ADVICE }, error);
}
