// Time, injected, so that tests control it.

export interface Clock {
  /** What time it is, for people and records. May jump. */
  now(): Date;
  /** Milliseconds since some moment, for durations. Never goes back. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
