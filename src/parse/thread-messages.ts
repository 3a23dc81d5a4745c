// What the pool and its threads say to each other. Errors cross as code and details: a class does not survive the trip.

import type { ErrorCode, ErrorDetails } from '../core/model/errors.ts';
import type { ParseJob } from './parse-job.ts';
import type { JobResults } from './port.ts';

export interface ThreadRequest {
  readonly job: ParseJob;
}

export type ThreadReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly result: JobResults[ParseJob['kind']] }
  /** `frames` is the stack without its message, which may quote the page. */
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly details: ErrorDetails; readonly frames: string };
