// Errors for external callers: the code and message of the catalogue, without paths, addresses or processes of this machine.

import { PinakesError, pinakesError, type ErrorDetails } from '../core/model/errors.ts';

export interface PublicError {
  readonly message: string;
  readonly nextStep: string | null;
  /** What the message was filled with; empty where it would describe internals. */
  readonly details: ErrorDetails;
}

/** Messages for errors whose own text describes internals, by the first part of their code. */
const INTERNAL_MESSAGES: Readonly<Record<string, string>> = {
  database: 'The database is currently unavailable',
  embed: 'The embedding model is currently unavailable',
  internal: 'Internal error',
  owner: 'The library is in use by another process',
};

/** In the language of the interface: an agent over MCP is told which tool to call, a program over HTTP which request to send. */
export function toPublicError(error: PinakesError, caller: 'agent' | 'program' = 'program'): PublicError {
  const general = INTERNAL_MESSAGES[error.code.split('.')[0] ?? ''];
  return general === undefined
    ? {
        message: error.message,
        nextStep: caller === 'agent' ? error.agentStep : error.httpStep,
        details: error.details,
      }
    : { message: general, nextStep: 'See the server log for details', details: {} };
}

/** An error outside the catalogue is a bug: its text stays in the log. */
export function toPinakesError(error: unknown): PinakesError {
  return error instanceof PinakesError ? error : pinakesError('internal', { reason: 'see the log' }, error);
}

/** The body of an HTTP error response. */
export interface ErrorBody {
  readonly error: PublicError & { readonly code: string; readonly requestId: string };
}

export function errorBody(error: PinakesError, requestId: string): ErrorBody {
  return { error: { code: error.code, ...toPublicError(error), requestId } };
}
