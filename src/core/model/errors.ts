// Errors that the product reports, each with its message and next step filled in from the catalogue.

import { cleanText } from '../extract/decode/clean-text.ts';
import { errors, type ErrorEntry } from './errors.table.ts';

/**
 * @example
 * const isBusy = (code: ErrorCode): boolean => code === 'http.rate-limited' || code === 'server.unreachable';
 */
export type ErrorCode = keyof typeof errors;
export type ErrorDetails = Readonly<Record<string, string | number>>;

/** An error as another process reports it. */
interface ErrorMessage {
  readonly message: string;
  readonly nextStep: string | null;
}

/**
 * @example
 * await library.read('https://docs.example.dev/missing').catch((error: unknown) => {
 *   if (error instanceof PinakesError && error.code === 'page.unknown') console.log(error.nextStep);
 * });
 */
export class PinakesError extends Error {
  override readonly name = 'PinakesError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly #said: ErrorMessage | null;
  #isForProgram = false;

  /** `said` replaces the words of the catalogue, where a server shows less than it knows. */
  constructor(code: ErrorCode, details: ErrorDetails, cause?: unknown, said: ErrorMessage | null = null) {
    super(said === null ? fill(errors[code].message, details) : cleanText(said.message), { cause });
    this.code = code;
    this.details = details;
    this.#said = said;
  }

  get httpStatus(): number {
    return errors[this.code].http;
  }

  get retryable(): boolean {
    return errors[this.code].retry;
  }

  /** What the caller can do about it: a command, or for a program what it can call. */
  get nextStep(): string | null {
    const entry: ErrorEntry = errors[this.code];
    const ofProgram = this.#isForProgram ? (entry.programStep ?? entry.httpStep) : undefined;
    if (ofProgram !== undefined) return fill(ofProgram, this.details);
    // A server says what to do over HTTP; here it is a command.
    if (this.#said !== null && entry.httpStep === undefined)
      return this.#said.nextStep === null ? null : cleanText(this.#said.nextStep);
    return entry.nextStep === undefined ? null : fill(entry.nextStep, this.details);
  }

  /** The same error for a program that called the library: it has no command line. */
  forProgram(): this {
    this.#isForProgram = true;
    return this;
  }

  /** What a program that speaks HTTP can do about it. */
  get httpStep(): string | null {
    const entry: ErrorEntry = errors[this.code];
    return entry.httpStep === undefined ? this.nextStep : fill(entry.httpStep, this.details);
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

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errors, code);
}

/** For the reference page and the schemas of the interfaces. */
export function errorCatalog(): ReadonlyArray<ErrorEntry & { readonly code: ErrorCode }> {
  return (Object.keys(errors) as ErrorCode[]).map((code) => ({ code, ...errors[code] }));
}

/** What a site sent may be among the details, and messages are printed to terminals. */
function fill(template: string, details: ErrorDetails): string {
  return template.replace(/\{(\w+)\}/g, (_, key: string) => cleanText(String(details[key] ?? `{${key}}`)));
}
