// How long to wait before a URL is asked again after a failure.

const CAP_MS = 300_000;

/**
 * 1, 2, 4, … times the base and up to half as much again, so that what failed together does not come back together.
 * `attempt` counts the attempts made, from 1. `random` is at least 0 and below 1.
 */
export function retryDelay(attempt: number, random: number, baseMs: number): number {
  const waitMs = Math.min(CAP_MS, baseMs * 2 ** Math.min(Math.max(0, attempt - 1), 30));
  return Math.round(waitMs * (1 + random / 2));
}
