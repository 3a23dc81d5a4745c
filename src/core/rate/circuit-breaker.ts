// Whether a model that failed should be asked again now. Closed: yes. Open: not before a time. After that one question
// decides: it closes the breaker, or opens it again, and for longer.

export interface Breaker {
  /** In a row. */
  readonly failures: number;
  readonly restUntilMs: number;
}

export interface BreakerPolicy {
  /** So many in a row open it. */
  readonly failures: number;
  /** The first rest; each further one is twice as long. */
  readonly restMs: number;
  readonly longestRestMs: number;
}

export const CLOSED: Breaker = { failures: 0, restUntilMs: 0 };

/** The queue can wait, and has many texts to try. */
export const QUEUE_POLICY: BreakerPolicy = { failures: 5, restMs: 5000, longestRestMs: 60_000 };
/** Somebody waits for the answer: the next questions do without. */
export const QUESTION_POLICY: BreakerPolicy = { failures: 1, restMs: 1000, longestRestMs: 30_000 };

const MOST_DOUBLINGS = 20;

/** What no retry mends opens it at once, for the longest rest. `waitMs` is what the server asked for. */
export function afterFailure(
  { failures }: Breaker,
  nowMs: number,
  { retryable, waitMs }: { readonly retryable: boolean; readonly waitMs: number },
  policy: BreakerPolicy,
): Breaker {
  const more = failures + 1;
  return {
    failures: more,
    restUntilMs: nowMs + Math.max(waitMs, retryable ? restAfter(more, policy) : policy.longestRestMs),
  };
}

function restAfter(failures: number, policy: BreakerPolicy): number {
  const beyond = failures - policy.failures;
  if (beyond < 0) return 0;
  return Math.min(policy.longestRestMs, policy.restMs * 2 ** Math.min(beyond, MOST_DOUBLINGS));
}

export function restMs({ restUntilMs }: Breaker, nowMs: number): number {
  return Math.max(0, restUntilMs - nowMs);
}
