// The clock of a SQLite database. Leases, delays and pauses are stored as times, so a clock that is set back would extend them
// by hours: this one never goes back.

export interface MonotonicClockDeps {
  readonly wall: () => number;
  /** Since an arbitrary moment, independent of changes to the wall clock. */
  readonly monotonicMs: () => number;
}

const SYSTEM: MonotonicClockDeps = { wall: Date.now, monotonicMs: () => performance.now() };

/**
 * Follows the system clock forward, for example after a sleep of the machine, and continues on its own when that one is set
 * back. `newest` is the latest time stored in the database.
 */
export function createMonotonicClock(newest: number, { wall, monotonicMs }: MonotonicClockDeps = SYSTEM): () => number {
  let time = Math.max(newest, wall());
  let read = monotonicMs();
  return () => {
    const now = monotonicMs();
    time = Math.max(wall(), time + now - read);
    read = now;
    return Math.floor(time);
  };
}
