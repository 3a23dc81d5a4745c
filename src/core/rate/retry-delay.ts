// How long to wait before a retry: exponential back-off, or what the server asks for with Retry-After.

const MAX_DELAY_MS = 300_000;

/**
 * Exponential back-off: 1, 2, 4, … times the base, with up to 50 % jitter so that requests that failed together are not
 * retried together. `attempt` counts the attempts made, from 1. `random` is at least 0 and below 1.
 */
export function retryDelay(attempt: number, random: number, baseMs: number): number {
  const waitMs = Math.min(MAX_DELAY_MS, baseMs * 2 ** Math.min(Math.max(0, attempt - 1), 30));
  return Math.round(waitMs * (1 + random / 2));
}

/**
 * Parses Retry-After (seconds or a date) to milliseconds from now, at most the cap; null if the value is unusable. A date
 * is compared with our own clock, because the clock of the server cannot be trusted.
 */
export function retryAfterMs(value: string | null, nowMs: number, capMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Math.min(Number(text) * 1000, capMs);
  // A date contains the name of a day or month: a bare number is never parsed as a year.
  if (text.length > 64 || !/[a-z]/i.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - nowMs), capMs);
}
