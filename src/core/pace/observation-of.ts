// What the outcome of a fetch says about the host, as far as its pace is concerned.

import type { Observation } from '../rate/adapt-delay.ts';

/** The part of an outcome that matters here. */
export type PacedOutcome =
  | { readonly kind: 'fetched' | 'unchanged' | 'gone'; readonly firstByteMs: number }
  | { readonly kind: 'redirected' }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | null }
  | { readonly kind: 'failed'; readonly code: string; readonly status: number | null; readonly retryable: boolean };

/** Null: nothing about the host, because it was never reached or the fault is in the page. */
export function observationOf(outcome: PacedOutcome): Observation | null {
  switch (outcome.kind) {
    case 'fetched':
    case 'unchanged':
    case 'gone':
      return { kind: 'answered', firstByteMs: outcome.firstByteMs };
    case 'redirected':
      return { kind: 'answered', firstByteMs: null };
    case 'throttled':
      return { kind: 'throttled', retryAfterMs: outcome.retryAfterMs };
    case 'failed':
      // That is about this machine.
      if (outcome.code === 'fetch.exhausted') return null;
      if (outcome.retryable) return { kind: 'failed' };
      return outcome.status === null ? null : { kind: 'answered', firstByteMs: null };
  }
}
