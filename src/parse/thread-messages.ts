// What the pool and its threads say to each other. Errors cross as code and details: a class does not survive the trip.

import type { RawPage } from '../core/extract/extractor.ts';
import type { ErrorCode, ErrorDetails } from '../core/model/errors.ts';
import type { ParsedPage } from './port.ts';

export interface ThreadRequest {
  readonly page: RawPage;
}

export type ThreadReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'parsed'; readonly parsed: ParsedPage }
  /** `frames` is the stack without its message, which may quote the page. */
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly details: ErrorDetails; readonly frames: string };
