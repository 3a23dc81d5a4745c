// Whether a model that failed should be asked again now. Closed: yes. Open: not before a time. After that one question
// decides: it closes the breaker, or opens it again.

export interface Breaker {
  /** In a row. */
  readonly failures: number;
  readonly restUntilMs: number;
}

export const CLOSED: Breaker = { failures: 0, restUntilMs: 0 };

const FAILURES = 5;
const REST_MS = 60_000;

/** What no retry mends opens it at once. `waitMs` is what the server asked for. */
export function afterFailure(
  { failures }: Breaker,
  nowMs: number,
  { retryable, waitMs }: { readonly retryable: boolean; readonly waitMs: number },
): Breaker {
  const more = failures + 1;
  const rest = !retryable || more >= FAILURES ? Math.max(REST_MS, waitMs) : waitMs;
  return { failures: more, restUntilMs: nowMs + rest };
}

export function restMs({ restUntilMs }: Breaker, nowMs: number): number {
  return Math.max(0, restUntilMs - nowMs);
}
