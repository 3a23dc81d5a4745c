// What a hostile document must come to: the shape in which the lists of expectations are written.

import type { PinakesError } from '../../src/core/model/errors.ts';
import type { ParsedPage } from '../../src/parse/port.ts';

export type Outcome =
  | { readonly kind: 'parsed'; readonly page: ParsedPage }
  | { readonly kind: 'failed'; readonly error: PinakesError };

export interface Expectation {
  /** The most that reading may take, in milliseconds of processor time; the parser's clock where nothing is said. */
  readonly withinMs?: number;
  readonly check: (outcome: Outcome) => void;
}

export type Expectations = Readonly<Record<string, Expectation>>;

/** For documents that must be read: the page, or the reason why the test fails. */
export function read(outcome: Outcome): ParsedPage {
  if (outcome.kind === 'failed') throw outcome.error;
  return outcome.page;
}

/** For documents that must be refused. */
export function codeOf(outcome: Outcome): string {
  return outcome.kind === 'failed' ? outcome.error.code : 'it was read';
}

/** What no stored text may hold, whatever the document: controls, bidi, tags, lone surrogates. */
export function isClean(text: string): boolean {
  return (
    !/\p{Surrogate}/u.test(text) &&
    // oxlint-disable-next-line no-control-regex
    !/[\0-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u.test(text)
  );
}
