// Errors that the product reports, each with its message and next step filled in from the catalogue.

import { errors, type ErrorEntry } from './errors.table.ts';

export type ErrorCode = keyof typeof errors;
export type ErrorDetails = Readonly<Record<string, string | number>>;

export class PinakesError extends Error {
  override readonly name = 'PinakesError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails, cause?: unknown) {
    super(fill(errors[code].message, details), { cause });
    this.code = code;
    this.details = details;
  }

  get httpStatus(): number {
    return errors[this.code].http;
  }

  get retryable(): boolean {
    return errors[this.code].retry;
  }

  get nextStep(): string | null {
    const entry: ErrorEntry = errors[this.code];
    return entry.nextStep === undefined ? null : fill(entry.nextStep, this.details);
  }

  /** What an agent can do about it. */
  get agentStep(): string | null {
    const entry: ErrorEntry = errors[this.code];
    return entry.agentStep === undefined ? this.nextStep : fill(entry.agentStep, this.details);
  }
}

export function pinakesError(code: ErrorCode, details: ErrorDetails, cause?: unknown): PinakesError {
  return new PinakesError(code, details, cause);
}

/** What an agent can do about an error of this code, as far as it does not depend on details; null for an unknown code. */
export function agentStepOf(code: string): string | null {
  const entry = (errors as Readonly<Record<string, ErrorEntry>>)[code];
  return entry?.agentStep ?? null;
}

/** For the reference page and the schemas of the interfaces. */
export function errorCatalog(): ReadonlyArray<ErrorEntry & { readonly code: ErrorCode }> {
  return (Object.keys(errors) as ErrorCode[]).map((code) => ({ code, ...errors[code] }));
}

function fill(template: string, details: ErrorDetails): string {
  return template.replace(/\{(\w+)\}/g, (_, key: string) => String(details[key] ?? `{${key}}`));
}
