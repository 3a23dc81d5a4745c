// What worker threads share: their entry file, their priority, and errors that cross to another thread.

import { getPriority, setPriority } from 'node:os';
import { PinakesError, pinakesError, type ErrorCode, type ErrorDetails } from '../core/model/errors.ts';

/**
 * URL of the thread file `name` (without extension) next to `from`, which is `import.meta.url`. The compiler rewrites the
 * extension of imports but not of URLs, so the thread gets the extension of the file that starts it.
 */
export function threadEntryUrl(name: string, from: string): URL {
  return new URL(`./${name}${from.endsWith('.ts') ? '.ts' : '.js'}`, from);
}

const MAX_NICENESS = 19;

/**
 * Raises the niceness of this thread, and of threads it starts later, by `steps`. Only on Linux: elsewhere the priority
 * belongs to the whole process.
 */
export function lowerPriority(steps: number): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(MAX_NICENESS, getPriority() + steps));
  } catch {
    // A sandbox may forbid it. Priorities then stay equal; nothing else changes.
  }
}

/** An error as it crosses threads: a class does not survive structured cloning; code and details do. */
export interface ThreadFailure {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly stack: string;
}

export function toThreadFailure(error: unknown): ThreadFailure {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  if (error instanceof PinakesError) return { code: error.code, details: error.details, stack };
  return { code: 'internal', details: { why: message }, stack };
}

export function fromThreadFailure({ code, details, stack }: ThreadFailure): PinakesError {
  const error = pinakesError(code, details);
  error.stack = stack;
  return error;
}
