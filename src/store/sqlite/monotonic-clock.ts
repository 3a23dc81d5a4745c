// The clock of a local database. Leases, paces and pauses are kept as times, so a clock that is set back would make them
// last for hours: this one never goes back.

export interface SteadyClockDeps {
  readonly wall: () => number;
  /** Since some moment, untouched by whoever sets the wall clock. */
  readonly monotonicMs: () => number;
}

const SYSTEM: SteadyClockDeps = { wall: Date.now, monotonicMs: () => performance.now() };

/**
 * Follows the system's clock forward, as after a sleep of the machine, and goes on at its own pace where that one is set
 * back. `newest` is the latest time that the database has seen.
 */
export function createSteadyClock(newest: number, { wall, monotonicMs }: SteadyClockDeps = SYSTEM): () => number {
  let time = Math.max(newest, wall());
  let read = monotonicMs();
  return () => {
    const now = monotonicMs();
    time = Math.max(wall(), time + now - read);
    read = now;
    return Math.floor(time);
  };
}
