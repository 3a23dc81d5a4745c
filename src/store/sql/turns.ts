// How far apart the turns of a host stand: its delay and a tenth more.
//
// A worker may be late for its turn, by a tenth of the delay at most; then it gives the turn up. So two requests are never
// nearer than the delay, although nobody knows when another process really sends.

export function spacingOf(delayMs: number): number {
  return delayMs + Math.floor(delayMs / 10);
}

/** The same in SQL, for a host's own column. Both engines divide integers downwards. */
export const SPACING = `(delay_ms + delay_ms / 10)`;
