// What a failed statement of PostgreSQL means for whoever sent it: the server is away, full or not to be written, or the
// statement itself is wrong.

import { PinakesError, pinakesError, type ErrorCode } from '../../core/model/errors.ts';

/** By SQLSTATE, or its class. A server that shuts down or starts answers with class 57, one without room with 53100. */
const MEANINGS: Readonly<Record<string, ErrorCode>> = {
  '08': 'database.unreachable',
  '25006': 'database.readonly',
  '53': 'database.unreachable',
  '53100': 'database.full',
  '57': 'database.unreachable',
  '58': 'database.unreachable',
};

/** Null when the server did not answer with an error of its own: then nobody knows the state of the connection. */
export function sqlState(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

/** A conflict or a mistake stays as it is; an error that did not come from the server is a connection that broke. */
export function postgresFailure(error: unknown): unknown {
  if (error instanceof PinakesError) return error;
  const state = sqlState(error);
  const code = state === null ? 'database.unreachable' : (MEANINGS[state] ?? MEANINGS[state.slice(0, 2)]);
  if (code === undefined) return error;
  return pinakesError(code, { why: error instanceof Error ? error.message : String(error) }, error);
}
