// A failure on its way from one thread to another. A class does not survive the trip: code and details do.

import { PinakesError, pinakesError, type ErrorCode, type ErrorDetails } from '../core/model/errors.ts';

export interface ThreadFailure {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly stack: string;
}

export function failureOf(error: unknown): ThreadFailure {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  if (error instanceof PinakesError) return { code: error.code, details: error.details, stack };
  return { code: 'internal', details: { why: message }, stack };
}

export function rebuiltFailure({ code, details, stack }: ThreadFailure): PinakesError {
  const error = pinakesError(code, details);
  error.stack = stack;
  return error;
}
