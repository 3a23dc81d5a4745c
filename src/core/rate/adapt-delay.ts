// How fast a host may be asked, decided after each answer. A host starts slowly, is asked faster while it answers quickly,
// slower when it struggles, and not at all for a while when it fails.

export interface HostPace {
  readonly host: string;
  /** Between two requests. */
  readonly delayMs: number;
  /** What robots.txt asks for. */
  readonly crawlDelayMs: number | null;
  /** From now; 0 when not paused. */
  readonly pausedForMs: number;
  readonly breaker: 'closed' | 'open' | 'half-open';
  /** Failures in a row. */
  readonly failures: number;
}

export type Observation =
  /** Any answer that shows a healthy host, a 404 as well as a page. Null where the time was not taken. */
  | { readonly kind: 'answered'; readonly firstByteMs: number | null }
  /** No answer, or one that says that the host is in trouble. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | null }
  /** robots.txt was read. */
  | { readonly kind: 'crawl-delay'; readonly crawlDelayMs: number | null }
  /** A source that has a pace of its own comes to the host. */
  | { readonly kind: 'visited' };

export interface PaceLimits {
  readonly startDelayMs: number;
  readonly minDelayMs: number;
  /** Back-off goes no further; a Crawl-delay may. */
  readonly maxDelayMs: number;
  /** An answer within this time is quick. */
  readonly quickMs: number;
  /** An answer after this time is slow. */
  readonly slowMs: number;
  readonly breakerFailures: number;
  readonly breakerMs: number;
  /** After a plea to slow down that names no time. */
  readonly throttledMs: number;
}

export const PACE_LIMITS: PaceLimits = {
  startDelayMs: 1000,
  minDelayMs: 200,
  maxDelayMs: 30_000,
  quickMs: 500,
  slowMs: 2000,
  breakerFailures: 5,
  breakerMs: 60_000,
  throttledMs: 30_000,
};

/** Three quick answers lead from one request a second to five: a site is asked half a dozen things before its first page. */
const FASTER = 0.5;
/** A host that was in trouble is won back slowly. */
const CAREFULLY_FASTER = 0.9;
const SLOWER = 1.5;
const MUCH_SLOWER = 2;

export function paceAfter(state: HostPace, observation: Observation, limits: PaceLimits): HostPace {
  switch (observation.kind) {
    case 'answered':
      return afterAnswer(state, observation.firstByteMs, limits);
    case 'failed':
      return afterFailure(state, limits);
    case 'throttled': {
      const pauseMs = observation.retryAfterMs ?? limits.throttledMs;
      const slowed = withDelay(state, Math.max(state.delayMs, limits.startDelayMs) * MUCH_SLOWER, limits);
      return { ...slowed, pausedForMs: Math.max(state.pausedForMs, pauseMs) };
    }
    case 'crawl-delay':
      return withDelay({ ...state, crawlDelayMs: observation.crawlDelayMs }, state.delayMs, limits);
    case 'visited':
      return withDelay(state, state.delayMs, limits);
  }
}

/** The breaker as it stands now: once its pause is over, one request may try. */
export function breakerNow(state: HostPace): HostPace['breaker'] {
  return state.breaker === 'open' && state.pausedForMs <= 0 ? 'half-open' : state.breaker;
}

export type PaceChange = 'faster' | 'slower' | 'paused' | 'breaker-opened' | 'breaker-closed';

/** What is worth telling about the step from one state to the next; null when nothing is. */
export function paceChange(before: HostPace, after: HostPace): PaceChange | null {
  const paused = after.pausedForMs > before.pausedForMs;
  if (after.breaker === 'open' && (before.breaker !== 'open' || paused)) return 'breaker-opened';
  if (after.breaker === 'closed' && before.breaker !== 'closed') return 'breaker-closed';
  if (paused) return 'paused';
  if (after.delayMs === before.delayMs) return null;
  return after.delayMs < before.delayMs ? 'faster' : 'slower';
}

function afterAnswer(state: HostPace, firstByteMs: number | null, limits: PaceLimits): HostPace {
  switch (breakerNow(state)) {
    case 'open':
      // It was asked before the breaker opened, and proves nothing about now.
      return state;
    case 'half-open':
      return withDelay({ ...state, breaker: 'closed', failures: 0 }, limits.startDelayMs, limits);
    case 'closed':
      return withDelay({ ...state, failures: 0 }, paced(state.delayMs, firstByteMs, limits), limits);
  }
}

function paced(delayMs: number, firstByteMs: number | null, limits: PaceLimits): number {
  if (firstByteMs === null) return delayMs;
  if (firstByteMs <= limits.quickMs) return delayMs * (delayMs > limits.startDelayMs ? CAREFULLY_FASTER : FASTER);
  return firstByteMs > limits.slowMs ? Math.max(delayMs * SLOWER, firstByteMs) : delayMs;
}

function afterFailure(state: HostPace, limits: PaceLimits): HostPace {
  const failures = state.failures + 1;
  const slowed = withDelay({ ...state, failures }, Math.max(state.delayMs, limits.startDelayMs) * MUCH_SLOWER, limits);
  const now = breakerNow(state);
  if (now === 'open') return { ...state, failures };
  if (now === 'closed' && failures < limits.breakerFailures) return slowed;
  return { ...slowed, breaker: 'open', pausedForMs: Math.max(state.pausedForMs, limits.breakerMs) };
}

/** Never below what we allow ourselves, nor below what robots.txt asks for. */
function withDelay(state: HostPace, delayMs: number, limits: PaceLimits): HostPace {
  const floorMs = Math.max(limits.minDelayMs, state.crawlDelayMs ?? 0);
  return { ...state, delayMs: Math.round(Math.max(floorMs, Math.min(delayMs, limits.maxDelayMs))) };
}
