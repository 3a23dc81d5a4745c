// The circuit breaker of whatever may be down: a host, an embedding model. Closed: requests pass. Open: none passes, for a
// time. Half-open: the time is over, and one trial decides whether it closes or opens again, for longer.

export interface CircuitBreaker {
  readonly breaker: 'closed' | 'open' | 'half-open';
  /** Consecutive failures. */
  readonly failures: number;
  /** From now; 0 when not paused. */
  readonly pausedForMs: number;
}

export interface BreakerPolicy {
  /** Consecutive failures that open the breaker. */
  readonly failureThreshold: number;
  /** How long it stays open the first time; doubled each further time. */
  readonly openMs: number;
  readonly maxOpenMs: number;
}

export interface Failure {
  /** One that a retry cannot fix opens the breaker at once, for the maximum time. */
  readonly retryable: boolean;
  /** Delay that the server requested. */
  readonly waitMs: number;
}

/** The embedding queue can wait, and has many texts to try. */
export const QUEUE_POLICY: BreakerPolicy = { failureThreshold: 5, openMs: 5000, maxOpenMs: 60_000 };
/** A user waits for the query: the next ones do without vectors. */
export const QUERY_POLICY: BreakerPolicy = { failureThreshold: 1, openMs: 1000, maxOpenMs: 30_000 };

/** State of the breaker now: once its pause is over, one trial request may pass. */
export function currentBreaker({ breaker, pausedForMs }: CircuitBreaker): CircuitBreaker['breaker'] {
  return breaker === 'open' && pausedForMs <= 0 ? 'half-open' : breaker;
}

/** A response to a request from before the breaker opened proves nothing about now. */
export function afterSuccess<State extends CircuitBreaker>(state: State): State {
  return currentBreaker(state) === 'open' ? state : { ...state, breaker: 'closed', failures: 0 };
}

const RETRYABLE: Failure = { retryable: true, waitMs: 0 };

/** Requests that were under way when it opened are one outage: their failures do not count. */
export function afterFailure<State extends CircuitBreaker>(
  state: State,
  policy: BreakerPolicy,
  { retryable, waitMs }: Failure = RETRYABLE,
): State {
  const now = currentBreaker(state);
  if (now === 'open') return state;
  const failures = state.failures + 1;
  const opens = now === 'half-open' || failures >= policy.failureThreshold || !retryable || waitMs > 0;
  if (!opens) return { ...state, failures };
  const openMs = Math.max(waitMs, retryable ? openDurationMs(failures, policy) : policy.maxOpenMs);
  return { ...state, failures, breaker: 'open', pausedForMs: Math.max(state.pausedForMs, openMs) };
}

const MAX_DOUBLINGS = 20;

function openDurationMs(failures: number, { failureThreshold, openMs, maxOpenMs }: BreakerPolicy): number {
  const beyond = failures - failureThreshold;
  return beyond < 0 ? 0 : Math.min(maxOpenMs, openMs * 2 ** Math.min(beyond, MAX_DOUBLINGS));
}

export interface BreakerGate {
  /** Whether a request may be sent. Of those that come after the pause, one is the trial. */
  admit(): boolean;
  succeeded(): void;
  failed(failure: Failure): void;
  now(): CircuitBreaker;
}

/** The breaker of one process, with the time. */
export function createBreakerGate(policy: BreakerPolicy, nowMs: () => number): BreakerGate {
  let stored: CircuitBreaker = { breaker: 'closed', failures: 0, pausedForMs: 0 };
  let storedAtMs = 0;
  const now = (): CircuitBreaker => ({
    ...stored,
    pausedForMs: Math.max(0, stored.pausedForMs - (nowMs() - storedAtMs)),
  });
  const store = (state: CircuitBreaker): void => {
    stored = state;
    storedAtMs = nowMs();
  };
  return {
    admit() {
      const state = now();
      if (state.pausedForMs > 0) return false;
      // A trial that never ends is followed by another one.
      if (state.breaker !== 'closed') store({ ...state, breaker: 'half-open', pausedForMs: policy.openMs });
      return true;
    },
    succeeded() {
      const state = now();
      if (currentBreaker(state) !== 'open') store({ ...afterSuccess(state), pausedForMs: 0 });
    },
    failed(failure) {
      const state = now();
      const after = afterFailure(state, policy, failure);
      if (after !== state) store(after);
    },
    now,
  };
}
