// Decides whether a URL that failed is asked again.

import type { Claim, Outcome } from '../store/port.ts';
import type { PageDeps } from './page-deps.ts';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 5 * 60_000;

/** 1, 2, 4 … seconds, with up to half as much again, so that URLs that failed together are not asked together. */
export function retryOrFail(
  claim: Claim,
  failure: { readonly code: string; readonly reason: string; readonly retryable: boolean },
  { limits, random }: Pick<PageDeps, 'limits' | 'random'>,
): Outcome {
  const reason = failure.reason === '' ? failure.code : `${failure.code}: ${failure.reason}`;
  if (!failure.retryable || claim.attempts >= limits.maxAttempts) return { kind: 'failed', reason };
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (claim.attempts - 1));
  return { kind: 'retry', reason, inMs: Math.round(wait * (1 + random() / 2)) };
}
