// The types of the expectations about hostile documents.

import type { PinakesError } from '../../../src/core/model/errors.ts';
import type { ParsedPage } from '../../../src/parse/port.ts';

export type Outcome =
  | { readonly kind: 'parsed'; readonly page: ParsedPage }
  | { readonly kind: 'failed'; readonly error: PinakesError };

export interface Expectation {
  /** The limit for parsing, in milliseconds of CPU time; by default the timeout of the parser. */
  readonly withinMs?: number;
  readonly check: (outcome: Outcome) => void;
}

export type Expectations = Readonly<Record<string, Expectation>>;

/** For documents that must be parsed: the page, or the error that fails the test. */
export function parsedPage(outcome: Outcome): ParsedPage {
  if (outcome.kind === 'failed') throw outcome.error;
  return outcome.page;
}

/** For documents that must be rejected: the error code. */
export function codeOf(outcome: Outcome): string {
  return outcome.kind === 'failed' ? outcome.error.code : 'parsed';
}

/** Whether a text has none of the characters that must never be stored: controls, bidi, tags, lone surrogates. */
export function isClean(text: string): boolean {
  return (
    !/\p{Surrogate}/u.test(text) &&
    // oxlint-disable-next-line no-control-regex
    !/[\0-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u.test(text)
  );
}
