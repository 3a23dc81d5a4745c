// How long to wait before a URL is asked again after a failure.

const BASE_MS = 1000;
const CAP_MS = 300_000;

/**
 * 1, 2, 4, … seconds and up to half as much again, so that what failed together does not come back together.
 * `attempt` counts the attempts made, from 1. `random` is at least 0 and below 1.
 */
export function retryDelay(attempt: number, random: number): number {
  const baseMs = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(Math.max(0, attempt - 1), 30));
  return Math.round(baseMs * (1 + random / 2));
}
