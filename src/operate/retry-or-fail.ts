// Decides whether a URL that failed is asked again.

import { retryDelay } from '../core/rate/retry-delay.ts';
import type { Claim, Outcome } from '../store/port.ts';
import type { PageDeps } from './page-deps.ts';

export function retryOrFail(
  claim: Claim,
  failure: { readonly code: string; readonly reason: string; readonly retryable: boolean },
  { limits, clock }: Pick<PageDeps, 'limits' | 'clock'>,
): Outcome {
  const reason = failure.reason === '' ? failure.code : `${failure.code}: ${failure.reason}`;
  if (!failure.retryable || claim.attempts >= limits.maxAttempts) return { kind: 'failed', reason };
  return { kind: 'retry', reason, inMs: retryDelay(claim.attempts, clock.random(), limits.retryBaseMs) };
}
