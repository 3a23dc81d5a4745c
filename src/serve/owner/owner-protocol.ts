// What the owner of a data directory and its clients say to each other: HTTP over a local socket, where the answer to a
// call is a list of JSON lines, so that a long one can tell how far it is.

import type { ActionProgress } from '../../actions/action.ts';
import type { ErrorCode, ErrorDetails } from '../../core/model/errors.ts';

export interface OwnerGreeting {
  readonly pid: number;
  readonly version: string;
  /** Equal for equal settings. */
  readonly settings: string;
}

export type OwnerLine =
  | { readonly progress: ActionProgress }
  | { readonly answer: unknown }
  | { readonly error: { readonly code: ErrorCode; readonly details: ErrorDetails } };
