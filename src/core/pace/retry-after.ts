// Reads Retry-After: seconds, or a date.

/**
 * Milliseconds to wait from now, never more than the cap; null when nothing usable is said. A date is compared with our
 * own clock, because the clock of a server proves nothing.
 */
export function retryAfterMs(value: string | null, nowMs: number, capMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Math.min(Number(text) * 1000, capMs);
  // A date has a name of a day or a month in it: a bare number is never read as a year.
  if (text.length > 64 || !/[a-z]/i.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - nowMs), capMs);
}
