// A circuit breaker for embedding models. Closed: requests pass. Open: they fail until a time. Then one request decides:
// it closes the breaker, or opens it again for longer.

export interface CircuitBreaker {
  /** Consecutive failures. */
  readonly failures: number;
  readonly openUntilMs: number;
}

export interface BreakerPolicy {
  /** Consecutive failures that open the breaker. */
  readonly failureThreshold: number;
  /** How long it stays open the first time; doubled each further time. */
  readonly openMs: number;
  readonly maxOpenMs: number;
}

export const CLOSED: CircuitBreaker = { failures: 0, openUntilMs: 0 };

/** The embedding queue can wait, and has many texts to try. */
export const QUEUE_POLICY: BreakerPolicy = { failureThreshold: 5, openMs: 5000, maxOpenMs: 60_000 };
/** A user waits for the query: the next ones do without vectors. */
export const QUERY_POLICY: BreakerPolicy = { failureThreshold: 1, openMs: 1000, maxOpenMs: 30_000 };

const MAX_DOUBLINGS = 20;

/** A failure that a retry cannot fix opens the breaker at once, for the maximum time. `waitMs` is what the server asked for. */
export function recordFailure(
  { failures }: CircuitBreaker,
  nowMs: number,
  { retryable, waitMs }: { readonly retryable: boolean; readonly waitMs: number },
  policy: BreakerPolicy,
): CircuitBreaker {
  const total = failures + 1;
  return {
    failures: total,
    openUntilMs: nowMs + Math.max(waitMs, retryable ? openDurationMs(total, policy) : policy.maxOpenMs),
  };
}

function openDurationMs(failures: number, policy: BreakerPolicy): number {
  const beyond = failures - policy.failureThreshold;
  if (beyond < 0) return 0;
  return Math.min(policy.maxOpenMs, policy.openMs * 2 ** Math.min(beyond, MAX_DOUBLINGS));
}

export function remainingOpenMs({ openUntilMs }: CircuitBreaker, nowMs: number): number {
  return Math.max(0, openUntilMs - nowMs);
}
